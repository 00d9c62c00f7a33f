import type { Pixels } from '../image/pixels.ts';
import { type BlockMap, blockMapOf } from './block-map.ts';
import { greyOf } from './grey.ts';
import { dHash, pHash, wHash } from './hashes.ts';
import { meanColors } from './mean-colors.ts';
import { tilesToHex } from './tiles.ts';

/** What is kept of an image to know it again; all hex. */
export interface Fingerprint {
  phash: string;
  dhash: string;
  whash: string;
  /** Mean colours of a 4 x 4 grid. */
  color: string;
  /** Means of small blocks (`tiles.ts`). */
  tiles: string;
}

/** @param map the picture's own, when it is at hand */
export function fingerprintOf(pixels: Pixels, map: BlockMap = blockMapOf(pixels)): Fingerprint {
  const grey = greyOf(pixels);
  return {
    phash: pHash(grey),
    dhash: dHash(grey),
    whash: wHash(grey),
    color: meanColors(pixels),
    tiles: tilesToHex(map),
  };
}

export function isSameFingerprint(one: Fingerprint, other: Fingerprint): boolean {
  return (['phash', 'dhash', 'whash', 'color', 'tiles'] as const).every((part) => one[part] === other[part]);
}
