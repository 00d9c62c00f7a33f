import type { Environment } from './environment.ts';
import type { RigState, RigStateSet } from './rig-states.ts';

/** All that may be true at one point of the scenario. */
export interface State {
  readonly variables: Environment;
  readonly rigStates: RigStateSet;
  /** Longest time since this attempt at the block began, ms. */
  readonly elapsedMs: number;
  /** Earliest of the moments, in elapsed time, at which SET timer set the goal timer back last; 0 without one. */
  readonly timerFromMs: number;
  /** A sampling runs in the background, whose fault may end the goal at any moment. */
  readonly sampling: boolean;
}

/** No state at all: this point is never reached. */
export type Reached = State | undefined;

export function join(a: Reached, b: Reached): Reached {
  if (!a || a === b) return b;
  if (!b) return a;
  return {
    variables: a.variables.join(b.variables),
    rigStates: a.rigStates.join(b.rigStates),
    elapsedMs: Math.max(a.elapsedMs, b.elapsedMs),
    timerFromMs: Math.min(a.timerFromMs, b.timerFromMs),
    sampling: a.sampling || b.sampling,
  };
}

/** The same rig and variables, whatever the time. @param but a variable that does not count */
export const sameState = (a: State, b: State, but?: string): boolean =>
  a.sampling === b.sampling && a.rigStates.same(b.rigStates) && a.variables.same(b.variables, but);

export const mapRigStates = (state: State, change: (rigState: RigState) => RigState): State => ({
  ...state,
  rigStates: state.rigStates.map(change),
});
