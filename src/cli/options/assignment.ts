import { parseQuantity, type Quantity } from '../../scenario/values/quantity.ts';
import { VARIABLE_NAME } from '../../scenario/values/variable-name.ts';
import { usageError } from '../errors/cli-error.ts';
import type { GivenVariables } from './variables-file.ts';

export type SensorValues = Readonly<Record<string, Quantity>>;

/** Collects `--sensor NAME=value[ unit]`. */
export function sensorOption(text: string, previous: SensorValues = {}): SensorValues {
  const parts = split(text);
  if (!parts)
    throw usageError(
      `--sensor "${text}" has no name and value: write NAME=value, for example --sensor AI01=0.65`,
    );
  const [name, value] = parts;
  const quantity = parseQuantity(value);
  if (!quantity)
    throw usageError(
      `--sensor "${text}": "${value}" is not a number with an optional unit: write for example --sensor "${name}=-12 mbar"`,
    );
  if (Object.hasOwn(previous, name))
    throw usageError(`--sensor "${text}" gives ${name} a second value: keep one of them`);
  return { ...previous, [name]: quantity };
}

/** Collects `--var NAME=value`. */
export function variableOption(text: string, previous: GivenVariables = {}): GivenVariables {
  const parts = split(text);
  if (!parts || !VARIABLE_NAME.test(parts[0]))
    throw usageError(`--var "${text}" is not a variable: write NAME=value, for example --var operator=Anna`);
  const [name, value] = parts;
  if (Object.hasOwn(previous, name))
    throw usageError(`--var "${text}" gives ${name} a second value: keep one of them`);
  return { ...previous, [name]: value };
}

/** Parser of `--vars`: a second file would replace the first one. @throws CliError exit code 2 */
export function variablesFileOption(file: string, previous?: string): string {
  if (previous === undefined) return file;
  throw usageError(
    `--vars "${file}" is a second file beside "${previous}": put all variables into one of them`,
  );
}

function split(text: string): [name: string, value: string] | undefined {
  const at = text.indexOf('=');
  const name = text.slice(0, at).trim();
  return at > 0 && name !== '' ? [name, text.slice(at + 1).trim()] : undefined;
}
