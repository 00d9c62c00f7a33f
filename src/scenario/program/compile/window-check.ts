import { formatDuration } from '../../values/duration.ts';
import type { Instruction } from '../instruction.ts';
import { forChildren } from '../walk.ts';
import type { Site } from './scope.ts';
import { keyOf } from './subject-key.ts';

type Delta = Extract<Instruction, { op: 'delta' }>;

/** A sampled subject: how long it has been sampled at most, milliseconds; infinite where a pause is not known. */
interface Sampled {
  sinceMs: number;
  readonly intervalMs: number;
  isRunning: boolean;
}

/**
 * SCN251: IF_DELTA asks for a window that the pauses since SAMPLE START do not cover. On the rig that is an error,
 * since nothing is known of the time before.
 */
export function checkWindows(instructions: readonly Instruction[], site: Site): void {
  walkBody(instructions, new Map(), site);
}

type State = Map<string, Sampled>;

function advance(state: State, ms: number): number {
  for (const one of state.values()) if (one.isRunning) one.sinceMs += ms;
  return ms;
}

/** @returns how long the body takes at most by its pauses, milliseconds */
function walkBody(instructions: readonly Instruction[], state: State, site: Site): number {
  let totalMs = 0;
  for (const instruction of instructions) totalMs += walkOne(instruction, state, site);
  return totalMs;
}

function walkOne(instruction: Instruction, state: State, site: Site): number {
  switch (instruction.op) {
    case 'sample':
      return noteSample(instruction, state);
    case 'delta':
      return advance(state, judgeDelta(instruction, state, site));
    case 'wait':
      return advance(state, knownMs(instruction.durationMs));
    case 'wait-until':
    case 'prompt':
      return advance(state, Number.POSITIVE_INFINITY);
    case 'if': {
      const branches = [instruction.then, instruction.otherwise].map((body) => {
        const copy: State = new Map([...state].map(([key, one]) => [key, { ...one }]));
        return { copy, ms: walkBody(body, copy, site) };
      });
      for (const { copy } of branches)
        for (const [key, one] of copy)
          if (one.sinceMs > (state.get(key)?.sinceMs ?? Number.NEGATIVE_INFINITY)) state.set(key, one);
      return Math.max(...branches.map(({ ms }) => ms));
    }
    case 'repeat':
      return walkRounds(instruction.body, instruction.count, state, site);
    case 'loop':
      return walkRounds(
        instruction.body,
        typeof instruction.times === 'number' ? instruction.times : Number.POSITIVE_INFINITY,
        state,
        site,
      );
    default: {
      let ms = 0;
      forChildren(instruction, (body) => {
        ms += walkBody(body, state, site);
      });
      return ms;
    }
  }
}

function noteSample(instruction: Extract<Instruction, { op: 'sample' }>, state: State): number {
  const key = keyOf(instruction.subject);
  if (instruction.action === 'start')
    state.set(key, { sinceMs: 0, intervalMs: knownMs(instruction.intervalMs), isRunning: true });
  else {
    const one = state.get(key);
    if (one) one.isRunning = false;
  }
  return 0;
}

/** The first round has the shortest time behind it, so that one is judged. */
function walkRounds(body: readonly Instruction[], rounds: number, state: State, site: Site): number {
  const ms = walkBody(body, state, site);
  const rest = ms === 0 || rounds <= 1 ? 0 : ms * (rounds - 1);
  return ms + advance(state, rest);
}

const knownMs = (duration: number | object): number =>
  typeof duration === 'number' ? duration : Number.POSITIVE_INFINITY;

/** @returns the time that a window of its own takes */
function judgeDelta({ subject, windowMs: written, pos }: Delta, state: State, site: Site): number {
  const windowMs = knownMs(written);
  const sampled = state.get(keyOf(subject));
  if (!sampled) return windowMs;
  if (Number.isFinite(windowMs) && sampled.sinceMs < windowMs - sampled.intervalMs)
    site.report(
      'SCN251',
      `IF_DELTA ${subject.name} asks for the last ${formatDuration(windowMs)}, but the pauses since SAMPLE START add up to ${formatDuration(sampled.sinceMs)}; this is an error at run time: WAIT for the full window first`,
      pos,
    );
  return 0;
}
