import type { Box } from '../compare/box.ts';
import type { Pixels } from '../image/pixels.ts';
import { componentMissing, loadSharp } from '../image/sharp.ts';

/** What the detector finds. */
export interface DetectedElement {
  role: string;
  box: Box;
  /** 0..1. */
  confidence: number;
  /** `#RRGGBB`. */
  color: string;
  /** Index of the element around it. */
  parent: number | null;
  /** Which part of the detector has found it. */
  source: string;
}

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
  const place: string = '../detect/detect.ts';
  const { detect } = (await import(place)) as { detect(pixels: Pixels): DetectedElement[] };
  return detect(pixels);
}
