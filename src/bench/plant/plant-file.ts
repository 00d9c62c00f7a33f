import { readFileSync } from 'node:fs';
import { type Document, isMap, isNode, LineCounter, parseDocument } from 'yaml';
import { ConfigError, type ConfigFault } from '../../lib/config/config-error.ts';
import { dataOf, nestingFault } from '../../lib/config/plain-yaml.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { checkPlantPatch, type PlantPatch } from './parameters.ts';

/** Reads a file of plant parameters; what it leaves out has its default. @throws ConfigError with all faults, each with its line */
export function readPlantFile(path: string): PlantPatch {
  let source: string;
  try {
    source = readFileSync(path, 'utf8');
  } catch (cause) {
    const message = `cannot be read: ${reasonOf(cause)}; name a file that is there with --plant`;
    throw new ConfigError(path, [{ path: 'file', value: null, message }], cause);
  }
  return parsePlant(source, path);
}

/** @param path used in messages only. @throws ConfigError */
export function parsePlant(source: string, path: string): PlantPatch {
  const tooDeep = nestingFault(source);
  if (tooDeep !== undefined) throw new ConfigError(path, [{ path: 'file', value: null, message: tooDeep }]);
  const lines = new LineCounter();
  const document = parseDocument(source, { lineCounter: lines });
  if (document.errors.length > 0) {
    const faults = document.errors.map((error): ConfigFault => {
      const at = error.linePos?.[0];
      const message = error.message.split('\n')[0]?.replace(/ at line \d.*$/, '') ?? error.code;
      return { path: at ? `line ${at.line}, column ${at.col}` : 'file', value: null, message };
    });
    throw new ConfigError(path, faults);
  }
  const plain = dataOf(document);
  if ('faults' in plain) throw new ConfigError(path, plain.faults);
  const data = plain.data ?? {};
  const checked = checkPlantPatch(data);
  if ('patch' in checked) return checked.patch;
  const faults = checked.faults.map((fault) => {
    const line = lineOf(document, fault.path.split('.'), lines);
    return line === undefined ? fault : { ...fault, path: `line ${line}, ${fault.path}` };
  });
  throw new ConfigError(path, faults);
}

/** Line of a key, or of the value at a place in a list. */
function lineOf(document: Document, path: readonly string[], lines: LineCounter): number | undefined {
  const last = path.at(-1) ?? '';
  const parent = path.length > 1 ? document.getIn(path.slice(0, -1), true) : document.contents;
  const key = isMap(parent)
    ? parent.items.map((pair) => pair.key).find((one) => isNode(one) && String(one) === last)
    : document.getIn(path, true);
  const start = isNode(key) ? key.range?.[0] : undefined;
  return start === undefined ? undefined : lines.linePos(start).line;
}
