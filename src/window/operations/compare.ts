import { HASH_THRESHOLD } from '../compare/compare.ts';
import { specialHits } from '../diagnose/scene.ts';
import { readProgram } from '../program/read-program.ts';
import { WindowError } from '../window-error.ts';
import { compareWithProgram, regionDocument, similarityDocument } from './compare-with-program.ts';
import type { WindowContext } from './context.ts';
import { lookAt } from './picture.ts';
import { missingField, type WindowRequest } from './request.ts';

/** Whether an image still shows what a program was made from. @throws WindowError `no_fingerprint` and those of reading */
export async function compareOperation(context: WindowContext, request: WindowRequest): Promise<object> {
  if (request.image === undefined) throw missingField('compare', 'image');
  if (request.file === undefined) throw missingField('compare', 'file');
  const stored = await readProgram(context.access, request.file);
  const picture = await lookAt(context, request.image);
  const comparison = await compareWithProgram(context, stored, picture);
  if (!comparison)
    throw new WindowError(
      'no_fingerprint',
      `program ${stored.path} holds no fingerprint; refresh it with an image first`,
      {
        path: stored.path,
      },
    );
  return {
    ok: true,
    match: comparison.match,
    changed_regions: comparison.changed.map(regionDocument),
    phash_distance: comparison.similarity.phash_distance,
    hash_threshold: HASH_THRESHOLD,
    scene_class: picture.scene,
    reference_phash: stored.program.metadata?.fingerprint?.phash ?? null,
    current_phash: picture.fingerprint.phash,
    similarity: similarityDocument(comparison),
    special_hits: specialHits(picture.features, null),
    vql_program: stored.path,
    image: picture.path,
    skipped: request.skipped,
  };
}
