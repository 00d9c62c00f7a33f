import { Alignments } from './alignments.ts';
import { BoxIndex } from './box-index.ts';
import type { Candidate } from './candidates.ts';
import { containmentOf } from './containment.ts';
import { areaOf, overlapOf, sharedArea } from './element.ts';
import type { RowNode } from './rows.ts';

/** What is known of a candidate once all others have been judged for themselves. Columns after those of FEATURES. */
export const CONTEXT = [
  'own',
  'inside',
  'outside',
  'twin',
  'rival',
  'column',
  'columnCount',
  'line',
  'lineCount',
  'same',
  'sameCount',
  'parent',
  'sibling',
  'bestChild',
  'worstChild',
  'root',
] as const;

/** As much of a scene as the second look needs. */
export interface Judged {
  candidates: readonly Candidate[];
  rows: readonly Pick<RowNode, 'parent' | 'sibling' | 'children'>[];
}

/** What an element costs in the sum of the best choice inside a candidate. */
const COST = 0.35;
const TWIN = 0.7;
const RIVAL = 0.5;

/**
 * The second look: how the neighbours of each candidate were judged. A cell of a table is likelier when the cells above
 * and below are, a word is not when its whole line is.
 *
 * @param alive indices of the candidates that are left @returns one row of CONTEXT for each of them
 */
export function contextOf(
  { candidates, rows }: Judged,
  probability: Float32Array,
  alive: readonly number[],
): Float32Array {
  const width = CONTEXT.length;
  const table = new Float32Array(alive.length * width);
  const p = (i: number): number => probability[i] as number;
  const ofNode = new Map<number, number>();
  candidates.forEach(({ kind, index }, i) => {
    if (kind === 'row') ofNode.set(index, p(i));
  });
  const nodeValue = (node: number): number => (node < 0 ? -1 : (ofNode.get(node) ?? 0));
  const rootOf = (node: number): number => {
    let at = node;
    for (let up = rows[at]?.parent ?? -1; up >= 0; up = rows[at]?.parent ?? -1) at = up;
    return at;
  };
  const { inside, outside } = bestInside(candidates, alive, probability);
  const index = new BoxIndex(candidates, alive);
  const alignments = new Alignments(candidates, probability, alive);
  alive.forEach((i, a) => {
    const one = candidates[i] as Candidate;
    let twin = 0;
    let rival = 0;
    const overlapping: number[] = [];
    index.forEach(one, (j) => {
      const other = candidates[j] as Candidate;
      const shared = sharedArea(one, other);
      if (shared === 0) return;
      overlapping.push(j);
      if (j === i) return;
      if (overlapOf(one, other) > TWIN) twin = Math.max(twin, p(j));
      else if (shared > RIVAL * Math.min(areaOf(one), areaOf(other))) rival = Math.max(rival, p(j));
    });
    const { column, line, same } = alignments.of(one, overlapping);
    const node = one.kind === 'row' ? rows[one.index] : undefined;
    const parent = node ? node.parent : -1;
    const children = node ? node.children.map(nodeValue) : [];
    table.set(
      [
        p(i),
        inside[a] as number,
        outside[a] as number,
        twin,
        rival,
        column.value,
        column.count,
        line.value,
        line.count,
        same.value,
        same.count,
        nodeValue(parent),
        nodeValue(node?.sibling ?? -1),
        children.length === 0 ? -1 : Math.max(...children),
        children.length === 0 ? -1 : Math.min(...children),
        node ? nodeValue(rootOf(one.index)) : -1,
      ],
      a * width,
    );
  });
  return table;
}

/** For each the sum that the best choice inside it makes, and the best that lies around it. */
function bestInside(candidates: readonly Candidate[], alive: readonly number[], probability: Float32Array) {
  const { order, parent } = containmentOf(candidates, alive);
  const best = new Float64Array(order.length);
  const around = new Float64Array(order.length);
  for (let k = order.length - 1; k >= 0; k--) {
    const own = (probability[order[k] as number] as number) - COST;
    const up = parent[k] as number;
    if (up >= 0) best[up] = (best[up] as number) + Math.max(0, own, best[k] as number);
  }
  for (let k = 0; k < order.length; k++) {
    const up = parent[k] as number;
    if (up >= 0) around[k] = Math.max(around[up] as number, probability[order[up] as number] as number);
  }
  const placeOf = new Map(order.map((i, k) => [i, k]));
  const pick = (values: Float64Array) =>
    Float32Array.from(alive, (i) => values[placeOf.get(i) as number] as number);
  return { inside: pick(best), outside: pick(around) };
}
