import type { Pos } from '../source/position.ts';

/**
 * A value as written in the scenario. Literals are parsed when the scenario is read; texts that hold `$name` or
 * `${name}` are resolved when the command runs.
 */
export type Value =
  | { readonly kind: 'quantity'; readonly value: number; readonly unit?: string }
  | { readonly kind: 'infinity'; readonly sign: 1 | -1 }
  /** A variable (in bounds and values), for example `low` or `AI01.avg`; `unit` when one was written after it. */
  | { readonly kind: 'variable'; readonly name: string; readonly unit?: string }
  /** Text with interpolation: interpolate, then read as a quantity (or as plain text where text is allowed). */
  | { readonly kind: 'template'; readonly text: string; readonly unit?: string }
  /** Plain text without interpolation, for example a valve word or the value of a variable. */
  | { readonly kind: 'text'; readonly text: string; readonly unit?: string };

/**
 * What a name in a check, GET or bound stands for: a registry sensor, else a variable, else the goal timer. `name`
 * is as written; `id` is the registry's.
 */
export type Subject =
  | { readonly kind: 'sensor'; readonly name: string; readonly id: string }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'timer'; readonly name: string }
  /** SCN222: nothing of that name exists; in execute mode an `error`, in dry-run a simulated sensor. */
  | { readonly kind: 'unknown'; readonly name: string };

export type ComparisonOperator = '<' | '<=' | '>' | '>=' | '=' | '!=';

export type Operand =
  | { readonly kind: 'subject'; readonly subject: Subject; readonly unit?: string; readonly pos?: Pos }
  /** Δp: change of a sampled sensor over its samples so far in the goal. */
  | { readonly kind: 'change'; readonly subject: Subject; readonly unit?: string; readonly pos?: Pos }
  | Value;

export type Condition =
  | { readonly kind: 'all'; readonly parts: readonly Condition[] }
  | { readonly kind: 'any'; readonly parts: readonly Condition[] }
  | {
      readonly kind: 'comparison';
      readonly left: Operand;
      readonly operator: ComparisonOperator;
      readonly right: Operand;
    }
  | {
      readonly kind: 'range';
      readonly subject: Operand;
      readonly low: Value;
      readonly high: Value;
      /** False for `<` in `CHECK 6 < p`; bounds are inclusive otherwise. */
      readonly lowInclusive: boolean;
      readonly highInclusive: boolean;
    };
