import type { Instruction } from '../program/instruction.ts';
import type { BlockWalk } from './block-walk.ts';
import type { Effect, Problem } from './effect.ts';
import { type RigState, withState } from './rig-states.ts';
import type { SetpointContext } from './setpoint.ts';
import type { State } from './state.ts';

/** What commands that move actuators share. */

export const contextOf = (state: State, { analysis }: BlockWalk): SetpointContext => ({
  registry: analysis.options.registry,
  limits: analysis.options.limits,
  variables: state.variables,
});

export function reportProblems(
  problems: readonly Problem[],
  instruction: Instruction,
  { analysis }: BlockWalk,
): void {
  for (const { code, message } of problems) analysis.findings.add(code, message, message, instruction);
}

/** The actuator in each of the states that a command may have put it into. */
export function applyEffects(
  state: State,
  id: string,
  effects: readonly Effect[],
  since: Instruction,
  { analysis }: BlockWalk,
): State {
  const index = analysis.actuators.indexOf(id);
  if (index < 0) return state;
  const set = (rigState: RigState): RigState[] =>
    effects.map((effect) => withState(rigState, index, effect.state, since, effect.lungMs));
  return { ...state, rigStates: state.rigStates.flatMap(set) };
}
