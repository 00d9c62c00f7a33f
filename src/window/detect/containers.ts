import type { Candidate } from './candidates.ts';
import { CONTAINER_ROLES, isRoomy } from './classes.ts';
import { areaOf, type Box, boxFrom, overlapOf, type Role, sharedArea } from './element.ts';
import type { Forest } from './forest.ts';

/** Least probability of each; a panel that nobody needs disturbs more than one that is missing. */
const LEAST: Record<(typeof CONTAINER_ROLES)[number], number> = {
  window: 0.3,
  panel: 0.7,
  titlebar: 0.2,
  toolbar: 0.25,
};
/** Two boxes that share more are the same thing. */
const SAME = 0.7;
const INSIDE = 0.9;
const FEWEST_INSIDE = 2;
/** Widest line between a window's body and a bar on it. Pixels. */
const JOINT = 3;

export interface Found {
  /** Index of the candidate. */
  i: number;
  role: Role;
  confidence: number;
  box: Box;
}

/** Windows, bars and panels around the chosen elements. */
export function containersOf(
  candidates: readonly Candidate[],
  features: Float32Array,
  chosen: readonly number[],
  forest: Forest,
): Found[] {
  const found: Found[] = [];
  candidates.forEach((candidate, i) => {
    if (!isRoomy(candidate)) return;
    CONTAINER_ROLES.forEach((role, c) => {
      const confidence = 1 / (1 + Math.exp(-forest.logit(features, i, c)));
      if (confidence >= LEAST[role]) found.push({ i, role, confidence, box: boxFrom(candidate) });
    });
  });
  found.sort((a, b) => b.confidence - a.confidence || a.i - b.i);
  const kept: Found[] = [];
  for (const one of found) {
    const box = candidates[one.i] as Candidate;
    const others = [...chosen, ...kept.map(({ i }) => i)].map((i) => candidates[i] as Candidate);
    if (others.some((other) => overlapOf(box, other) > SAME)) continue;
    const holds = chosen.filter((i) => {
      const inner = candidates[i] as Candidate;
      return areaOf(inner) < areaOf(box) && sharedArea(inner, box) >= INSIDE * areaOf(inner);
    });
    if (holds.length >= (one.role === 'titlebar' ? 1 : FEWEST_INSIDE)) kept.push(one);
  }
  return withBars(
    kept,
    chosen.map((i) => candidates[i] as Candidate),
  );
}

/** A bar that lies on top of a window's body, as wide as it, belongs to the window. */
function withBars(found: readonly Found[], elements: readonly Box[]): Found[] {
  const bars = found.filter(({ role }) => role === 'titlebar' || role === 'toolbar');
  // The lowest bar first, so that the window reaches the next one.
  bars.sort((a, b) => b.box.y1 - a.box.y1 || a.i - b.i);
  const grown: Found[] = [];
  for (const one of found) {
    if (one.role !== 'window') {
      grown.push(one);
      continue;
    }
    let box = one.box;
    for (const { box: bar } of bars) {
      const isOnTop = Math.abs(bar.y1 - box.y0) <= JOINT && bar.y0 < box.y0;
      const isAsWide = Math.abs(bar.x0 - box.x0) <= JOINT && Math.abs(bar.x1 - box.x1) <= JOINT;
      if (isOnTop && isAsWide)
        box = { x0: Math.min(bar.x0, box.x0), y0: bar.y0, x1: Math.max(bar.x1, box.x1), y1: box.y1 };
    }
    const others = [...found.filter((other) => other !== one), ...grown].map((other) => other.box);
    const isTwin = [...others, ...elements].some((other) => overlapOf(other, box) > SAME);
    grown.push(isTwin ? one : { ...one, box });
  }
  return grown;
}
