import { statementsIn } from '../program/compile/names-prepass.ts';
import type { BodyItem, Comment, TopItem } from '../syntax/node.ts';
import type { Analysis } from './analysis.ts';

/** Lines from 1, both shown as one when folded. */
export interface FoldingRange {
  readonly startLine: number;
  readonly endLine: number;
  readonly kind: 'block' | 'comment';
}

/** What can be folded: blocks, sections, bodies of branches and loops, comments of several lines. */
export function foldingRanges({ document }: Analysis): FoldingRange[] {
  const found: FoldingRange[] = [];
  const add = (startLine: number, endLine: number, kind: FoldingRange['kind']) => {
    if (endLine > startLine) found.push({ startLine, endLine, kind });
  };
  const bodies = (items: readonly BodyItem[]) => {
    for (const statement of statementsIn(items)) {
      const { pos, body, otherwise, elseLine } = statement;
      if (body) add(pos.line, lastLine(body, pos.line), 'block');
      if (elseLine && otherwise) add(elseLine.pos.line, lastLine(otherwise, elseLine.pos.line), 'block');
    }
  };
  const items = (list: readonly (TopItem | BodyItem)[]) => {
    for (const [first, last] of commentRuns(list)) add(first, last, 'comment');
    for (const item of list) if (item.type === 'section') add(item.pos.line, item.pos.endLine, 'block');
  };
  items(document.items);
  for (const item of document.items) {
    if (item.type !== 'block') continue;
    add(item.header.line, item.pos.endLine, 'block');
    items(item.items);
    bodies(item.items);
  }
  return found.sort((a, b) => a.startLine - b.startLine || b.endLine - a.endLine);
}

/** Last line of a body, including bodies inside it. */
function lastLine(items: readonly BodyItem[], from: number): number {
  let line = from;
  for (const item of items) line = Math.max(line, item.pos.endLine);
  for (const { pos } of statementsIn(items)) line = Math.max(line, pos.endLine);
  return line;
}

/** First and last line of each run of comments. */
function commentRuns(items: readonly (TopItem | BodyItem)[]): [number, number][] {
  const runs: [number, number][] = [];
  for (const { pos } of items.filter((item): item is Comment => item.type === 'comment')) {
    const run = runs.at(-1);
    if (run && pos.line === run[1] + 1) run[1] = pos.line;
    else runs.push([pos.line, pos.line]);
  }
  return runs;
}
