import { readFileSync, statSync } from 'node:fs';
import { reasonOf } from '../errors/reason.ts';
import { ConfigError } from './config-error.ts';

/** An empty configuration, by name. */
const NO_FILE = '/dev/null';
const MAX_BYTES = 1024 * 1024;

/**
 * The text of a configuration file: UTF-8, a regular file or /dev/null, at most 1 MiB.
 * @param remedy what a person may do about a file that cannot be read
 * @throws ConfigError
 */
export function readText(path: string, remedy: string): string {
  const fault = (message: string) => [{ path: 'file', value: null, message }];
  let bytes: Uint8Array;
  try {
    const found = statSync(path);
    // What never ends, or waits for a writer, would keep the service from its refusal.
    if (!found.isFile() && path !== NO_FILE) throw new Error('it is not a regular file');
    if (found.size > MAX_BYTES) throw new Error(`it is larger than ${MAX_BYTES} bytes`);
    bytes = readFileSync(path);
  } catch (cause) {
    throw new ConfigError(path, fault(`cannot be read: ${reasonOf(cause)}; ${remedy}`), cause);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new ConfigError(path, fault('is not UTF-8 text; save it as UTF-8'), cause);
  }
}
