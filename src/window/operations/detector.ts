import type { Overlooked } from '../detect/detect.ts';
import type { DetectedElement } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';

/** Elements of a picture. It needs no package: only images that are no PNG need one to be decoded. */
export async function detectElements(
  pixels: Pixels,
): Promise<{ elements: DetectedElement[]; overlooked: Overlooked }> {
  // At first use: its model takes memory that the other operations do without.
  const { detectAll } = await import('../detect/detect.ts');
  return detectAll(pixels);
}
