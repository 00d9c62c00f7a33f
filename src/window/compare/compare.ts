import type { BlockMap } from '../fingerprint/block-map.ts';
import type { Fingerprint } from '../fingerprint/fingerprint.ts';
import { hammingDistance } from '../fingerprint/hashes.ts';
import { colorDistance } from '../fingerprint/mean-colors.ts';
import { tilesFromHex } from '../fingerprint/tiles.ts';
import type { Pixels } from '../image/pixels.ts';
import { type Box, joinedBoxes } from './box.ts';
import { changedBlocks } from './changed-blocks.ts';
import { tightened } from './changed-pixels.ts';

/** Bits of 64 by which the hashes of two pictures of one screen may differ. */
export const HASH_THRESHOLD = 10;
/** Levels of 255; a codec that shares colour between pixels shifts the mean of coloured text by up to 5. */
export const COLOR_THRESHOLD = 8;
/** Of one flat colour against another. */
const FLAT_COLOR_THRESHOLD = 2;
/** Range up to which an image is one flat colour, levels. */
const FLAT_RANGE = 8;
export const TILES = 16;

/** Boxes closer than this are one change: letters of a word, lines of a label. Pixels. */
const GAP_X = 10;
const GAP_Y = 7;

export interface Similarity {
  same_size: boolean;
  phash_distance: number;
  dhash_distance: number;
  whash_distance: number;
  color_distance: number;
  color_threshold: number;
  /** Of 16 x 16 tiles; null when the sizes differ. */
  tiles_changed: number | null;
  tiles_total: number;
  /** Share of the image's blocks without a change, 0..1; null when the sizes differ. */
  unchanged_share: number | null;
  /** A hash of one flat colour means nothing: then the colours alone decide. */
  flat: boolean;
}

export interface Comparison {
  match: boolean;
  /** Empty when the sizes differ: then nothing lies where it was. */
  changed: Box[];
  similarity: Similarity;
}

/** The stored fingerprint's blocks cannot be read. */
export class FingerprintFault extends Error {}

/**
 * Whether an image still shows what a fingerprint was taken of (section 3, "compare").
 *
 * @param pixels both images, when that of the fingerprint is still at hand: then changed regions are exact to the pixel
 * @throws FingerprintFault
 */
export function compareFingerprints(
  before: Fingerprint,
  after: Fingerprint,
  pixels?: { before: Pixels; after: Pixels },
): Comparison {
  const [mapBefore, mapAfter] = [tilesFromHex(before.tiles), tilesFromHex(after.tiles)];
  if (!mapBefore || !mapAfter) throw new FingerprintFault('its tiles are not a block map');
  const sameSize = mapBefore.width === mapAfter.width && mapBefore.height === mapAfter.height;
  const blocks = sameSize ? changedBlocks(mapBefore, mapAfter) : undefined;
  const flat = isFlat(mapBefore) && isFlat(mapAfter);
  const similarity: Similarity = {
    same_size: sameSize,
    phash_distance: hammingDistance(before.phash, after.phash),
    dhash_distance: hammingDistance(before.dhash, after.dhash),
    whash_distance: hammingDistance(before.whash, after.whash),
    color_distance: colorDistance(before.color, after.color),
    color_threshold: flat ? FLAT_COLOR_THRESHOLD : COLOR_THRESHOLD,
    tiles_changed: blocks ? changedTiles(blocks.mask, mapAfter) : null,
    tiles_total: TILES * TILES,
    unchanged_share: blocks
      ? round4(1 - blocks.mask.reduce((sum, one) => sum + one, 0) / blocks.mask.length)
      : null,
    flat,
  };
  const hashesAgree =
    flat || (similarity.phash_distance <= HASH_THRESHOLD && similarity.dhash_distance <= HASH_THRESHOLD);
  const colorsAgree = similarity.color_distance <= similarity.color_threshold;
  const match = sameSize && hashesAgree && colorsAgree && similarity.tiles_changed === 0;
  return { match, changed: blocks ? regionsOf(blocks.boxes, mapAfter, match, pixels) : [], similarity };
}

/** A picture that does not match although no part of it stands out has changed everywhere. */
function regionsOf(
  boxes: Box[],
  { width, height, size }: BlockMap,
  match: boolean,
  pixels: { before: Pixels; after: Pixels } | undefined,
): Box[] {
  if (match) return [];
  if (boxes.length === 0) return [{ x0: 0, y0: 0, x1: width, y1: height }];
  const exact = pixels ? tightened(boxes, pixels.before, pixels.after, size) : boxes;
  return joinedBoxes(exact, GAP_X, GAP_Y);
}

function changedTiles(mask: Uint8Array, { columns, rows }: BlockMap): number {
  const tiles = new Set<number>();
  mask.forEach((changed, index) => {
    if (changed === 0) return;
    const x = Math.floor(((index % columns) * TILES) / columns);
    const y = Math.floor((Math.floor(index / columns) * TILES) / rows);
    tiles.add(y * TILES + x);
  });
  return tiles.size;
}

function isFlat({ luma, cb, cr }: BlockMap): boolean {
  return [luma, cb, cr].every((plane) => {
    let [low, high] = [255, 0];
    for (const value of plane) {
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    return high - low <= FLAT_RANGE;
  });
}

const round4 = (value: number) => Math.round(value * 10_000) / 10_000;
