import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reasonOf } from '../lib/errors/reason.ts';
import { MANIFEST_NAME, readManifest } from './manifest.ts';
import { SyncError } from './sync-error.ts';

const EXTENSION = /\.[oc]ql$/;

/** A file to import. */
export interface ImportFile {
  readonly id: string;
  /** Name within the folder; undefined when the manifest names a file that is not there. */
  readonly file: string | undefined;
  /** Two files of the folder are for this id. */
  readonly isAmbiguous: boolean;
}

/**
 * The scenario files of a folder, by name. The manifest says which id a file is for; without it, or for a file that it
 * does not name, that is the name without extension.
 * @throws SyncError `folder_unreadable`, `no_scenarios`, `manifest_invalid`
 */
export function importFiles(folder: string): ImportFile[] {
  const names = namesIn(folder);
  const listed = names.includes(MANIFEST_NAME)
    ? readManifest(readText(folder, MANIFEST_NAME), join(folder, MANIFEST_NAME))
    : [];
  const files = names.filter((name) => EXTENSION.test(name));
  if (listed.length === 0 && files.length === 0)
    throw new SyncError('no_scenarios', `no .oql or .cql file in ${folder}; name the folder of an export`);
  const inManifest = new Set(listed.map(({ file }) => file));
  const found = [
    // A name with a folder in it is never one of the folder's own names.
    ...listed.map(({ id, file }) => ({ id, file: files.includes(file) ? file : undefined })),
    ...files
      .filter((file) => !inManifest.has(file))
      .map((file) => ({ id: file.replace(EXTENSION, ''), file })),
  ];
  const filesOf = new Map<string, number>();
  for (const { id } of found) filesOf.set(id, (filesOf.get(id) ?? 0) + 1);
  return found.map((one) => ({ ...one, isAmbiguous: (filesOf.get(one.id) ?? 0) > 1 }));
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (cause) {
    throw unreadable(folder, cause);
  }
}

function readText(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch (cause) {
    throw unreadable(join(folder, name), cause);
  }
}

const unreadable = (path: string, cause: unknown) =>
  new SyncError('folder_unreadable', `cannot read ${path}: ${reasonOf(cause)}`, { cause });
