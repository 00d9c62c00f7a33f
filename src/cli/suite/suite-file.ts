import { type Document, isMap, isScalar, LineCounter, type Node, parseDocument } from 'yaml';
import type * as z from 'zod';
import { faultText } from '../../lib/config/config-error.ts';
import { dataOf, nestingFault } from '../../lib/config/plain-yaml.ts';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { CliError } from '../errors/cli-error.ts';
import { ENTRY_KEYS, SUITE_KEYS, type SuiteFile, suiteSchema } from './suite-schema.ts';

/** A suite as it was written. */
export interface ReadSuite extends Omit<SuiteFile, 'scenarios'> {
  readonly scenarios: readonly SuiteEntry[];
}

export interface SuiteEntry {
  readonly scenario: string;
  readonly name?: string;
  /** As `--var NAME=text` would give them. */
  readonly variables: Readonly<Record<string, string>>;
  /** `suite.yaml:4:5`, for messages. */
  readonly place: string;
}

type Path = readonly PropertyKey[];

/**
 * Reads a suite. @param file its name in messages
 * @throws CliError `suite_invalid` with every fault: place, value and remedy, one to a line
 */
export function readSuite(text: string, file: string): ReadSuite {
  const tooDeep = nestingFault(text);
  if (tooDeep !== undefined) throw refuse([`${file}: ${tooDeep}`]);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const place = (path: Path, ofKey = false) => at(offsetOf(document, path, ofKey));
  if (document.errors.length > 0)
    throw refuse(
      document.errors.map(
        ({ pos, message }) => `${at(pos[0])}: ${message.replace(/; please use.*/, '; keep one')}`,
      ),
    );
  const data = plainData(document, file);
  const result = suiteSchema.safeParse(data);
  if (!result.success) throw refuse(result.error.issues.flatMap((issue) => faultsOf(issue, data, place)));
  const { scenarios, ...suite } = result.data;
  return {
    ...suite,
    scenarios: scenarios.map(({ scenario, name, variables }, index) => ({
      scenario,
      ...(name === undefined ? {} : { name }),
      variables: Object.fromEntries(
        Object.entries(variables).map(([key, value]) => {
          const node = document.getIn(['scenarios', index, 'variables', key], true);
          return [key, textOf(node, value)];
        }),
      ),
      place: place(['scenarios', index]),
    })),
  };
}

/** As it was written: a number like 00123 or 1.50 keeps its digits. */
const textOf = (node: unknown, value: string | number | boolean): string =>
  typeof value === 'number' && isScalar(node) && node.source !== undefined ? node.source : String(value);

const refuse = (faults: readonly string[]): CliError => new CliError('suite_invalid', faults.join('\n'));

/** An alias to nowhere, or too many of them, is found only here. */
function plainData(document: Document, file: string): unknown {
  const plain = dataOf(document);
  if ('data' in plain) return plain.data;
  throw refuse(
    plain.faults.map((fault) => `${file}: ${fault.path === 'file' ? fault.message : faultText(fault)}`),
  );
}

/** One sentence for each fault that an issue names. */
function faultsOf(
  issue: z.core.$ZodIssue,
  data: unknown,
  place: (path: Path, ofKey?: boolean) => string,
): string[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = path.length === 0 ? SUITE_KEYS : ENTRY_KEYS;
    return issue.keys.map((key) => {
      const near = suggest(key, known);
      const remedy = near ? `did you mean "${near}"?` : `the keys here are ${known.join(', ')}`;
      return `${place([...path, key], true)}: unknown key "${key}"; ${remedy}`;
    });
  }
  if (issue.code === 'invalid_key')
    return [`${place(path, true)}: ${named(path)} ${issue.issues[0]?.message ?? issue.message}`];
  const value = valueAt(data, path);
  const isEmpty = value === undefined || value === null;
  const found = isEmpty ? `is ${path.length === 0 ? 'empty' : 'missing'}: it ` : `is ${short(value)}: it `;
  return [`${place(path)}: ${named(path)} ${issue.message.startsWith('must') ? found : ''}${issue.message}`];
}

/** `scenarios[1].variables.HIGH`; the whole file is the suite. */
const named = (path: Path): string =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : `${text}${text === '' ? '' : '.'}${String(part)}`,
    '',
  ) || 'the suite';

function valueAt(data: unknown, path: Path): unknown {
  let value = data;
  for (const part of path) {
    // A bare path stands for a map with the key scenario.
    if (typeof value === 'string' && part === 'scenario') return value;
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

const short = (value: unknown): string => {
  const text = (typeof value === 'number' ? undefined : JSON.stringify(value)) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
};

/** Where a node begins, or the nearest one around it. */
function offsetOf(document: Document, path: Path, ofKey: boolean): number {
  if (ofKey) {
    const parent = document.getIn(path.slice(0, -1), true);
    const key = isMap(parent)
      ? parent.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(path.at(-1)))?.key
      : undefined;
    if (isScalar(key) && key.range) return key.range[0];
  }
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? document.contents : document.getIn(path.slice(0, length), true);
    const range = (node as Node | null | undefined)?.range;
    if (range) return range[0];
  }
  return 0;
}
