import { middleOf } from './box-index.ts';
import type { Candidate, Scene } from './candidates.ts';
import { colourDistance, luminanceOf, saturationOf } from './colours.ts';
import type { Box } from './element.ts';
import { FAR, type SetFeature } from './feature-names.ts';
import { stepsOver } from './pitch.ts';
import { membersOf, type RowNode } from './rows.ts';
import { neighboursOf, type Surroundings } from './surroundings.ts';
import type { Underline } from './underlines.ts';

/** Two colours that differ more are not of one text. */
const OTHER_COLOUR = 60;

/** Features of a group of ink: letters of a row, strokes of an icon. */
export function rowFeatures(scene: Scene, around: Surroundings, c: Candidate, set: SetFeature): void {
  const { ink, rows, clusters, components } = scene;
  const node = (c.kind === 'row' ? rows : clusters)[c.index] as RowNode;
  const w = c.x1 - c.x0;
  const h = c.y1 - c.y0;
  const colour = colourOf(scene, node);
  const members = membersOf(rows, node);
  const heights = new Float64Array(members.length);
  const feet = new Float64Array(members.length);
  let area = 0;
  let others = 0;
  members.forEach((l, i) => {
    heights[i] = (ink.y1[l] as number) - (ink.y0[l] as number);
    feet[i] = ink.y1[l] as number;
    area += ink.area[l] as number;
    if (colourDistance(colour, ink.colour[l] as number) > OTHER_COLOUR) others++;
  });
  heights.sort();
  feet.sort();
  const median = heights[heights.length >> 1] as number;
  const tallest = heights.at(-1) as number;
  const unit = Math.max(4, heights[Math.floor(heights.length * 0.8)] as number);
  set('members', members.length);
  set('membersPerHeight', members.length / (w / unit));
  set('gapInside', node.gapInside / unit);
  set('gapOutside', Math.min(FAR, node.gapOutside / unit));
  set('gapRatio', Math.min(FAR, node.gapOutside / Math.max(1, node.gapInside)));
  set('medianHeight', median);
  set('heightSpread', tallest / Math.max(1, median));
  set('tallest', tallest);
  set(
    'footSpread',
    ((feet[Math.floor(feet.length * 0.8)] as number) - (feet[feet.length >> 1] as number)) / unit,
  );
  set('density', area / (w * h));
  set('contrast', c.surface < 0 ? -1 : colourDistance(colour, components.first[c.surface] as number));
  set('saturation', saturationOf(colour));
  set('inkLuminance', luminanceOf(colour));
  set('colours', others / members.length);
  set('usualColour', colourDistance(colour, around.usualColour));
  underlineFeatures(scene, around, c, set);
  ruleFeatures(around, c, set);
  rootFeatures(around, c, node, set);
  if (c.kind === 'row') linkageFeatures(scene, around, c, node, unit, colour, set);
  set('startsHere', around.starts[c.x0] as number);
  set('endsHere', around.ends[c.x1] as number);
  const { above, aboveNode, below, belowNode } = neighboursOf(around, c, unit);
  set('above', above);
  set('below', below);
  if (aboveNode) {
    set('aboveStep', Math.min(FAR, Math.abs(aboveNode.x0 - c.x0) / unit));
    set('aboveColour', colourDistance(colour, colourOf(scene, aboveNode)));
  }
  if (belowNode) {
    set('belowStep', Math.min(FAR, Math.abs(belowNode.x0 - c.x0) / unit));
    set('belowColour', colourDistance(colour, colourOf(scene, belowNode)));
  }
}

