import type { Pixels } from '../image/pixels.ts';
import type { Candidate, Scene } from './candidates.ts';
import { containersOf } from './containers.ts';
import { withDisplays } from './displays.ts';
import { type Box, boxFrom, type DetectedElement, type Role } from './element.ts';
import { featuresOf } from './features.ts';
import { type Model, shippedModel } from './model.ts';
import { inReadingOrder } from './order.ts';
import { usualWork } from './reading.ts';
import { rolesOf } from './roles.ts';
import { judge } from './score.ts';
import { select } from './select.ts';
import { usualScene } from './usual-scene.ts';

/**
 * Finds what a person sees as elements: controls, texts and pictures, and the windows and bars that hold them.
 *
 * The same pixels give the same elements. No two overlap with an IoU above 0.85. The order is that of reading, each
 * element after its parent. An image of a dense display, or of more than 12 megapixels, is looked at in a smaller
 * size.
 */
export function detect(pixels: Pixels, model: Model = shippedModel()): DetectedElement[] {
  return detectAll(pixels, model).elements;
}

/** How many things a picture has beyond the bounds on the work that is done for one: they were not looked at. */
export interface Overlooked {
  /** Parts of long rows that were not joined. */
  rows: number;
  /** Pieces of ink that were not joined with all of their neighbours. */
  crowded: number;
  /** Borders that letters may touch, and surfaces that may be displays. */
  borders: number;
  displays: number;
  /** Elements that were put in order line by line, whatever columns they are in. */
  unordered: number;
}

/** Elements as `detect` finds them, and what was not looked at. */
export function detectAll(
  pixels: Pixels,
  model: Model = shippedModel(),
): { elements: DetectedElement[]; overlooked: Overlooked } {
  if (pixels.width < 2 || pixels.height < 2)
    return { elements: [], overlooked: { rows: 0, crowded: 0, borders: 0, displays: 0, unordered: 0 } };
  const { scene, factor } = usualScene(pixels);
  const scaled = (value: number, most: number) => Math.min(most, Math.round(value * factor));
  const inImage = ({ x0, y0, x1, y1 }: Box): Box => ({
    x0: scaled(x0, pixels.width),
    y0: scaled(y0, pixels.height),
    x1: scaled(x1, pixels.width),
    y1: scaled(y1, pixels.height),
  });
  const elements = elementsOf(scene, model).map((element) => ({ ...element, box: inImage(element.box) }));
  const surfaces = surfacesOf(scene).map(inImage);
  const { elements: all, left } = withDisplays(pixels, elements, surfaces);
  const work = usualWork();
  const ordered = inReadingOrder(all, surfaces, work);
  return {
    elements: ordered,
    overlooked: { ...scene.overlooked, displays: left, unordered: work.unordered },
  };
}

function elementsOf(scene: Scene, model: Model): Omit<DetectedElement, 'parent'>[] {
  const features = featuresOf(scene);
  const { probability, look } = judge(scene, features, model);
  const chosen = select(scene.candidates, probability);
  const roles = rolesOf(scene.candidates, look, chosen, model.roles);
  const elements = chosen.map((i, k) => ({
    i,
    role: roles[k] as Role,
    confidence: probability[i] as number,
    box: boxFrom(scene.candidates[i] as Candidate),
  }));
  const containers = containersOf(scene.candidates, features, chosen, model.containers);
  return [...elements, ...containers].map(({ i, role, confidence, box }) => {
    const candidate = scene.candidates[i] as Candidate;
    return {
      role,
      box,
      confidence: Math.round(confidence * 1000) / 1000,
      color: colourOf(scene, candidate),
      source: candidate.kind,
    };
  });
}

/** Areas that may be tiles or columns: whatever an image has of one colour or within one frame, smaller than itself. */
function surfacesOf({ candidates }: Scene): Box[] {
  return candidates.filter(({ kind }) => kind === 'box' || kind === 'frame').map(boxFrom);
}

function colourOf({ components, ink, rows, clusters }: Scene, { kind, index }: Candidate): string {
  const groups = kind === 'row' ? rows : clusters;
  let colour: number;
  if (kind === 'box') colour = components.first[index] as number;
  else if (kind === 'frame' || kind === 'blob') colour = ink.colour[index] as number;
  else colour = ink.colour[groups[index]?.largest ?? 0] as number;
  return `#${Math.max(0, colour).toString(16).padStart(6, '0').toUpperCase()}`;
}
