import type { Mode } from '../../scenario/events/event.ts';
import type { Timeouts } from '../../scenario/run/timeouts.ts';
import type { SensorValues } from '../options/assignment.ts';
import type { VariableOptions } from '../options/given-variables.ts';

/** Options of a run as the command line gives them; durations in milliseconds. */
export interface RunOptions extends VariableOptions {
  readonly mode: Mode;
  readonly firmwareUrl?: string;
  readonly serverUrl?: string;
  readonly sensor?: SensorValues;
  readonly library?: string;
  readonly strict?: boolean;
  readonly maxAge?: number;
  readonly stopOnFail?: boolean;
  readonly simulated?: boolean;
  /** A bench will do without a guard. */
  readonly withoutGuard?: boolean;
  readonly mirror?: boolean;
  readonly timeoutCommand?: number;
  readonly timeoutGoal?: number;
  readonly timeoutRun?: number;
  readonly exportFile?: string;
  readonly junit?: string;
  readonly report?: string;
  readonly events?: string;
  readonly csv?: string;
  /** Folder of run records. */
  readonly record?: string;
  /** Names of the goals to run; default all. */
  readonly goal?: readonly string[];
  /** Scenarios with one of these tags are run; default all. */
  readonly tag?: readonly string[];
  readonly unit?: string;
  readonly part?: string;
  readonly revision?: string;
  readonly batch?: string;
  readonly operator?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The time-outs that were given; the others are those of the language. */
export const timeoutsOf = ({ timeoutCommand, timeoutGoal, timeoutRun }: RunOptions): Partial<Timeouts> => ({
  ...(timeoutCommand === undefined ? {} : { commandMs: timeoutCommand }),
  ...(timeoutGoal === undefined ? {} : { goalMs: timeoutGoal }),
  ...(timeoutRun === undefined ? {} : { runMs: timeoutRun }),
});
