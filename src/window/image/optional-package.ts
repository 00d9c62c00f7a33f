import { createRequire } from 'node:module';
import { dirname } from 'node:path';

const ABSENT = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_DLOPEN_FAILED']);

/**
 * A package that may be left out of an installation, loaded at first use; undefined when it is not there. The name is
 * no literal, so that no bundler takes the package in: it has native files of its own, and is found in the
 * `node_modules` beside or above the program.
 */
export async function optionalPackage<T>(name: string): Promise<T | undefined> {
  try {
    const loaded = (await import(name)) as { default?: T } & T;
    return loaded.default ?? loaded;
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

/** Whether a package is there to be loaded; nothing of it is run. */
export function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name);
    return true;
  } catch (thrown) {
    if (isAbsent(thrown)) return false;
    throw thrown;
  }
}

/** Folder of an installed package; undefined when it is not there. */
export function packageFolder(name: string): string | undefined {
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

/** A package without its native half says so in words only. */
function isAbsent(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  const { code = '' } = thrown as NodeJS.ErrnoException;
  return ABSENT.has(code) || /Could not load the "sharp" module/.test(thrown.message);
}
