import { constants } from 'node:fs';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { threadId } from 'node:worker_threads';
import type { Pixels } from '../image/pixels.ts';
import { loadSharp } from '../image/sharp.ts';

const LONGEST_SIDE = 256;
const QUALITY = 80;

export type Thumbnail =
  | { ok: true; path: string; width: number; height: number; jpeg: Buffer }
  | { ok: false; reason: string };

/**
 * A small JPEG of the picture in the service's own folder, by the hash of the image's file: the same image has one
 * thumbnail, wherever it lies.
 */
export async function writeThumbnail(stateDir: string, hash: string, { width, height, data }: Pixels): Promise<Thumbnail> {
  const sharp = await loadSharp();
  if (!sharp) return { ok: false, reason: 'component_missing' };
  const { data: jpeg, info } = await sharp(data, { raw: { width, height, channels: 3 } })
    .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
    .jpeg({ quality: QUALITY })
    .toBuffer({ resolveWithObject: true });
  const folder = join(stateDir, 'thumbnails');
  const path = join(folder, `${hash}.jpg`);
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK);
    const temporary = `${path}.${process.pid}.${threadId}.tmp`;
    await writeFile(temporary, jpeg);
    await rename(temporary, path).catch(async (error) => {
      await rm(temporary, { force: true });
      throw error;
    });
  } catch {
    return { ok: false, reason: 'state_dir_not_writable' };
  }
  return { ok: true, path, width: info.width, height: info.height, jpeg };
}
