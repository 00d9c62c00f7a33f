import type { DetectedElement } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';

/** Elements of a picture. It needs no package: only images that are no PNG need one to be decoded. */
export async function detectElements(pixels: Pixels): Promise<DetectedElement[]> {
  // At first use: its model takes memory that the other operations do without.
  const { detect } = await import('../detect/detect.ts');
  return detect(pixels);
}
