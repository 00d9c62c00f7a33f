import type { Pixels } from '../image/pixels.ts';
import { type Candidate, type Scene, sceneOf } from './candidates.ts';
import { containersOf } from './containers.ts';
import { boxFrom, type DetectedElement } from './element.ts';
import { featuresOf } from './features.ts';
import { model } from './model.ts';
import { inReadingOrder } from './order.ts';
import { reduced, reductionOf } from './reduce.ts';
import { roleOf } from './roles.ts';
import { probabilitiesOf } from './score.ts';
import { select } from './select.ts';

/**
 * Finds what a person sees as elements: controls, texts and pictures, and the windows and bars that hold them.
 *
 * The same pixels give the same elements. No two overlap with an IoU above 0.85. The order is that of reading, each
 * element after its parent. An image of more than 12 megapixels is looked at in a half, a third ... of its size.
 */
export function detect(pixels: Pixels): DetectedElement[] {
  if (pixels.width < 2 || pixels.height < 2) return [];
  const factor = reductionOf(pixels);
  if (factor === 1) return detectAt(pixels);
  return detectAt(reduced(pixels, factor)).map((element) => {
    const { x0, y0, x1, y1 } = element.box;
    return { ...element, box: { x0: x0 * factor, y0: y0 * factor, x1: x1 * factor, y1: y1 * factor } };
  });
}

function detectAt(pixels: Pixels): DetectedElement[] {
  const scene = sceneOf(pixels);
  const features = featuresOf(scene);
  const probability = probabilitiesOf(scene, features, model());
  const chosen = select(scene.candidates, probability);
  const elements = chosen.map((i) => ({
    i,
    role: roleOf(features, twinsOf(scene.candidates, i)),
    confidence: probability[i] as number,
    box: boxFrom(scene.candidates[i] as Candidate),
  }));
  const containers = containersOf(scene.candidates, features, chosen);
  return inReadingOrder(
    [...elements, ...containers].map(({ i, role, confidence, box }) => {
      const candidate = scene.candidates[i] as Candidate;
      return {
        role,
        box,
        confidence: Math.round(confidence * 1000) / 1000,
        color: colourOf(scene, candidate),
        source: candidate.kind,
      };
    }),
  );
}

/** Candidates that have the same box as one. */
function twinsOf(candidates: readonly Candidate[], i: number): number[] {
  const one = candidates[i] as Candidate;
  return [...candidates.keys()].filter((j) => {
    const { x0, y0, x1, y1 } = candidates[j] as Candidate;
    return x0 === one.x0 && y0 === one.y0 && x1 === one.x1 && y1 === one.y1;
  });
}

function colourOf({ components, ink, rows, clusters }: Scene, { kind, index }: Candidate): string {
  const groups = kind === 'row' ? rows : clusters;
  let colour: number;
  if (kind === 'box') colour = components.first[index] as number;
  else if (kind === 'frame' || kind === 'blob') colour = ink.colour[index] as number;
  else colour = ink.colour[groups[index]?.largest ?? 0] as number;
  return `#${Math.max(0, colour).toString(16).padStart(6, '0').toUpperCase()}`;
}
