import type { InstructionOf } from '../program/instruction.ts';
import { type Alternatives, asNumber, exactly, type NumberRange, rangeOf } from './abstract-value.ts';
import type { BlockWalk } from './block-walk.ts';
import { resolveValue } from './resolve-value.ts';
import { join, type Reached, type State, sameState } from './state.ts';

type Loop = InstructionOf<'repeat' | 'loop'>;

/** Most rounds of a LOOP, as the interpreter counts them. */
const MAX_ROUNDS = 1000;
/** Rounds after which values that still grow are widened. */
const WIDENING_AFTER_ROUNDS = 20;

/** Rounds that a loop may make, and what leaves it before a round. */
interface LoopBounds {
  readonly loop: Loop;
  readonly fewest: number;
  readonly most: number;
  readonly counts: boolean;
}

/** REPEAT, LOOP TIMES, LOOP WHILE: round by round as long as that is affordable, else all rounds at once. */
export function walkLoop(loop: Loop, start: State, walk: BlockWalk): Reached {
  if (loop.op === 'loop' && loop.times !== undefined && typeof loop.times !== 'number')
    walk.mayFail(start, loop);
  const bounds = boundsOf(loop, start);
  let left: Reached;
  let state: State = start;
  for (let round = 0; ; round++) {
    const evaluated = evaluateCondition(bounds, state, walk);
    if (round >= bounds.fewest) left = join(left, evaluated);
    if (round >= bounds.most) return tooManyRounds(bounds, evaluated, left, walk);
    if (walk.analysis.unrolling <= 0) return join(left, allRounds(bounds, state, bounds.most - round, walk));
    const next = walk.body(loop.body, counted(bounds, evaluated, exactly(round), walk));
    if (!next) return left;
    // Nothing changes any more: the rounds that are left take their time and nothing else.
    if (isSettled(bounds, state, next)) return join(left, skipAhead(bounds, state, next, round, walk));
    state = next;
  }
}

function boundsOf(loop: Loop, { variables }: State): LoopBounds {
  if (loop.op === 'repeat') return { loop, fewest: loop.count, most: loop.count, counts: false };
  if (loop.condition) return { loop, fewest: 0, most: MAX_ROUNDS, counts: true };
  const { times } = loop;
  if (typeof times === 'number') return { loop, fewest: times, most: times, counts: true };
  const numbers: Alternatives = resolveValue({ kind: 'template', text: times?.template ?? '' }, variables);
  const ranges = numbers.flatMap((one) => asNumber(one) ?? []);
  const low = Math.min(MAX_ROUNDS, ...ranges.map((range) => range.low));
  const high = Math.max(0, ...ranges.map((range) => range.high));
  return {
    loop,
    fewest: Math.max(0, Math.ceil(low)),
    most: Math.min(MAX_ROUNDS, Math.floor(high)),
    counts: true,
  };
}

/** The condition of LOOP WHILE is evaluated at before each round. */
function evaluateCondition({ loop }: LoopBounds, state: State, walk: BlockWalk): State {
  if (loop.op !== 'loop' || !loop.condition) return state;
  walk.mayFail(state, loop);
  return walk.spend(state, walk.ownMs(loop), loop);
}

/** LOOP WHILE past its last round is an error; the others just end. */
function tooManyRounds({ loop }: LoopBounds, state: State, left: Reached, walk: BlockWalk): Reached {
  if (loop.op === 'loop' && loop.condition) walk.mayFail(state, loop);
  return left;
}

function counted({ counts }: LoopBounds, state: State, round: NumberRange, walk: BlockWalk): State {
  if (!counts) return state;
  const after = { ...state, variables: state.variables.set('ITER', [round]) };
  if (!walk.block.teardown) walk.analysis.cut(after);
  return after;
}

function isSettled({ loop, counts }: LoopBounds, before: State, after: State): boolean {
  if (!counts) return sameState(before, after);
  return !usesCounter(loop) && sameState(before, after, 'ITER');
}

const counterUsers = new WeakMap<Loop, boolean>();

/** Whether the counter may matter in a loop: its name stands somewhere in the body. */
function usesCounter(loop: Loop): boolean {
  const known = counterUsers.get(loop);
  if (known !== undefined) return known;
  const isUsed = JSON.stringify(loop.body).includes('ITER');
  counterUsers.set(loop, isUsed);
  return isUsed;
}

/** The last round in place of all that are left: the state is the same, only later. */
function skipAhead(bounds: LoopBounds, before: State, after: State, round: number, walk: BlockWalk): Reached {
  const rounds = bounds.most - round;
  if (rounds === 1) return tooManyRounds(bounds, after, evaluateCondition(bounds, after, walk), walk);
  const roundMs = duration(before, after);
  const late = { ...before, elapsedMs: before.elapsedMs + roundMs * (rounds - 1) };
  const evaluated = evaluateCondition(bounds, late, walk);
  // Where it may end earlier, the counter may stand anywhere; the body does not look at it.
  const counter = rangeOf(bounds.fewest < bounds.most ? round : bounds.most - 1, bounds.most - 1);
  const last = walk.body(bounds.loop.body, counted(bounds, evaluated, counter, walk));
  if (!last) return undefined;
  return tooManyRounds(bounds, last, evaluateCondition(bounds, last, walk), walk);
}

const duration = (before: State, after: State): number =>
  Number.isFinite(after.elapsedMs) ? after.elapsedMs - before.elapsedMs : Number.POSITIVE_INFINITY;

/** Any number of rounds at once: what may be true before one of them, joined until it grows no more. */
function allRounds(bounds: LoopBounds, start: State, rounds: number, walk: BlockWalk): Reached {
  const counter = rangeOf(0, bounds.most);
  let before = counted(bounds, start, counter, walk);
  let roundMs = 0;
  for (let turn = 0; ; turn++) {
    const after = walk.body(bounds.loop.body, evaluateCondition(bounds, before, walk));
    if (!after) break;
    roundMs = duration(before, after);
    const joined = join(before, { ...counted(bounds, after, counter, walk), elapsedMs: before.elapsedMs });
    if (!joined) break;
    const widened =
      turn < WIDENING_AFTER_ROUNDS ? joined.variables : before.variables.widen(joined.variables);
    const grown = { ...joined, variables: widened };
    if (sameState(before, grown)) break;
    before = grown;
  }
  const late = { ...before, elapsedMs: before.elapsedMs + (rounds > 1 ? roundMs * (rounds - 1) : 0) };
  const evaluated = evaluateCondition(bounds, late, walk);
  return join(evaluated, walk.body(bounds.loop.body, evaluated));
}
