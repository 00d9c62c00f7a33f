import { gridLayers } from '../grid/grid-layers.ts';
import { buildProgram, LAYER, objectCount, rectangle } from '../program/build-program.ts';
import { readProgramIfThere } from '../program/read-program.ts';
import type { Layer, Relation } from '../program/schema.ts';
import { speakerFor, type WindowContext } from './context.ts';
import { type ElementDocument, findElements } from './elements.ts';
import { imageMetadata } from './metadata.ts';
import { lookAt } from './picture.ts';
import { DEFAULT_FILE, missingField, type WindowRequest } from './request.ts';
import { writeProgram } from './written-program.ts';

/** Elements of an image as a program. @throws WindowError `component_missing` and those of reading and writing */
export async function adoptOperation(context: WindowContext, request: WindowRequest): Promise<object> {
  if (request.image === undefined) throw missingField('adopt', 'image');
  const file = request.file ?? DEFAULT_FILE;
  await context.access.target(file);
  const former = await readProgramIfThere(context.access, file);
  const picture = await lookAt(context, request.image);
  const { pixels, features } = picture;
  const speaker = speakerFor(context, request);
  const found = await findElements(context, pixels, speaker, request.ocr);
  const metadata = imageMetadata(context, picture, speaker);
  const grid = request.withGrid ? gridLayers(pixels, request.grid, false) : [];
  const program = buildProgram(
    {
      image: picture.path,
      width: pixels.width,
      height: pixels.height,
      background: features.colors.dominant[0]?.color ?? '#FFFFFF',
      layers: [...grid, elementLayer(found.elements)],
      relations: containment(found.elements),
      metadata: { ...metadata, grid: request.withGrid ? request.grid : null, source: 'svc-window adopt' },
    },
    former?.program,
  );
  await writeProgram(context, file, former, program);
  const { app = null, url = null, width, height, layers } = program.scene;
  return {
    ok: true,
    path: picture.path,
    program: context.access.absolute(file),
    element_count: found.elements.length,
    by_role: found.byRole,
    description: found.description,
    elements: found.elements,
    object_count: objectCount(program),
    scene: {
      width,
      height,
      app,
      url,
      layers: layers.map(({ id, objects }) => ({ id, objects: objects.length })),
    },
    fingerprint: metadata.fingerprint,
    scene_class: metadata.scene_class,
    llm_hint: metadata.llm_hint,
    skipped: [...request.skipped, ...found.skipped],
  };
}

function elementLayer(elements: readonly ElementDocument[]): Layer {
  const objects = elements.map(
    ({ id, role, bbox: [x0, y0, x1, y1], color, label, text, confidence, metadata }) =>
      rectangle(
        id,
        { x0, y0, x1, y1 },
        { color, fill: true, stroke_width: 0 },
        { role, label, text, confidence, ...metadata },
      ),
  );
  return { id: LAYER.elements, visible: true, objects };
}

/** Of direct parents only: the rest follows. */
function containment(elements: readonly ElementDocument[]): Relation[] {
  return elements.flatMap(({ id, parent }) =>
    parent === null ? [] : [{ kind: 'contains', source: parent, target: id, args: {} }],
  );
}
