import { dominantColors } from '../grid/dominant-colors.ts';
import { gridLayers } from '../grid/grid-layers.ts';
import { buildProgram, LAYER, objectCount } from '../program/build-program.ts';
import { readProgramIfThere, type StoredProgram } from '../program/read-program.ts';
import type { Program } from '../program/schema.ts';
import { WindowError } from '../window-error.ts';
import { compareWithProgram, similarityDocument } from './compare-with-program.ts';
import { speakerFor, type WindowContext } from './context.ts';
import { imageMetadata } from './metadata.ts';
import { lookAt } from './picture.ts';
import { missingField, type WindowRequest } from './request.ts';
import { writeProgram } from './written-program.ts';

/**
 * An image as a grid of colours. Without `file` nothing is written, and the answer holds the program itself.
 *
 * @throws WindowError `blank_image` and those of reading and writing
 */
export async function analyzeOperation(context: WindowContext, request: WindowRequest): Promise<object> {
  if (request.image === undefined) throw missingField('analyze', 'image');
  const { file } = request;
  // Before the work: a file that must not be written is reported at once.
  if (file !== undefined) await context.access.target(file);
  const picture = await lookAt(context, request.image);
  const { pixels, features } = picture;
  if (features.blank)
    throw new WindowError('blank_image', `image ${picture.path} is blank: there is nothing to analyse`, {
      path: picture.path,
    });
  const former = file === undefined ? undefined : await readProgramIfThere(context.access, file);
  const comparison = former && (await compareWithProgram(context, former, picture));
  const isKept = former !== undefined && comparison?.match === true && hasGrid(former, request);
  const metadata = imageMetadata(context, picture, speakerFor(context, request));
  let program: Program;
  if (isKept) program = former.program;
  else {
    program = buildProgram(
      {
        image: picture.path,
        width: pixels.width,
        height: pixels.height,
        background: features.colors.dominant[0]?.color ?? '#FFFFFF',
        layers: gridLayers(pixels, request.grid, request.withGrid),
        metadata: { ...metadata, grid: request.grid, source: 'svc-window analyze' },
      },
      former?.program,
    );
    if (file !== undefined) await writeProgram(context, file, former, program);
  }
  return {
    ok: true,
    program: file === undefined ? null : context.access.absolute(file),
    ...(file === undefined ? { document: program } : {}),
    image: picture.path,
    object_count: objectCount(program),
    dominant_colors: dominantColors(program),
    fingerprint: metadata.fingerprint,
    special_hits: metadata.special_hits,
    scene_class: metadata.scene_class,
    similarity: comparison ? similarityDocument(comparison) : null,
    scene: { width: pixels.width, height: pixels.height },
    image_stats: features,
    skipped_adopt: isKept,
    recommendation: metadata.llm_hint.recommendation,
    skipped: request.skipped,
  };
}

function hasGrid({ program }: StoredProgram, { grid, withGrid }: WindowRequest): boolean {
  const layers = program.scene.layers.map(({ id }) => id);
  return (
    program.metadata?.grid === grid &&
    layers.includes(LAYER.regions) &&
    layers.includes(LAYER.cells) === withGrid
  );
}
