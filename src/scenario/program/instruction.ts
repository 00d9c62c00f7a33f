import type { Pos } from '../source/position.ts';

/** How a check reports. `texts` may hold `$name`; absent texts get the default of section 6.3. */
export interface CheckTexts {
  readonly pass?: string;
  readonly fail?: string;
  /** What false means: `failed`, or merely a message of that level. */
  readonly onFalse: 'error' | 'info' | 'warning';
  /** `ELSE GOAL 'g'` on a check: jump there when false. */
  readonly elseGoal?: string;
}

export type ParameterName =
  | 'PUMP_FLOW_FULL_SCALE_LPM'
  | 'LUNG_STEPS'
  | 'LUNG_SPEED'
  | 'LUNG_CYCLES'
  | 'LUNG_PAUSE'
  | 'LUNG_STROKE_VOLUME';

export type CalcFunction = 'AVG' | 'SUM' | 'MIN' | 'MAX' | 'SUB' | 'MUL' | 'DIV' | 'ADD' | 'COUNT' | 'STDDEV';

/** What the commands become. Every command adds its own operations, in its file of `commands/`. */
export interface Operations {
  /** `1. Draw down:` names the lines below it. */
  step: { readonly number: string; readonly title: string };
}

export type OperationName = keyof Operations;
export type Operation = { [K in OperationName]: { readonly op: K } & Operations[K] }[OperationName];

/** Where an operation comes from. */
interface Written {
  /** Keyword for events and plans, for example `SET`, `CHECK`, `IF`. */
  readonly command: string;
  /** The command as written, without indentation and comment, macro arguments filled in. */
  readonly text: string;
  readonly pos: Pos;
  /** Call sites, innermost first, when the command comes from a macro. */
  readonly stack?: readonly Pos[];
}

export type InstructionOf<K extends OperationName> = {
  [N in K]: { readonly op: N } & Operations[N] & Written;
}[K];

/** One executable command with everything resolved that can be resolved without running. */
export type Instruction = InstructionOf<OperationName>;
