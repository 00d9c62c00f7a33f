import type { Mode } from '../../scenario/events/event.ts';
import type { SensorValues, VariableValues } from '../options/assignment.ts';

/** Options of a run as the command line gives them; durations in milliseconds. */
export interface RunOptions {
  readonly mode: Mode;
  readonly firmwareUrl?: string;
  readonly serverUrl?: string;
  readonly sensor?: SensorValues;
  readonly var?: VariableValues;
  readonly library?: string;
  readonly strict?: boolean;
  readonly maxAge?: number;
  readonly stopOnFail?: boolean;
  readonly simulated?: boolean;
  readonly mirror?: boolean;
  readonly timeoutCommand?: number;
  readonly timeoutGoal?: number;
  readonly timeoutRun?: number;
  readonly exportFile?: string;
  readonly junit?: string;
  readonly report?: string;
  readonly events?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}
