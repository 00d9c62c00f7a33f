import { isDeepStrictEqual } from 'node:util';
import { parseDocument } from 'yaml';
import { ConfigError } from '../../lib/config/config-error.ts';
import { splice } from '../../lib/config/splice.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { replaceFile } from '../../lib/files/replace-file.ts';
import { type ConfigWriter, withConfigLock } from './config-lock.ts';
import { parseConfig, readConfigText } from './read-file.ts';

/** One value to set. Missing maps on the way are made. */
export interface ConfigEdit {
  /** For example `['sensors', 'ai01', 'calibration', 'due_at']`; a number counts in a list. */
  path: readonly (string | number)[];
  /** What YAML can hold; undefined removes the key. */
  value: unknown;
}

/**
 * `svc.yaml` with the values set: comments, order, quoting and blanks stay as they are wherever a value can be put in
 * its place, and the result is what the schema takes.
 * @param source path for messages
 * @throws ConfigError for a text or a result that is no valid configuration; nothing was changed then
 */
export function editConfig(text: string, edits: readonly ConfigEdit[], source: string): string {
  parseConfig(text, source);
  let edited = text;
  for (const edit of edits) {
    const wanted = put(plainOf(edited), edit);
    const spliced = edit.value === undefined ? undefined : splice(edited, edit.path, edit.value);
    const isWanted = (result: string) => isDeepStrictEqual(plainOf(result), wanted);
    edited = spliced !== undefined && isWanted(spliced) ? spliced : rewritten(edited, edit, source);
    // An anchor stands for several places: setting one would silently set the others too.
    if (!isWanted(edited))
      throw refusal(
        source,
        edit,
        'cannot be set alone, for an anchor (&, *) shares it; edit the file by hand',
      );
  }
  parseConfig(edited, source);
  return edited;
}

/**
 * Edits the file in place, as a whole or not at all, while no other program of ours does.
 * @throws ConfigError, also when the file cannot be written or another program changed it in the meantime; LockError
 */
export async function changeConfigFile(
  path: string,
  edits: readonly ConfigEdit[],
  writer: ConfigWriter,
): Promise<void> {
  await withConfigLock(path, writer, () => {
    const text = readConfigText(path);
    const edited = editConfig(text, edits, path);
    if (readConfigText(path) !== text) {
      const message = 'was changed by another program in the meantime; try again';
      throw new ConfigError(path, [{ path: 'file', value: null, message }]);
    }
    try {
      replaceFile(path, edited);
    } catch (cause) {
      const message = `cannot be written: ${reasonOf(cause)}; run as an account that may write it and its folder`;
      throw new ConfigError(path, [{ path: 'file', value: null, message }], cause);
    }
  });
}

/** The whole text written anew, where a value cannot be put in its place: comments and order stay, blanks may not. */
function rewritten(text: string, edit: ConfigEdit, source: string): string {
  const document = parseDocument(text);
  try {
    if (edit.value === undefined) document.deleteIn(edit.path);
    else document.setIn(edit.path, edit.value);
  } catch (cause) {
    throw refusal(source, edit, `cannot be set here: ${messageOf(cause)}; edit the file by hand`);
  }
  const printed = document.toString({ lineWidth: 0 });
  return text.includes('\r\n') ? printed.replaceAll('\n', '\r\n') : printed;
}

/** A copy without anything shared. */
const plainOf = (text: string): unknown => JSON.parse(JSON.stringify(parseDocument(text).toJS() ?? {}));

function put(target: unknown, { path, value }: ConfigEdit): unknown {
  const last = path.at(-1);
  let place = target as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) {
    if (typeof place[key] !== 'object' || place[key] === null) place[key] = {};
    place = place[key] as Record<string | number, unknown>;
  }
  if (last !== undefined && value === undefined) delete place[last];
  else if (last !== undefined) place[last] = JSON.parse(JSON.stringify(value));
  return target;
}

function refusal(source: string, { path, value }: ConfigEdit, message: string): ConfigError {
  return new ConfigError(source, [{ path: path.join('.'), value: JSON.stringify(value), message }]);
}
