import type { Pixels } from '../image/pixels.ts';
import { sceneOf } from './candidates.ts';
import { detect } from './detect.ts';
import type { Box } from './element.ts';
import { featuresOf } from './features.ts';
import { boxOf } from './ink.ts';
import { shippedModel } from './model.ts';
import { judge } from './score.ts';

/** What one stage of the detector has found, ready to be drawn over the image. */
export interface Stage {
  name: string;
  boxes: Box[];
  /** One for each box. */
  labels: string[];
}

/** The stages from pixels to elements, for a person who wants to see why an element was found or missed. */
export function* stages(pixels: Pixels): Generator<Stage> {
  const scene = sceneOf(pixels);
  const { components, isSurface, ink, isLine, underlines, rows, candidates } = scene;
  const surfaces = [...isSurface.keys()].filter((l) => isSurface[l]);
  yield { name: 'surfaces', boxes: surfaces.map((l) => boxOf(components, l)), labels: surfaces.map(String) };
  const inks = Array.from({ length: ink.count }, (_, l) => l);
  yield {
    name: 'ink',
    boxes: inks.map((l) => boxOf(ink, l)),
    labels: inks.map((l) => (isLine[l] ? 'line' : '')),
  };
  yield {
    name: 'underlines',
    boxes: underlines.map(({ x0, x1, y }) => ({ x0, y0: y, x1, y1: y + 1 })),
    labels: underlines.map(() => ''),
  };
  const lines = rows.filter(({ parent }) => parent < 0);
  yield { name: 'rows', boxes: lines, labels: lines.map(({ count }) => `${count}`) };
  const { probability } = judge(scene, featuresOf(scene), shippedModel());
  const likely = [...candidates.keys()].filter((i) => (probability[i] as number) >= 0.2);
  yield {
    name: 'candidates',
    boxes: likely.map((i) => candidates[i] as Box),
    labels: likely.map((i) => `${candidates[i]?.kind} ${(probability[i] as number).toFixed(2)}`),
  };
  const elements = detect(pixels);
  yield { name: 'elements', boxes: elements.map(({ box }) => box), labels: elements.map(({ role }) => role) };
}
