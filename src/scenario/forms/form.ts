import type { CalcFunction } from '../program/instruction.ts';
import type { ComparisonOperator, Condition, Value } from '../program/operand.ts';
import type { Pos } from '../source/position.ts';
import type { Token } from '../source/token.ts';

/** Milliseconds, or a text with `$` that becomes a duration when it runs. */
export type DurationForm = number | { readonly template: string };

/** `ELSE ERROR 't'`, `ELSE GOAL 'g'`, or ELSE alone. */
export type ElseForm =
  | { readonly branch: 'message'; readonly level: 'error' | 'info' | 'warning'; readonly text: string }
  | { readonly branch: 'goal'; readonly goal: string; readonly token: Token }
  | { readonly branch: 'open' };

/** What PROMPT and `TASK ... CONFIRM` share. */
export interface PromptParts {
  readonly text: string;
  /** Empty without CHOICES. */
  readonly choices: readonly string[];
  readonly timeout?: DurationForm;
  readonly orElse?: ElseForm;
}

export type TaskVerb = 'on' | 'off' | 'save' | 'measure' | 'other';

export interface TaskAction {
  readonly verb: TaskVerb;
  readonly word: string;
  readonly object: string;
  readonly token: Token;
}

/**
 * A command with its arguments understood but no name looked up: what formatter and compiler share. Subjects of
 * conditions are `unknown` here; the compiler resolves them.
 */
export type Form =
  | {
      readonly form: 'set';
      readonly target: string;
      readonly targetToken: Token;
      readonly value: Value;
      /** The value with its unit. */
      readonly valuePos: Pos;
      readonly equals: boolean;
    }
  | { readonly form: 'wait'; readonly duration: DurationForm; readonly bySet: boolean }
  | { readonly form: 'reset-timer' }
  | { readonly form: 'get'; readonly name: string; readonly token: Token; readonly unit?: string }
  | { readonly form: 'save'; readonly label: string; readonly name?: string; readonly token: Token }
  | { readonly form: 'check'; readonly condition: Condition }
  | {
      readonly form: 'if';
      readonly condition: Condition;
      readonly isRange: boolean;
      readonly orElse?: ElseForm;
    }
  | {
      readonly form: 'condition';
      readonly condition: Condition;
      readonly action?: 'ERROR' | 'PASS' | 'WAIT';
      readonly text?: string;
    }
  | { readonly form: 'correct'; readonly text: string }
  | { readonly form: 'error'; readonly text: string }
  | { readonly form: 'else'; readonly orElse: ElseForm }
  | { readonly form: 'close' }
  | { readonly form: 'optional' }
  | {
      readonly form: 'bound';
      readonly side: 'MIN' | 'MAX' | 'RANGE';
      readonly name: string;
      readonly token: Token;
      readonly low?: Value;
      readonly high?: Value;
    }
  | {
      readonly form: 'delta';
      readonly name: string;
      readonly token: Token;
      readonly window: DurationForm;
      /** By the sign as written; `signed` where only the value of a variable tells it. */
      readonly direction: 'rise' | 'fall' | 'none' | 'signed';
      readonly threshold: Value;
    }
  | {
      readonly form: 'sample';
      readonly name: string;
      readonly token: Token;
      readonly interval?: DurationForm;
      readonly start: boolean;
    }
  | { readonly form: 'log'; readonly level: 'info' | 'warning' | 'alarm' | 'result'; readonly text: string }
  | {
      readonly form: 'verdict-text';
      readonly when: 'pass' | 'fail';
      readonly name?: string;
      readonly text: string;
      readonly goTo?: string;
      readonly goToToken?: Token;
      readonly retry?: number;
    }
  | {
      readonly form: 'task';
      readonly label: string;
      readonly text: string;
      /** `CONFIRM`: it waits for a person. */
      readonly confirm?: PromptParts;
    }
  | { readonly form: 'task-list'; readonly actions: readonly TaskAction[] }
  | {
      readonly form: 'arrow';
      readonly action: 'set' | 'read' | 'save' | 'confirm' | 'wait' | 'other';
      readonly object: string;
      readonly token: Token;
      readonly value?: Value;
      readonly text: string;
      /** Of `Operator.confirm`; the name takes the answer. */
      readonly timeout?: DurationForm;
      readonly nameToken?: Token;
    }
  | { readonly form: 'declare'; readonly name: string; readonly value: Value }
  | { readonly form: 'default'; readonly name: string; readonly token: Token; readonly value: Value }
  | ({ readonly form: 'prompt'; readonly name?: string; readonly nameToken?: Token } & PromptParts)
  | {
      readonly form: 'calc';
      readonly name: string;
      readonly fn: CalcFunction;
      readonly args: readonly Value[];
      readonly token: Token;
    }
  | {
      readonly form: 'call';
      readonly macro: string;
      readonly token: Token;
      readonly args: readonly Token[];
      readonly loose: boolean;
    }
  | { readonly form: 'repeat'; readonly count: number }
  | {
      readonly form: 'loop';
      readonly times?: number | { readonly template: string };
      readonly condition?: Condition;
    }
  | { readonly form: 'goto'; readonly goal: string; readonly token: Token }
  | { readonly form: 'if-fail'; readonly key: string }
  | { readonly form: 'expect-device'; readonly path: string; readonly chip?: string; readonly kind?: string }
  | { readonly form: 'expect-i2c-bus'; readonly path: string }
  | { readonly form: 'expect-i2c-chip'; readonly address: string; readonly name?: string }
  | {
      readonly form: 'api';
      readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
      readonly path: string;
      readonly body?: string;
    }
  | { readonly form: 'assert-status'; readonly status: number }
  | {
      readonly form: 'assert-json';
      readonly path: string;
      readonly operator: ComparisonOperator | 'contains';
      readonly expected: string;
    }
  | {
      readonly form: 'assert-sensor';
      readonly name: string;
      readonly token: Token;
      readonly operator: ComparisonOperator;
      readonly threshold: Value;
    }
  | {
      readonly form: 'assert-valve';
      readonly name: string;
      readonly token: Token;
      readonly expected: boolean;
    }
  | { readonly form: 'save-json'; readonly name: string }
  | { readonly form: 'export'; readonly name: string; readonly value: string }
  | { readonly form: 'not-executable' }
  | { readonly form: 'no-effect' };
