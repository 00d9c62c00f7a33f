import type { Instruction } from '../program/instruction.ts';
import { actuate, callApi } from './actuation.ts';
import type { BlockWalk } from './block-walk.ts';
import { walkLoop } from './loops.ts';
import { pauseRange, timerRange } from './pause-range.ts';
import { join, mapWorlds, type Reached, type State } from './state.ts';
import { setByInstruction } from './variables.ts';
import { takingTurn } from './worlds.ts';

/** What follows from running a list of instructions: what is true after the last one. */
export function walkBody(body: readonly Instruction[], start: Reached, walk: BlockWalk): Reached {
  let state = start;
  for (const instruction of body) {
    if (!state) return undefined;
    if (instruction.op === 'step') continue;
    walk.analysis.unrolling--;
    walk.enter(state, instruction);
    state = walkInstruction(instruction, state, walk);
  }
  return state;
}

function walkInstruction(instruction: Instruction, state: State, walk: BlockWalk): Reached {
  switch (instruction.op) {
    case 'actuate':
      return actuate(instruction, state, walk);
    case 'api':
      return callApi(instruction, state, walk);
    case 'wait':
      return pause(instruction, state, walk);
    case 'wait-until':
      return waitUntil(instruction, state, walk);
    case 'delta':
      return window(instruction, state, walk);
    case 'call':
      return walkBody(instruction.body, state, walk);
    case 'gate':
      return gate(instruction, state, walk);
    case 'if-fail':
      return join(
        state,
        walkBody(instruction.body, turned(state, `${place(instruction, walk)} finds an error`), walk),
      );
    case 'repeat':
    case 'loop':
      return walkLoop(instruction, state, walk, walkBody);
    case 'fail-goal':
      walk.end(state);
      return undefined;
    case 'goto':
      walk.jump(instruction.goal, turned(state, `${place(instruction, walk)} jumps`));
      return undefined;
    case 'sample': {
      walk.mayFail(state, instruction);
      const after = walk.spend(state, walk.ownMs(instruction), instruction);
      return instruction.action === 'start' ? { ...after, sampling: true } : after;
    }
    case 'set-parameter':
      return setParameter(instruction, state, walk);
    case 'step':
    case 'log':
    case 'verdict-text':
    case 'no-effect':
    case 'unknown-target':
      return state;
    case 'prompt':
      return prompt(instruction, state, walk);
    case 'set-variable':
    case 'calc':
    case 'save':
    case 'save-json':
    case 'read':
    case 'check':
    case 'bound':
    case 'expect-device':
    case 'expect-i2c-bus':
    case 'expect-i2c-chip':
    case 'assert-status':
    case 'assert-json':
    case 'assert-sensor':
    case 'assert-valve':
    case 'export':
    case 'unknown-macro':
    case 'not-executable':
      return moveNothing(instruction, state, walk);
    default:
      // A new instruction does not compile until this check knows what it moves.
      return instruction satisfies never;
  }
}

const place = (instruction: Instruction, walk: BlockWalk): string => walk.analysis.placeOf(instruction);

const turned = (state: State, turn: string): State => mapWorlds(state, takingTurn(turn));

/** Reads, checks, variables: they move nothing, take their time, and may end in an error. */
function moveNothing(instruction: Instruction, state: State, walk: BlockWalk): State {
  walk.mayFail(state, instruction);
  const spent = walk.spend(state, walk.ownMs(instruction), instruction);
  const variables = setByInstruction(instruction, spent.variables, walk.analysis.options.registry);
  const after = variables === spent.variables ? spent : { ...spent, variables };
  const texts = 'texts' in instruction ? instruction.texts : undefined;
  if (texts?.elseGoal !== undefined)
    walk.jump(texts.elseGoal, turned(after, `${place(instruction, walk)} does not hold`));
  return after;
}

/** A parameter that cannot be used ends the run. */
function setParameter(
  instruction: Extract<Instruction, { op: 'set-parameter' }>,
  state: State,
  walk: BlockWalk,
): State {
  const variables = setByInstruction(instruction, state.variables, walk.analysis.options.registry);
  const after = { ...state, variables };
  const why = `${place(instruction, walk)} ends in an error`;
  walk.failRun(state, why);
  walk.failRun(after, why);
  return after;
}

function gate(instruction: Extract<Instruction, { op: 'gate' }>, state: State, walk: BlockWalk): Reached {
  walk.mayFail(state, instruction);
  const looked = walk.spend(state, walk.ownMs(instruction), instruction);
  const at = place(instruction, walk);
  return join(
    walkBody(instruction.then, turned(looked, `the IF at ${at} is true`), walk),
    walkBody(instruction.otherwise, turned(looked, `the IF at ${at} is not true`), walk),
  );
}

