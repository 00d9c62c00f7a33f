import { accessSync, constants, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { usageError } from '../errors/cli-error.ts';

/**
 * Refuses an output file that could not be written, before anything is done whose result it should hold.
 * @throws CliError exit code 2
 */
export function requireWritable(option: string, path: string): void {
  const directory = dirname(path);
  if (!isDirectory(directory))
    throw usageError(`${option} ${path}: there is no directory ${directory}: create it first`);
  if (isDirectory(path)) throw usageError(`${option} ${path} is a directory: name a file in it`);
  try {
    accessSync(directory, constants.W_OK);
  } catch {
    throw usageError(`${option} ${path}: the directory ${directory} cannot be written: choose another one`);
  }
}

function isDirectory(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
