import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs';
import process from 'node:process';

/** Writes a JSON file as a whole. @throws NodeJS.ErrnoException */
export function writeStateFile(path: string, content: object): void {
  writeWhole(path, `${JSON.stringify(content)}\n`);
}

/**
 * Puts a file in place as a whole, on the disk, or not at all: a reader sees the old one or the new one, also after a power
 * cut. @throws NodeJS.ErrnoException
 */
export function writeWhole(path: string, text: string): void {
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    const file = openSync(temporary, 'w');
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(temporary, path);
  } catch (fault) {
    rmSync(temporary, { force: true });
    throw fault;
  }
}

/** What is in the file; undefined when it is not there, cannot be read or is not a JSON object. */
export function readStateFile(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}