function pause(instruction: Extract<Instruction, { op: 'wait' }>, state: State, walk: BlockWalk): Reached {
  const { durationMs } = instruction;
  const range = pauseRange(durationMs, state.variables);
  if (typeof durationMs !== 'number') walk.mayFail(state, instruction);
  if (!range) return undefined;
  if (range.high === Number.POSITIVE_INFINITY) unbounded(instruction, walk);
  return rested(walk.spend(state, range.high, instruction), range.low, walk);
}

function unbounded(instruction: Instruction, walk: BlockWalk): void {
  walk.analysis.findings.add(
    'SCN272',
    'pause',
    "how long this pause is at most is known only when the scenario runs, so the run has no upper bound; write a duration, or bound the variable before, for example CALC t = MIN 't, 30 s'",
    instruction,
  );
}

function waitUntil(
  instruction: Extract<Instruction, { op: 'wait-until' }>,
  state: State,
  walk: BlockWalk,
): State {
  walk.mayFail(state, instruction);
  const until = timerRange(instruction.condition, state.variables);
  if (!until) return walk.spend(state, walk.ownMs(instruction), instruction);
  if (until.high === Number.POSITIVE_INFINITY) unbounded(instruction, walk);
  const longest = Math.max(0, until.high - state.elapsedMs);
  const spent = walk.spend(state, Number.isNaN(longest) ? until.high : longest, instruction);
  // It ends no earlier than at that moment of the goal timer, whatever went by before.
  return rested(spent, Math.max(0, until.low - state.elapsedMs), walk);
}

/**
 * A person takes as long as they like. With TIMEOUT the wait has a bound of its own; without it only the time-out of
 * the goal ends it, which is no way to leave an output on.
 */
function prompt(instruction: Extract<Instruction, { op: 'prompt' }>, state: State, walk: BlockWalk): Reached {
  const { timeoutMs, otherwise } = instruction;
  walk.mayFail(state, instruction);
  const bound = timeoutMs === undefined ? undefined : pauseRange(timeoutMs, state.variables);
  // A time that cannot be read is an error before anybody is asked.
  if (timeoutMs !== undefined && !bound) return undefined;
  const isBounded = bound !== undefined && Number.isFinite(bound.high);
  const on = isBounded ? [] : outputsOn(state, walk);
  if (on.length > 0) waitsWith(on.join(' and '), instruction, walk);
  const waited = walk.spend(state, isBounded ? bound.high : walk.ownMs(instruction), instruction);
  walk.mayFail(waited, instruction);
  const variables = setByInstruction(instruction, waited.variables, walk.analysis.options.registry);
  if (!otherwise) return { ...waited, variables };
  const turn = `${place(instruction, walk)} is answered no, or not in time`;
  return join({ ...waited, variables }, walkBody(otherwise, turned(waited, turn), walk));
}

/** Ids of what the scenario may have left on here. */
function outputsOn({ worlds }: State, { analysis }: BlockWalk): readonly string[] {
  return analysis.actuators.all
    .filter((_, i) =>
      [...worlds].some(
        ({ states, since }) => since[i] !== undefined && (states[i] === 'on' || states[i] === 'unknown'),
      ),
    )
    .map(({ id }) => id);
}

function waitsWith(outputs: string, instruction: Instruction, walk: BlockWalk): void {
  walk.analysis.findings.add(
    'SCN272',
    'prompt',
    `${outputs} may be on while this waits for a person, and only the time-out of the goal bounds that; write TIMEOUT, for example TIMEOUT 5 min, or switch off before`,
    instruction,
  );
}

/** IF_DELTA of a sensor that is not sampled measures for the length of its window. */
function window(instruction: Extract<Instruction, { op: 'delta' }>, state: State, walk: BlockWalk): Reached {
  walk.mayFail(state, instruction);
  const range = pauseRange(instruction.windowMs, state.variables);
  if (!range) return undefined;
  if (range.high === Number.POSITIVE_INFINITY) unbounded(instruction, walk);
  const after = walk.spend(state, range.high + walk.ownMs(instruction), instruction);
  const { elseGoal } = instruction.texts;
  if (elseGoal !== undefined) walk.jump(elseGoal, turned(after, `${place(instruction, walk)} does not hold`));
  return after;
}

/** At least so much time has gone by: a started lung may have come to rest. */
const rested = (state: State, ms: number, walk: BlockWalk): State =>
  ms === 0 ? state : mapWorlds(state, (world) => walk.analysis.actuators.after(world, ms));