/** How it hangs together, and with what it would be joined next. */
function linkageFeatures(
  scene: Scene,
  around: Surroundings,
  c: Candidate,
  node: RowNode,
  unit: number,
  colour: number,
  set: SetFeature,
): void {
  const { rows } = scene;
  set('isRoot', node.parent < 0 ? 1 : 0);
  set('depth', around.depth[c.index] as number);
  set('river', around.river[c.index] as number);
  const pitch = around.rootOf.get(around.root[c.index] as number)?.pitch;
  const steps = (one: RowNode, two: RowNode) => (pitch ? Math.min(FAR, stepsOver(pitch, one.x1, two.x0)) : 0);
  if (node.children.length === 2) {
    const [one, two] = sides(rows, node);
    set('gapSteps', steps(one, two));
    set('gapSecond', Math.max(one.gapInside, two.gapInside) / unit);
    set('colourStep', colourDistance(colourOf(scene, one), colourOf(scene, two)));
    set('heightStep', (one.y1 - one.y0) / (two.y1 - two.y0));
    set('childShare', Math.min(one.count, two.count) / node.count);
    set('splitStarts', (around.starts[two.x0] as number) + (around.ends[one.x1] as number));
  }
  const parent = rows[node.parent];
  if (parent) {
    const sibling = rows[node.sibling] as RowNode;
    const [one, two] = node.x0 <= sibling.x0 ? [node, sibling] : [sibling, node];
    set('parentGapSteps', steps(one, two));
    set('parentGrowth', (parent.x1 - parent.x0) / (c.x1 - c.x0));
    set('siblingColour', colourDistance(colour, colourOf(scene, sibling)));
    set('siblingHeight', (sibling.y1 - sibling.y0) / (c.y1 - c.y0));
    set('isLeft', one === node ? 1 : 0);
    set('parentRiver', around.river[node.parent] as number);
    set('parentSplitStarts', (around.starts[two.x0] as number) + (around.ends[one.x1] as number));
  }
}

/** The whole row that it is of; a cluster may be a part of one too, and is then no icon. */
function rootFeatures(around: Surroundings, c: Candidate, node: RowNode, set: SetFeature): void {
  const own = c.kind === 'row' ? c.index : around.nodeOfInk.get(node.largest);
  const root = around.rootOf.get(own === undefined ? -1 : (around.root[own] as number));
  if (!root) return;
  set('rootWidth', (root.node.x1 - root.node.x0) / (c.x1 - c.x0));
  set('rootGap', Math.min(FAR, root.widest));
  set('rootHoles', root.holes);
  set('rootMembers', root.node.count);
  set('pitchSpread', root.pitch.spread);
}

const sides = (rows: readonly RowNode[], { children }: RowNode): [RowNode, RowNode] => {
  const one = rows[children[0] as number] as RowNode;
  const two = rows[children[1] as number] as RowNode;
  return one.x0 <= two.x0 ? [one, two] : [two, one];
};

const BELOW = 0.4;

/** Share of it that is underlined, and how well one underline fits it from end to end. */
function underlineFeatures(
  { underlines }: Scene,
  { underlineIndex }: Surroundings,
  c: Candidate,
  set: SetFeature,
): void {
  const h = c.y1 - c.y0;
  let covered = 0;
  let fit = 0;
  const area = { x0: c.x0, x1: c.x1, y0: c.y0 + h * 0.5, y1: c.y1 + Math.max(3, BELOW * h) };
  underlineIndex.forEach({ ...area, y1: area.y1 + 1 }, (i) => {
    const line = underlines[i] as Underline;
    if (line.x1 <= c.x0 || line.x0 >= c.x1 || line.y < area.y0 || line.y > area.y1) return;
    const shared = Math.min(line.x1, c.x1) - Math.max(line.x0, c.x0);
    covered += shared;
    fit = Math.max(fit, shared / (Math.max(line.x1, c.x1) - Math.min(line.x0, c.x0)));
  });
  set('underlined', Math.min(1, covered / (c.x1 - c.x0)));
  set('underlineFit', fit);
}

/** Rules farther below than so many heights belong to something else. */
const FAR_BELOW = 2.5;
/** Share of it that stands over a rule. */
const OVER = 0.8;

/** The nearest rule that it stands over, as tabs and heads of tables do, and how much of that rule is its own. */
function ruleFeatures({ rules, ruleIndex }: Surroundings, c: Candidate, set: SetFeature): void {
  const w = c.x1 - c.x0;
  let nearest = FAR_BELOW * (c.y1 - c.y0);
  let own = rules.length;
  ruleIndex.forEach({ ...middleOf(c), y0: c.y1, y1: c.y1 + nearest + 1 }, (i) => {
    const { x0, x1, y0 } = rules[i] as Box;
    const distance = y0 - c.y1;
    if (distance < 0 || distance > nearest || (distance === nearest && i > own)) return;
    if (distance === nearest && own === rules.length) return;
    if (Math.min(x1, c.x1) - Math.max(x0, c.x0) < OVER * w) return;
    nearest = distance;
    own = i;
  });
  const rule = rules[own];
  if (!rule) return;
  set('ruleBelow', nearest / (c.y1 - c.y0));
  set('ruleFit', w / (rule.x1 - rule.x0));
}

/** Colour of its largest piece of ink, 0xRRGGBB. */
const colourOf = ({ ink }: Scene, { largest }: RowNode): number => ink.colour[largest] as number;
