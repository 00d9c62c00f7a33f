import type { Box } from '../compare/box.ts';
import { type Comparison, compareFingerprints, FingerprintFault } from '../compare/compare.ts';
import { fingerprintOf, isSameFingerprint } from '../fingerprint/fingerprint.ts';
import type { Pixels } from '../image/pixels.ts';
import { readImage, readSize } from '../image/read-image.ts';
import { invalid, type StoredProgram } from '../program/read-program.ts';
import { WindowError } from '../window-error.ts';
import type { WindowContext } from './context.ts';
import type { Picture } from './picture.ts';

/** @returns undefined when the program holds no fingerprint. @throws WindowError `program_invalid` */
export async function compareWithProgram(
  context: WindowContext,
  { path, program }: StoredProgram,
  { fingerprint, pixels }: Pick<Picture, 'fingerprint' | 'pixels'>,
): Promise<Comparison | undefined> {
  const before = program.metadata?.fingerprint;
  if (!before) return undefined;
  try {
    const comparison = compareFingerprints(before, fingerprint);
    if (comparison.match || !comparison.similarity.same_size) return comparison;
    const former = await formerPixels(context, program.metadata?.image, before, pixels);
    return former ? compareFingerprints(before, fingerprint, { before: former, after: pixels }) : comparison;
  } catch (thrown) {
    if (thrown instanceof FingerprintFault)
      throw invalid(path, '$.metadata.fingerprint.tiles', 'is not a block map; refresh the program', thrown);
    throw thrown;
  }
}

/** The image of the program while its file still is what the fingerprint was taken of; else undefined. One of another size is not even decoded. */
async function formerPixels(
  context: WindowContext,
  path: string | null | undefined,
  fingerprint: Parameters<typeof isSameFingerprint>[0],
  now: Pixels,
): Promise<Pixels | undefined> {
  if (!path) return undefined;
  try {
    const size = await readSize(context.access, path);
    if (size.width !== now.width || size.height !== now.height) return undefined;
    const { pixels } = await readImage(context.access, path);
    return isSameFingerprint(fingerprint, fingerprintOf(pixels)) ? pixels : undefined;
  } catch (thrown) {
    // It may be gone, or lie where nothing is read any more: then the blocks have to do.
    if (thrown instanceof WindowError) return undefined;
    throw thrown;
  }
}

/** A box as documents show it. */
export function regionDocument({ x0, y0, x1, y1 }: Box) {
  return { bbox: [x0, y0, x1, y1], x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
}

/** The measures of a comparison, as documents show them. */
export function similarityDocument({ match, similarity }: Comparison) {
  return { match, ...similarity };
}
