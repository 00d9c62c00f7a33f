import { isDeepStrictEqual } from 'node:util';
import { type Document, parseDocument } from 'yaml';
import { messageOf } from '../errors/coded-error.ts';
import { ConfigError } from './config-error.ts';
import { parseConfig, readText } from './read-file.ts';
import { replaceFile } from './replace-file.ts';

/** One value to set. Missing maps on the way are made. */
export interface ConfigEdit {
  /** For example `['sensors', 'ai01', 'calibration', 'due_at']`; a number counts in a list. */
  path: readonly (string | number)[];
  /** What YAML can hold. Undefined takes the key away. */
  value: unknown;
}

/**
 * `svc.yaml` with the values set: comments, order and quoting stay as they are, and the result is what the schema takes.
 * @param source path for messages
 * @throws ConfigError for a text or a result that is no valid configuration; nothing was changed then
 */
export function editConfig(text: string, edits: readonly ConfigEdit[], source: string): string {
  parseConfig(text, source);
  const document = parseDocument(text);
  const wanted: unknown = document.toJS() ?? {};
  for (const { path, value } of edits) {
    try {
      if (value === undefined) document.deleteIn(path);
      else document.setIn(path, value);
    } catch (cause) {
      throw refusal(source, path, value, `cannot be set here: ${messageOf(cause)}; edit the file by hand`);
    }
    put(wanted, path, value);
  }
  const edited = textOf(document, text);
  parseConfig(edited, source);
  // An anchor stands for several places: setting one would silently set the others too.
  const found: unknown = parseDocument(edited).toJS();
  if (!isDeepStrictEqual(found, wanted)) {
    const [{ path, value } = { path: [], value: undefined }] = edits;
    throw refusal(
      source,
      path,
      value,
      'cannot be set alone, for an anchor (&, *) shares it; edit the file by hand',
    );
  }
  return edited;
}

/**
 * Edits the file in place, as a whole or not at all.
 * @throws ConfigError, also when the file cannot be written or somebody else changed it in the meantime
 */
export function changeConfigFile(path: string, edits: readonly ConfigEdit[]): void {
  const text = readText(path);
  const edited = editConfig(text, edits, path);
  if (readText(path) !== text) {
    const message = 'was changed by another program in the meantime; try again';
    throw new ConfigError(path, [{ path: 'file', value: null, message }]);
  }
  try {
    replaceFile(path, edited);
  } catch (cause) {
    const message = `cannot be written: ${messageOf(cause)}; run as an account that may write it and its folder`;
    throw new ConfigError(path, [{ path: 'file', value: null, message }], cause);
  }
}

/** The document as text: no line is folded, line ends stay, and so do the lines in which nothing but blanks would change. */
function textOf(document: Document, text: string): string {
  const original = new Map(text.split(/\r?\n/).map((line) => [withoutBlanks(line), line]));
  const lines = document.toString({ lineWidth: 0 }).split('\n');
  const kept = lines.map((line) => original.get(withoutBlanks(line)) ?? line);
  return kept.join(text.includes('\r\n') ? '\r\n' : '\n');
}

/** A line without what YAML puts in other places: blanks before a comment and inside of braces. */
const withoutBlanks = (line: string): string =>
  line
    .replace(/\s+#/, ' #')
    .replace(/([{[])\s+/g, '$1')
    .replace(/\s+([}\]])/g, '$1')
    .trimEnd();

function put(target: unknown, path: readonly (string | number)[], value: unknown): void {
  const last = path.at(-1);
  let place = target as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) {
    if (typeof place[key] !== 'object' || place[key] === null) place[key] = {};
    place = place[key] as Record<string | number, unknown>;
  }
  if (last === undefined) return;
  if (value === undefined) delete place[last];
  else place[last] = value;
}

function refusal(
  source: string,
  path: readonly (string | number)[],
  value: unknown,
  message: string,
): ConfigError {
  const text = value === undefined ? null : JSON.stringify(value);
  return new ConfigError(source, [{ path: path.join('.'), value: text, message }]);
}
