import type { DetectedElement } from '../detect/element.ts';
import type { Pixels } from '../image/pixels.ts';
import { componentMissing, loadSharp } from '../image/sharp.ts';

/** Whether elements can be detected here: the image library is part of the component. */
export async function isDetectorThere(): Promise<boolean> {
  return (await loadSharp()) !== undefined;
}

/** @throws WindowError `component_missing` */
export async function needDetector(use: string): Promise<void> {
  if (!(await isDetectorThere())) throw componentMissing(use);
}

/** @throws WindowError `component_missing` */
export async function detectElements(pixels: Pixels): Promise<DetectedElement[]> {
  await needDetector('detection');
  // At first use: its model takes memory that the other operations do without.
  const { detect } = await import('../detect/detect.ts');
  return detect(pixels);
}
