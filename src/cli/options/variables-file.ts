import { extname } from 'node:path';
import { parseDocument } from 'yaml';
import { faultText } from '../../lib/config/config-error.ts';
import { dataOf, nestingFault } from '../../lib/config/plain-yaml.ts';
import type { GivenVariable } from '../../scenario/run/variables.ts';
import { decode } from '../../scenario/source/decode.ts';
import { VARIABLE_NAME } from '../../scenario/values/variable-name.ts';
import { usageError } from '../errors/cli-error.ts';
import { readScenarioFile } from '../source/read-file.ts';
import { csvRows } from './csv-rows.ts';

export type GivenVariables = Readonly<Record<string, GivenVariable>>;

/**
 * Reads `--vars FILE`: YAML or JSON with `NAME: value` or `NAME: {value, unit}`, or CSV with the columns name, value and
 * perhaps unit. @throws CliError exit code 2
 */
export function readVariablesFile(name: string, cwd: string): GivenVariables {
  const decoded = decode(readScenarioFile(name, cwd).bytes);
  if ('fault' in decoded)
    throw usageError(`--vars ${name}: ${decoded.detail}; save a YAML, JSON or CSV file as UTF-8`);
  const { text } = decoded;
  const type = extname(name).toLowerCase();
  if (type === '.csv') return fromRows(name, text);
  if (type === '.yaml' || type === '.yml' || type === '.json') return fromMap(name, text);
  throw usageError(`--vars ${name}: "${type}" is no known type; name the file .yaml, .yml, .json or .csv`);
}

/** JSON is read as YAML, which it is: there a name that stands twice is an error. */
function fromMap(name: string, text: string): GivenVariables {
  const tooDeep = nestingFault(text);
  if (tooDeep !== undefined) throw usageError(`--vars ${name}: ${tooDeep}`);
  const document = parseDocument(text, { prettyErrors: true });
  const [fault] = document.errors;
  if (fault) throw usageError(`--vars ${name}: ${fault.message.split('\n')[0]}`);
  const plain = dataOf(document);
  if ('faults' in plain) throw usageError(`--vars ${name}: ${plain.faults.map(faultText).join('; ')}`);
  const read = plain.data;
  if (!isMap(read)) throw usageError(`--vars ${name}: it holds no names; write for example HIGH: 15 mbar`);
  const given: Record<string, GivenVariable> = Object.create(null);
  for (const [key, value] of Object.entries(read)) {
    requireName(key, name);
    given[key] = givenOf(key, value, name);
  }
  return given;
}

const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function givenOf(key: string, value: unknown, file: string): GivenVariable {
  if (isScalar(value)) return value;
  if (isMap(value)) {
    const { value: inner, unit, ...others } = value;
    const hasUnit = unit === undefined || typeof unit === 'string';
    if (isScalar(inner) && hasUnit && Object.keys(others).length === 0)
      return { value: inner, ...(unit === undefined ? {} : { unit }) };
  }
  throw usageError(
    `--vars ${file}: the value of ${key} is neither a text, a number nor {value, unit}; write for example ${key}: 15 mbar`,
  );
}

const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

function fromRows(file: string, text: string): GivenVariables {
  const given: Record<string, GivenVariable> = Object.create(null);
  const rows = csvRows(text);
  if ('fault' in rows) throw usageError(`--vars ${file}: ${rows.fault}`);
  const [first] = rows.rows;
  const isHeader =
    first !== undefined && /^name$/i.test(first.cells[0] ?? '') && /^value$/i.test(first.cells[1] ?? '');
  for (const { line, cells } of isHeader ? rows.rows.slice(1) : rows.rows) {
    const [key = '', value, unit = '', ...others] = cells;
    if (value === undefined || others.length > 0)
      throw usageError(
        `--vars ${file}: line ${line} has ${cells.length} ${cells.length === 1 ? 'column' : 'columns'}; a line holds name, value and perhaps unit of one variable`,
      );
    requireName(key, file, `line ${line}: `);
    if (Object.hasOwn(given, key))
      throw usageError(`--vars ${file}: line ${line} gives ${key} a second value; keep one of them`);
    given[key] = unit === '' ? value : { value, unit };
  }
  if (Object.keys(given).length === 0)
    throw usageError(`--vars ${file}: it holds no variables; write lines such as HIGH,15 mbar`);
  return given;
}

function requireName(key: string, file: string, place = ''): void {
  if (VARIABLE_NAME.test(key)) return;
  throw usageError(
    `--vars ${file}: ${place}"${key}" cannot be the name of a variable; start with a letter, then letters, digits, _ . or -`,
  );
}
