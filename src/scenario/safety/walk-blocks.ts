import type { Instruction } from '../program/instruction.ts';
import type { ProgramBlock } from '../program/program.ts';
import type { Analysis } from './analysis.ts';
import { failGoals, MAX_ENTRIES, retriesOf, targetsOf } from './block-graph.ts';
import { type BlockExits, BlockWalk } from './block-walk.ts';
import { Entries } from './entries.ts';
import { takingTurn } from './rig-states.ts';
import { join, mapRigStates, type Reached, type State, sameState } from './state.ts';
import { walkBody } from './walk-body.ts';

/** How long one block takes, all its attempts and entries together. */
export interface BlockTime {
  readonly block: ProgramBlock;
  readonly ms: number;
  /** Where most of one attempt goes. */
  readonly slowest: Instruction | undefined;
}

/** How a block is left, and where most of its time goes. */
interface Walked extends BlockExits {
  readonly slowest: Instruction | undefined;
}

/** Walks once through a block. @param limitMs the time-out that ends it */
function walkBlock(
  block: ProgramBlock,
  start: State,
  analysis: Analysis,
  limitMs = analysis.timeouts.goalMs,
): Walked {
  const walk = new BlockWalk(analysis, block, limitMs, walkBody);
  let state: Reached = { ...start, elapsedMs: 0, timerFromMs: 0, sampling: false };
  let slowest: Instruction | undefined;
  let longestMs = -1;
  for (const instruction of block.instructions) {
    if (!state) break;
    const startedMs: number = state.elapsedMs;
    state = walkBody([instruction], state, walk);
    const ms = (state?.elapsedMs ?? walk.longestMs) - startedMs;
    if (ms > longestMs || Number.isNaN(ms)) [slowest, longestMs] = [instruction, ms];
  }
  if (state) walk.finish(state);
  return { ...walk.exits(), slowest };
}

/**
 * The blocks before the teardown, with all jumps, retries and errors, until no block can be entered in a new way. The
 * states in which the run may be cut off are left in the analysis.
 */
export function walkMain(
  blocks: readonly ProgramBlock[],
  start: State,
  analysis: Analysis,
): readonly BlockTime[] {
  const entries = new Entries(blocks);
  const times = new Map<number, Walked>();
  const enter = (index: number, state: Reached, from: number): void => {
    if (state && index >= blocks.length) analysis.cut(state);
    else if (state) entries.add(index, state, from);
  };
  // Cut off before its first command; a lost lease leads back there too, for the bridge makes the rig safe then.
  analysis.cut(start);
  enter(0, start, -1);
  for (let next = entries.next(); next; next = entries.next()) {
    const { index, block, state, again } = next;
    for (const exits of attempts(block, state, analysis)) {
      const longest = times.get(index);
      if (!longest || exits.longestMs > longest.longestMs) times.set(index, exits);
      enter(index + 1, exits.ended, index);
      enter(index + 1, exits.failed, index);
      for (const goal of failGoals(block))
        for (const target of targetsOf(goal, index, blocks))
          enter(target, turned(exits.ended, `"${block.name}" fails and jumps`), index);
      for (const [goal, jumped] of exits.jumps)
        for (const target of targetsOf(goal, index, blocks)) enter(target, jumped, index);
    }
    // Entered once more than it may, a goal is left out.
    enter(index + 1, turned(again, `"${block.name}" reaches its entry limit`), index);
  }
  return blocks.flatMap((block, index) => {
    const exits = times.get(index);
    if (!exits) return [];
    const rounds = (1 + retriesOf(block)) * (entries.isInCircle(index) ? MAX_ENTRIES : 1);
    return [{ block, ms: exits.longestMs * rounds, slowest: exits.slowest }];
  });
}

/** A block, and again as often as its FAIL lines allow, each time from where it ended before. */
function* attempts(block: ProgramBlock, start: State, analysis: Analysis): Generator<Walked> {
  let state = start;
  for (let attempt = 0; attempt <= retriesOf(block); attempt++) {
    const exits = walkBlock(block, state, analysis);
    yield exits;
    const next = turned(exits.ended, `"${block.name}" fails and is run again`);
    if (!next || sameState(state, next)) return;
    state = next;
  }
}

const turned = (state: Reached, turn: string): Reached => state && mapRigStates(state, takingTurn(turn));

/**
 * The teardown: every block runs, whatever the ones before gave, until its time-out.
 * @returns all that may be true when the safe state begins, and the times of the blocks
 */
export function walkTeardown(
  blocks: readonly ProgramBlock[],
  start: State,
  analysis: Analysis,
): { readonly end: Reached; readonly times: readonly BlockTime[] } {
  const { goalMs, teardownMs } = analysis.timeouts;
  let state: Reached = start;
  let end: Reached;
  let spentMs = 0;
  const times: BlockTime[] = [];
  for (const block of blocks) {
    if (!state) break;
    const limitMs = Math.max(0, Math.min(goalMs, teardownMs - spentMs));
    const exits = walkBlock(block, state, analysis, limitMs);
    times.push({ block, ms: exits.longestMs, slowest: exits.slowest });
    spentMs += exits.longestMs;
    // A jump out of the teardown is not followed.
    state = [exits.failed, ...exits.jumps.values()].reduce<Reached>(join, exits.ended);
    if (spentMs >= teardownMs) end = join(end, turned(state, `the teardown times out after "${block.name}"`));
  }
  return { end: join(end, state), times };
}
