import type { Instruction } from '../program/instruction.ts';
import type { Analysis } from './analysis.ts';
import { type RigState, RigStateSet } from './rig-states.ts';
import type { State } from './state.ts';

/** After a safe state that `by` asked for: as it leaves pump, lung and valves, and as it may when a part of it failed. */
export function madeSafe(state: State, { actuators }: Analysis, by: Instruction): State {
  const rest = actuators.atStart();
  const rigStates = [...state.rigStates].flatMap((rigState): RigState[] => {
    const isOther = (i: number) => actuators.all[i]?.kind === 'other';
    const safe = rigState.states.map((was, i) => (isOther(i) ? was : (rest.states[i] ?? was)));
    const partly = rigState.states.map((was, i) => (safe[i] === was ? was : 'unknown'));
    const since = rigState.since.map((was, i) => (safe[i] === rigState.states[i] ? was : by));
    return [
      { ...rigState, states: safe, lungMs: 0, since },
      { ...rigState, states: partly, since },
    ];
  });
  return { ...state, rigStates: new RigStateSet(rigStates) };
}
