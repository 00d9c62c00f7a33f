import type { Instruction } from '../program/instruction.ts';
import type { BlockWalk } from './block-walk.ts';
import type { Environment } from './environment.ts';
import { takingTurn } from './rig-states.ts';
import { mapRigStates, type State } from './state.ts';

/** What the effects of several commands share. */

/** Of what can neither fail nor take time. */
export const unchanged = (_: Instruction, state: State): State => state;

/** Reads, checks, variables: they move nothing, take their time, and may end in an error. */
export function moveNothing(
  instruction: Instruction,
  state: State,
  walk: BlockWalk,
  set: (variables: Environment) => Environment = (variables) => variables,
): State {
  walk.mayFail(state, instruction);
  const spent = walk.spend(state, walk.ownMs(instruction), instruction);
  const variables = set(spent.variables);
  const after = variables === spent.variables ? spent : { ...spent, variables };
  jumpWhereFalse(instruction, after, walk);
  return after;
}

/** ELSE GOAL of a check. */
export function jumpWhereFalse(instruction: Instruction, state: State, walk: BlockWalk): void {
  const texts = 'texts' in instruction ? instruction.texts : undefined;
  if (texts?.elseGoal !== undefined)
    walk.jump(texts.elseGoal, turned(state, `${walk.placeOf(instruction)} does not hold`));
}

/** The state with a turn of the run noted for the messages. */
export const turned = (state: State, turn: string): State => mapRigStates(state, takingTurn(turn));

/** At least so much time has gone by: a started lung may have come to rest. */
export const rested = (state: State, ms: number, walk: BlockWalk): State =>
  ms === 0 ? state : mapRigStates(state, (rigState) => walk.analysis.actuators.after(rigState, ms));

/** SCN272: a pause without a bound. */
export function reportUnbounded(instruction: Instruction, walk: BlockWalk): void {
  walk.analysis.findings.add(
    'SCN272',
    'pause',
    "the longest time of this pause is known only at run time, so the run time has no upper bound; write a duration, or bound the variable first, for example CALC t = MIN 't, 30 s'",
    instruction,
  );
}
