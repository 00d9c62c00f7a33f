import type { Instruction } from '../program/instruction.ts';
import type { Analysis } from './analysis.ts';
import type { State } from './state.ts';
import { type World, Worlds } from './worlds.ts';

/** After a safe state that `by` asked for: as it leaves pump, lung and valves, and as it may when a part of it failed. */
export function madeSafe(state: State, { actuators }: Analysis, by: Instruction): State {
  const rest = actuators.atStart();
  const worlds = [...state.worlds].flatMap((world): World[] => {
    const isOther = (i: number) => actuators.all[i]?.kind === 'other';
    const safe = world.states.map((was, i) => (isOther(i) ? was : (rest.states[i] ?? was)));
    const partly = world.states.map((was, i) => (safe[i] === was ? was : 'unknown'));
    const since = world.since.map((was, i) => (safe[i] === world.states[i] ? was : by));
    return [
      { ...world, states: safe, lungMs: 0, since },
      { ...world, states: partly, since },
    ];
  });
  return { ...state, worlds: new Worlds(worlds) };
}
