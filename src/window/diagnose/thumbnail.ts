import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { threadId } from 'node:worker_threads';
import type { Pixels } from '../image/pixels.ts';
import { loadSharp } from '../image/sharp.ts';

const LONGEST_SIDE = 256;
const QUALITY = 80;

export interface Thumbnail {
  jpeg: Uint8Array;
  /** null: the folder cannot be written. */
  path: string | null;
}

/**
 * A small JPEG of the picture in the service's own folder, by the hash of the image's file: the same image has one
 * thumbnail, wherever it lies. Undefined without the image library.
 */
export async function writeThumbnail(
  stateDir: string,
  hash: string,
  { width, height, data }: Pixels,
): Promise<Thumbnail | undefined> {
  const sharp = await loadSharp();
  if (!sharp) return undefined;
  const jpeg = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: QUALITY })
    .toBuffer();
  const folder = join(stateDir, 'thumbnails');
  const path = join(folder, `${hash}.jpg`);
  const temporary = `${path}.${process.pid}.${threadId}.tmp`;
  try {
    await mkdir(folder, { recursive: true });
    await writeFile(temporary, jpeg);
    await rename(temporary, path);
    return { jpeg, path };
  } catch {
    await rm(temporary, { force: true }).catch(() => {});
    return { jpeg, path: null };
  }
}
