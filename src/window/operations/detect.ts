import { readImage } from '../image/read-image.ts';
import { speakerFor, type WindowContext } from './context.ts';
import { findElements } from './elements.ts';
import { missingField, type WindowRequest } from './request.ts';

/** Elements of an image. @throws WindowError `component_missing`, `image_not_found`, `image_unreadable`, `path_refused` */
export async function detectOperation(context: WindowContext, request: WindowRequest): Promise<object> {
  if (request.image === undefined) throw missingField('detect', 'image');
  const { path, pixels } = await readImage(context.access, request.image);
  const found = await findElements(context, pixels, speakerFor(context, request), request.ocr);
  return {
    ok: true,
    path,
    width: pixels.width,
    height: pixels.height,
    element_count: found.elements.length,
    by_role: found.byRole,
    elements: found.elements,
    description: found.description,
    skipped: [...request.skipped, ...found.skipped],
  };
}
