import type { Candidate, Scene } from './candidates.ts';
import { colourDistance, luminanceOf } from './colours.ts';
import type { SetFeature } from './feature-names.ts';
import { boxOf } from './ink.ts';
import { SurfaceLines } from './surface-lines.ts';
import { isInside, type Root, type Surroundings } from './surroundings.ts';

/** Wider than high by less than this a row inside is an icon or a sign. */
const ICON_ASPECT = 1.6;

/** Features of a surface, a frame or a picture. */
export function boxFeatures(scene: Scene, around: Surroundings, c: Candidate, set: SetFeature): void {
  const { components, ink } = scene;
  const w = c.x1 - c.x0;
  const h = c.y1 - c.y0;
  const isBox = c.kind === 'box';
  const ground = isBox ? (scene.around[c.index] as number) : c.surface;
  const colour = isBox ? (components.first[c.index] as number) : (ink.colour[c.index] as number);
  set('solidity', isBox ? (scene.solidity[c.index] as number) : (ink.area[c.index] as number) / (w * h));
  set('framed', isBox && around.framed.has(c.index) ? 1 : 0);
  if (ground >= 0) {
    const box = boxOf(components, ground);
    set('groundContrast', colourDistance(colour, components.first[ground] as number));
    set('groundWidth', box.x1 - box.x0);
    set('groundHeight', box.y1 - box.y0);
  }
  const fill = isBox ? c.index : around.fillOf.get(c.index);
  if (fill !== undefined) {
    const filling = components.first[fill] as number;
    set('fillLuminance', luminanceOf(filling));
    if (ground >= 0) set('fillContrast', colourDistance(filling, components.first[ground] as number));
  }
  let count = 0;
  let icons = 0;
  let area = 0;
  let tall = 0;
  let gap = 0;
  let contrast = 0;
  let x0 = c.x1;
  let x1 = c.x0;
  let y0 = c.y1;
  let y1 = c.y0;
  around.rootIndex.forEach(c, (i) => {
    const { node, widest } = around.roots[i] as Root;
    if (!isInside(node, c)) return;
    count++;
    const rowWidth = node.x1 - node.x0;
    const rowHeight = node.y1 - node.y0;
    if (rowWidth < ICON_ASPECT * rowHeight) icons++;
    area += rowWidth * rowHeight;
    tall = Math.max(tall, rowHeight);
    gap = Math.max(gap, widest);
    contrast = Math.max(contrast, colourDistance(colour, ink.colour[node.first] as number));
    x0 = Math.min(x0, node.x0);
    x1 = Math.max(x1, node.x1);
    y0 = Math.min(y0, node.y0);
    y1 = Math.max(y1, node.y1);
  });
  set('insideRows', count);
  set('insideShare', area / (w * h));
  set('insideIcons', icons);
  if (count > 0) {
    set('insideLeft', (x0 - c.x0) / h);
    set('insideCentre', Math.abs((x0 + x1) / 2 - (c.x0 + c.x1) / 2) / w);
    set('insideMiddle', Math.abs((y0 + y1) / 2 - (c.y0 + c.y1) / 2) / h);
    set('insideHeight', tall / h);
    set('insideGap', gap);
    set('insideContrast', contrast);
  }
  let surfaces = 0;
  let neighbours = around.surfaceLines.near(c);
  around.surfaceIndex.forEach(c, (i) => {
    const other = around.surfaces[i] as Candidate;
    if (!isInside(other, c)) return;
    if (SurfaceLines.isNear(c, other)) neighbours--;
    if (other !== c) surfaces++;
  });
  set('insideSurfaces', surfaces);
  set('neighbours', neighbours);
}
