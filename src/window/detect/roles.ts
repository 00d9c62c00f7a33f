import { around, BoxIndex } from './box-index.ts';
import type { Candidate } from './candidates.ts';
import { LEARNED_ROLES } from './classes.ts';
import type { Role } from './element.ts';
import type { Forest } from './forest.ts';
import type { SecondLook } from './score.ts';

/** What stands in one line or column and is as large differs by no more than this. Pixels. */
const SAME = 2;
/** Widest gap between two of a line or column, by their size in its direction. */
const APART = 1.5;

/**
 * Roles of the elements that were chosen. For each counts the surest answer of all candidates that have its box, and as much what
 * is said of those of its size that it forms a line or a column with: keys of a tool bar are of one role.
 */
export function rolesOf(
  candidates: readonly Candidate[],
  { alive, rows }: SecondLook,
  chosen: readonly number[],
  forest: Forest,
): Role[] {
  const rowsOf = new Map<string, number[]>();
  alive.forEach((i, a) => {
    const key = placeOf(candidates[i] as Candidate);
    rowsOf.set(key, [...(rowsOf.get(key) ?? []), a]);
  });
  const boxes = chosen.map((i) => candidates[i] as Candidate);
  const answers = boxes.map((box) =>
    LEARNED_ROLES.map((_, c) =>
      Math.max(...(rowsOf.get(placeOf(box)) ?? []).map((row) => forest.logit(rows, row, c))),
    ),
  );
  const series = seriesOf(boxes);
  const sumsOf = new Map<number, number[]>();
  series.forEach((one, k) => {
    const own = answers[k] as number[];
    const sums = sumsOf.get(one);
    sumsOf.set(one, sums ? sums.map((sum, c) => sum + (own[c] as number)) : own);
  });
  return series.map((one) => {
    const sums = sumsOf.get(one) as number[];
    return LEARNED_ROLES[sums.indexOf(Math.max(...sums))] as Role;
  });
}

const placeOf = ({ x0, y0, x1, y1 }: Candidate): string => `${x0} ${y0} ${x1} ${y1}`;

/** For each box one of those that it forms a line or a column with, the same for all of these. */
export function seriesOf(boxes: readonly Candidate[]): number[] {
  const up = boxes.map((_, i) => i);
  const find = (i: number): number => {
    let at = i;
    while (up[at] !== at) {
      up[at] = up[up[at] as number] as number;
      at = up[at] as number;
    }
    return at;
  };
  const index = new BoxIndex(boxes);
  boxes.forEach((box, i) => {
    const [across, down] = [APART * (box.x1 - box.x0) + SAME, APART * (box.y1 - box.y0) + SAME];
    index.forEach(around(box, across, down), (j) => {
      if (j < i && isNext(box, boxes[j] as Candidate)) up[find(i)] = find(j);
    });
  });
  return boxes.map((_, i) => find(i));
}

function isNext(a: Candidate, b: Candidate): boolean {
  const isSame = (one: number, other: number) => Math.abs(one - other) <= SAME;
  if (a.kind !== b.kind || !isSame(a.x1 - a.x0, b.x1 - b.x0) || !isSame(a.y1 - a.y0, b.y1 - b.y0))
    return false;
  const [across, down] = [Math.abs(a.x0 - b.x0), Math.abs(a.y0 - b.y0)];
  return (
    (down <= SAME && across <= (1 + APART) * (a.x1 - a.x0)) ||
    (across <= SAME && down <= (1 + APART) * (a.y1 - a.y0))
  );
}
