import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';

/** Folders whose `*.test.ts` files make up the whole suite. */
const DEFAULT_FOLDERS = ['test-hil', 'src'];

export interface Selection {
  /** Paths relative to the project's root. */
  files: string[];
  /** Arguments and folders in which no test file was found. */
  empty: string[];
}

/**
 * Test files for the arguments: an existing file, a folder, or else a part of the name of a test file. Without
 * arguments all of them; those that start programs come first, since they wait more than they compute.
 */
export function selectTestFiles(root: string, args: string[]): Selection {
  const all = DEFAULT_FOLDERS.flatMap((folder) => testFilesBelow(join(root, folder))).map((file) =>
    relative(root, file),
  );
  if (args.length === 0) return { files: all, empty: all.length === 0 ? DEFAULT_FOLDERS : [] };

  const found = args.map((arg) => ({ arg, files: filesFor(root, arg, all) }));
  return {
    files: [...new Set(found.flatMap(({ files }) => files))],
    empty: found.filter(({ files }) => files.length === 0).map(({ arg }) => arg),
  };
}

function filesFor(root: string, arg: string, all: string[]): string[] {
  const path = resolve(root, arg);
  if (!existsSync(path)) return all.filter((file) => file.includes(arg));
  if (!statSync(path).isDirectory()) return [relative(root, path)];
  return testFilesBelow(path).map((file) => relative(root, file));
}

function testFilesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => a.name.localeCompare(b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : testFilesBelow(path);
      return entry.name.endsWith('.test.ts') ? [path] : [];
    });
}
