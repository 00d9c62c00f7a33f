import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { MAX_SOURCE_BYTES } from '../../scenario/source/decode.ts';
import { CliError } from '../errors/cli-error.ts';
import type { ScenarioSource } from './scenario-source.ts';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file: check the path',
  EISDIR: 'it is a directory: name a file, or check all of them with svcctl validate-dir',
  EACCES: 'permission denied: make it readable for this user',
  ENOTDIR: 'a part of the path is not a directory: check the path',
};

/** An empty file, by name. */
const NOTHING = '/dev/null';

/** @throws CliError `source_unreadable` */
export function readScenarioFile(name: string, cwd: string): ScenarioSource {
  try {
    if (name === '-') return { name: '<stdin>', bytes: readFileSync(0), directory: cwd };
    const path = resolve(cwd, name);
    return { name, bytes: readLimited(path), directory: dirname(path) };
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
    const reason = REASONS[code] ?? messageOf(cause);
    throw new CliError('source_unreadable', `cannot read ${name}: ${reason}`, undefined, { cause });
  }
}

/** The file, or its first bytes when it is too large anyway: the reader refuses it by its size (SCN004). */
export function readLimited(path: string): Uint8Array {
  const fd = openSync(path, 'r');
  try {
    const found = fstatSync(fd);
    if (found.isFile() && found.size <= MAX_SOURCE_BYTES) return readFileSync(fd);
    // A pipe has its writer's end; a device, /dev/zero for one, may have none.
    if (found.isFIFO() || found.isDirectory()) return readFileSync(fd);
    if (!found.isFile() && path !== NOTHING) throw new Error('it is a device: name a file');
    const start = Buffer.alloc(MAX_SOURCE_BYTES + 1);
    return start.subarray(0, readSync(fd, start, 0, start.length, 0));
  } finally {
    closeSync(fd);
  }
}
