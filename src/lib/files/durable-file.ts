import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import process from 'node:process';

let written = 0;

/**
 * Puts a file in place as a whole and on the disk, without holding up this process: a reader sees the old text or the new
 * one, also after a power cut. Mode 0644. @throws NodeJS.ErrnoException
 */
export async function writeDurably(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.${written++}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o644);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (fault) {
    await rm(temporary, { force: true });
    throw fault;
  }
  await syncFolder(dirname(path));
}

/** Removes a file so that it is gone after a power cut too; one that is not there is no error. @throws NodeJS.ErrnoException */
export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true }).catch((fault: NodeJS.ErrnoException) => {
    // Its folder is none.
    if (fault.code !== 'ENOTDIR') throw fault;
  });
  await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r').catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === 'ENOENT') return undefined;
    throw fault;
  });
  try {
    await folder?.sync();
  } finally {
    await folder?.close();
  }
}
