import { dominantColors } from '../grid/dominant-colors.ts';
import { objectCount } from '../program/build-program.ts';
import { readProgram } from '../program/read-program.ts';
import { similarityDocument } from './compare-with-program.ts';
import type { WindowContext } from './context.ts';
import { refreshProgram } from './refresh.ts';
import { missingField, type WindowRequest } from './request.ts';

/** What a program holds; with `live` after a refresh, which must succeed. */
export async function summaryOperation(context: WindowContext, request: WindowRequest): Promise<object> {
  if (request.file === undefined) throw missingField('summary', 'file');
  const stored = await readProgram(context.access, request.file);
  const image = request.image ?? stored.program.metadata?.image ?? undefined;
  if (request.live && image === undefined)
    throw missingField('summary with live, of a program without an image,', 'image');
  const refreshed =
    request.live && image !== undefined ? await refreshProgram(context, stored, image, request) : undefined;
  const program = refreshed?.program ?? stored.program;
  const { scene } = program;
  const metadata = program.metadata ?? {};
  return {
    ok: true,
    file: stored.path,
    scene: {
      width: scene.width,
      height: scene.height,
      app: scene.app ?? null,
      url: scene.url ?? null,
      layers: scene.layers.map(({ id, objects }) => ({ id, objects: objects.length })),
    },
    object_count: objectCount(program),
    dominant_colors: dominantColors(program),
    fingerprint: metadata.fingerprint ?? null,
    special_hits: metadata.special_hits ?? null,
    scene_class: metadata.scene_class ?? null,
    llm_hint: metadata.llm_hint ?? null,
    similarity: refreshed?.comparison ? similarityDocument(refreshed.comparison) : null,
    diagnose_recommendation: metadata.recommendation ?? null,
    diagnosed_at: metadata.diagnosed_at ?? null,
    image: metadata.image ?? null,
    analyzed_at: metadata.analyzed_at ?? null,
    refreshed: refreshed !== undefined,
    skipped: request.skipped,
  };
}
