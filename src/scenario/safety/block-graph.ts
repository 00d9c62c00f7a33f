import type { Instruction } from '../program/instruction.ts';
import type { ProgramBlock } from '../program/program.ts';
import { forChildren, walk } from '../program/walk.ts';

/** A goal is entered at most so often; one more is an error and goes on with the next. */
export const MAX_ENTRIES = 10;

export type VerdictText = Extract<Instruction, { op: 'verdict-text' }>;

/** How often the FAIL lines of a block let it run again. */
export const retriesOf = (block: ProgramBlock): number =>
  Math.max(0, ...verdictTexts(block).map(({ retry = 0 }) => retry));

/** Goals that the FAIL lines of a block jump to, as written. */
export const failGoals = (block: ProgramBlock): string[] =>
  verdictTexts(block).flatMap(({ goTo }) => goTo ?? []);

const verdictTexts = ({ instructions }: ProgramBlock): VerdictText[] =>
  walk(instructions).filter((one) => one.op === 'verdict-text');

/**
 * Where GOTO leads among the blocks of the run: the goal of that name, and the next block for one that is not found. A
 * name with variables in it may be any goal.
 */
export function targetsOf(goal: string, from: number, blocks: readonly ProgramBlock[]): number[] {
  if (goal.includes('$')) return [...blocks.flatMap(({ kind }, i) => (kind === 'GOAL' ? [i] : [])), from + 1];
  const index = blocks.findIndex(
    ({ kind, name }) => kind === 'GOAL' && (name === goal || name.endsWith(`/${goal}`)),
  );
  return [index < 0 ? from + 1 : index];
}

/** The blocks that may follow on each block. */
export function edgesOf(blocks: readonly ProgramBlock[]): ReadonlyMap<number, ReadonlySet<number>> {
  return new Map(
    blocks.map((block, index) => {
      const goals = [...failGoals(block), ...goalsIn(block.instructions)];
      const targets = goals.flatMap((goal) => targetsOf(goal, index, blocks));
      return [index, new Set([index + 1, ...targets].filter((one) => one < blocks.length))];
    }),
  );
}

function goalsIn(instructions: readonly Instruction[]): string[] {
  return instructions.flatMap((one) => {
    const goals: string[] = [];
    if (one.op === 'goto') goals.push(one.goal);
    if ('texts' in one && one.texts.elseGoal !== undefined) goals.push(one.texts.elseGoal);
    forChildren(one, (body) => goals.push(...goalsIn(body)));
    return goals;
  });
}

/** For each block all that may come after it, sooner or later. */
export function reachable(edges: ReadonlyMap<number, ReadonlySet<number>>): ReadonlyMap<number, Set<number>> {
  return new Map(
    [...edges.keys()].map((start) => {
      const seen = new Set<number>();
      const open = [...(edges.get(start) ?? [])];
      for (let next = open.pop(); next !== undefined; next = open.pop()) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(...(edges.get(next) ?? []));
      }
      return [start, seen];
    }),
  );
}
