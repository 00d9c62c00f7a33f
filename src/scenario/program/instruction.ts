import type { Pos } from '../source/position.ts';
import type { ComparisonOperator, Condition, Subject, Value } from './operand.ts';

/** One executable command with everything resolved that can be resolved without running. */
export type Instruction = Operation & {
  /** Keyword for events and plans, for example `SET`, `CHECK`, `IF`. */
  readonly command: string;
  /** The command as written, without indentation and comment, macro arguments filled in. */
  readonly text: string;
  readonly pos: Pos;
  /** Call sites, innermost first, when the command comes from a macro. */
  readonly stack?: readonly Pos[];
};

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

export type Operation =
  | { readonly op: 'step'; readonly number: string; readonly title: string }
  /** SET of an actuator. `target` as written, `id` from the registry. */
  | {
      readonly op: 'actuate';
      readonly peripheral: 'pump' | 'valve' | 'lung' | 'other';
      readonly target: string;
      readonly id: string;
      readonly value: Value;
    }
  /** SET of a name that nothing answers to: SCN220 or SCN221. Nothing is sent; `error` in execute. */
  | { readonly op: 'unknown-target'; readonly target: string; readonly code: 'SCN220' | 'SCN221' }
  | { readonly op: 'set-parameter'; readonly name: ParameterName; readonly value: Value }
  | { readonly op: 'set-variable'; readonly name: string; readonly value: Value }
  /** Pause. A template is interpolated, then read as a duration (no unit = ms). */
  | { readonly op: 'wait'; readonly durationMs: number | { readonly template: string } }
  /** SET timer: the clock of the goal starts again at 0. */
  | { readonly op: 'reset-timer' }
  /** GET, VAL: a fresh reading, in `unit` when given. */
  | { readonly op: 'read'; readonly subject: Subject; readonly unit?: string }
  /** SAVE label: section 6.2. `subject` when the label, or the first of two arguments, names a sensor or variable. */
  | { readonly op: 'save'; readonly label: string; readonly subject?: Subject }
  /** Immediate check: CHECK, IF, bracket condition. */
  | {
      readonly op: 'check';
      readonly form: 'CHECK' | 'IF' | 'CONDITION';
      readonly condition: Condition;
      readonly texts: CheckTexts;
    }
  /** `p ≥ q | WAIT`: poll until true (command time-out: failed); with Timer pause until the goal timer reaches it. */
  | { readonly op: 'wait-until'; readonly condition: Condition; readonly message?: string }
  /** IF as a gate: no verdict; an untaken branch has no outcome. */
  | {
      readonly op: 'gate';
      readonly condition: Condition;
      readonly then: readonly Instruction[];
      readonly otherwise: readonly Instruction[];
    }
  /** MIN, MAX, RANGE: hold for the rest of the goal. */
  | {
      readonly op: 'bound';
      readonly form: 'MIN' | 'MAX' | 'RANGE';
      readonly subject: Subject;
      readonly low?: Value;
      readonly high?: Value;
    }
  /** IF_DELTA: change over the window, judged against a signed threshold. */
  | {
      readonly op: 'delta';
      readonly subject: Subject;
      readonly windowMs: number | { readonly template: string };
      /** By the sign as written; `signed` where only the value of a variable tells it. The threshold has its sign. */
      readonly direction: 'rise' | 'fall' | 'none' | 'signed';
      readonly threshold: Value;
      readonly texts: CheckTexts;
    }
  | {
      readonly op: 'sample';
      readonly subject: Subject;
      readonly action: 'start';
      readonly intervalMs: number | { readonly template: string };
    }
  | { readonly op: 'sample'; readonly subject: Subject; readonly action: 'stop' }
  | {
      readonly op: 'log';
      readonly level: 'info' | 'warning' | 'alarm' | 'task' | 'result';
      readonly message: string;
    }
  /** ERROR alone: the goal failed and ends. */
  | { readonly op: 'fail-goal'; readonly message: string }
  /** PASS, FAIL: texts for the verdict of the goal or of one parameter; never a verdict themselves. */
  | {
      readonly op: 'verdict-text';
      readonly when: 'pass' | 'fail';
      readonly subject?: string;
      readonly message: string;
      readonly goTo?: string;
      readonly retry?: number;
    }
  | {
      readonly op: 'prompt';
      readonly message: string;
      /** Yes or no, one of the choices, or a text or quantity. */
      readonly asks: 'confirmation' | 'choice' | 'value';
      /** Empty unless a choice is asked for. May hold `$name`. */
      readonly choices: readonly string[];
      /** The variable that takes the answer. */
      readonly name?: string;
      readonly timeoutMs?: number | { readonly template: string };
      /** The text is an instruction: it is also told as a task. */
      readonly task: boolean;
      /** The branch of ELSE, for the answer no and for no answer in time; without one both are errors. */
      readonly otherwise?: readonly Instruction[];
    }
  | { readonly op: 'calc'; readonly name: string; readonly fn: CalcFunction; readonly args: readonly Value[] }
  /** An expanded macro. Its instructions carry the call in their `stack`. */
  | {
      readonly op: 'call';
      readonly macro: string;
      readonly args: readonly string[];
      readonly body: readonly Instruction[];
    }
  /** `FUNC: m` without such a macro: SCN201 W when read, `error` when run. */
  | { readonly op: 'unknown-macro'; readonly macro: string }
  | { readonly op: 'repeat'; readonly count: number; readonly body: readonly Instruction[] }
  /** LOOP n TIMES or LOOP WHILE: ITER counts from 0; WHILE past 1000 rounds is `error`. */
  | {
      readonly op: 'loop';
      readonly times?: number | { readonly template: string };
      readonly condition?: Condition;
      readonly body: readonly Instruction[];
    }
  | { readonly op: 'goto'; readonly goal: string }
  /** Runs its body if a command on that sensor, target or path failed or erred in this goal. */
  | { readonly op: 'if-fail'; readonly key: string; readonly body: readonly Instruction[] }
  | {
      readonly op: 'expect-device';
      readonly path: string;
      readonly chip?: string;
      readonly kind?: string;
      readonly texts: CheckTexts;
    }
  | { readonly op: 'expect-i2c-bus'; readonly path: string; readonly texts: CheckTexts }
  | {
      readonly op: 'expect-i2c-chip';
      readonly address: string;
      readonly name?: string;
      readonly texts: CheckTexts;
    }
  | {
      readonly op: 'api';
      readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
      readonly path: string;
      /** JSON text, interpolated, then parsed. */
      readonly body?: string;
    }
  | { readonly op: 'assert-status'; readonly status: number; readonly texts: CheckTexts }
  | {
      readonly op: 'assert-json';
      readonly path: string;
      readonly operator: ComparisonOperator | 'contains';
      readonly expected: string;
      readonly texts: CheckTexts;
    }
  | {
      readonly op: 'assert-sensor';
      readonly subject: Subject;
      readonly operator: ComparisonOperator;
      readonly threshold: Value;
      readonly texts: CheckTexts;
    }
  | {
      readonly op: 'assert-valve';
      readonly target: string;
      readonly id: string;
      readonly expected: boolean;
      readonly texts: CheckTexts;
    }
  | { readonly op: 'save-json'; readonly name: string }
  | { readonly op: 'export'; readonly name: string; readonly value: string }
  /** Known but not executable (SCN131): dry-run skips it, execute is `error`. */
  | { readonly op: 'not-executable'; readonly reason: string }
  /** ALLOW, DENY and the like: kept, without effect. */
  | { readonly op: 'no-effect' };

export type OperationName = Operation['op'];
