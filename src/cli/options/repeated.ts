import { usageError } from '../errors/cli-error.ts';

/** Collects the values of an option that may be given again. @throws CliError for an empty value */
export const repeatedOption =
  (option: string) =>
  (text: string, previous: readonly string[] = []): readonly string[] => {
    if (text.trim() === '') throw usageError(`${option} "${text}" has no name: write ${option} NAME`);
    return [...previous, text];
  };
