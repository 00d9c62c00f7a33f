import { usageError } from '../errors/cli-error.ts';

/** Parser of an option that takes whole numbers by commas and may be given again. @throws CliError */
export const numberList =
  (option: string, low: number, high: number) =>
  (text: string, previous: readonly number[] = []): number[] => {
    const values = text.split(',').map((one) => (/^\s*\d+\s*$/.test(one) ? Number(one) : Number.NaN));
    if (values.every((value) => value >= low && value <= high)) return [...previous, ...values];
    throw usageError(
      `${option} "${text}" is not a whole number from ${low} to ${high}: write for example ${option} ${low}`,
    );
  };

/** Parser of an option that takes some of a few words. @throws CliError */
export const choiceList =
  (option: string, choices: readonly string[]) =>
  (text: string, previous: readonly string[] = []): string[] => {
    const words = text.split(',').map((one) => one.trim());
    if (words.every((word) => choices.includes(word))) return [...previous, ...words];
    throw usageError(
      `${option} "${text}" is unknown: use ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`,
    );
  };

/** The lock of the port is held so long: a guard goes on asking for the valves' port for 1.4 s. */
export const LONGEST_S = 1;

/** @returns milliseconds. @throws CliError */
export function secondsOption(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 0.05 && seconds <= LONGEST_S) return seconds * 1000;
  throw usageError(`--timeout "${text}" is not 0.05 to ${LONGEST_S} s: write for example --timeout 0.5`);
}
