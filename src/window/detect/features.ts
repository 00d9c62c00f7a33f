import { boxFeatures } from './box-features.ts';
import type { Candidate, Scene } from './candidates.ts';
import { colourDistance, luminanceOf } from './colours.ts';
import { COLUMN, FAR, FEATURE_COUNT, type SetFeature } from './feature-names.ts';
import { boxOf } from './ink.ts';
import { rowFeatures } from './row-features.ts';
import { type Surroundings, surroundingsOf } from './surroundings.ts';

export { FEATURE_COUNT, FEATURES } from './feature-names.ts';

const KINDS = { row: 0, box: 1, frame: 2, blob: 3, cluster: 4 } as const;

/** One row of FEATURE_COUNT numbers for each candidate; -1 where a feature says nothing of it. */
export function featuresOf(scene: Scene): Float32Array {
  const { candidates, width, height } = scene;
  const surroundings = surroundingsOf(scene);
  const sizes = new Map<number, number>();
  const heights = new Map<number, number>();
  const sizeKey = (c: Candidate) =>
    (KINDS[c.kind] * 4096 + ((c.x1 - c.x0) >> 1)) * 4096 + ((c.y1 - c.y0) >> 1);
  const rowKey = (c: Candidate) => (KINDS[c.kind] * 4096 + (c.y0 >> 1)) * 4096 + ((c.y1 - c.y0) >> 1);
  for (const c of candidates) {
    sizes.set(sizeKey(c), (sizes.get(sizeKey(c)) ?? 0) + 1);
    heights.set(rowKey(c), (heights.get(rowKey(c)) ?? 0) + 1);
  }
  const table = new Float32Array(candidates.length * FEATURE_COUNT).fill(-1);
  let base = 0;
  const set: SetFeature = (name, value) => {
    table[base + COLUMN[name]] = value;
  };
  for (const c of candidates) {
    const w = c.x1 - c.x0;
    const h = c.y1 - c.y0;
    set('kind', KINDS[c.kind]);
    set('width', w);
    set('height', h);
    set('aspect', w / h);
    set('edge', c.x0 <= 1 || c.y0 <= 1 || c.x1 >= width - 1 || c.y1 >= height - 1 ? 1 : 0);
    set('sameSize', sizes.get(sizeKey(c)) ?? 0);
    set('sameRow', heights.get(rowKey(c)) ?? 0);
    const surface = c.kind === 'box' ? c.index : c.surface;
    if (surface >= 0) surfaceFeatures(scene, surroundings, c, surface, set);
    if (c.kind === 'row' || c.kind === 'cluster') rowFeatures(scene, surroundings, c, set);
    else boxFeatures(scene, surroundings, c, set);
    base += FEATURE_COUNT;
  }
  return table;
}

function surfaceFeatures(
  { components, around, solidity, width, height }: Scene,
  { rootsOn, framed }: Surroundings,
  c: Candidate,
  surface: number,
  set: SetFeature,
): void {
  const box = boxOf(components, surface);
  const h = c.y1 - c.y0;
  const sw = box.x1 - box.x0;
  const sh = box.y1 - box.y0;
  const colour = components.first[surface] as number;
  const behind = around[surface] as number;
  set('surfaceWidth', sw);
  set('surfaceHeight', sh);
  set('marginLeft', Math.min(FAR, (c.x0 - box.x0) / h));
  set('marginRight', Math.min(FAR, (box.x1 - c.x1) / h));
  set('marginTop', Math.min(FAR, (c.y0 - box.y0) / h));
  set('marginBottom', Math.min(FAR, (box.y1 - c.y1) / h));
  set('surfaceSolidity', solidity[surface] as number);
  set('surfaceContrast', behind < 0 ? -1 : colourDistance(colour, components.first[behind] as number));
  set('surfaceRows', rootsOn.get(surface) ?? 0);
  set('surfaceShare', ((c.x1 - c.x0) * h) / (sw * sh));
  set('surfaceFramed', framed.has(surface) ? 1 : 0);
  set('surfaceLuminance', luminanceOf(colour));
  set('square', components.square[surface] as number);
  set(
    'surfaceSides',
    (box.x0 <= 0 ? 1 : 0) + (box.y0 <= 0 ? 1 : 0) + (box.x1 >= width ? 1 : 0) + (box.y1 >= height ? 1 : 0),
  );
}
