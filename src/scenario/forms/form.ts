import type { Token } from '../source/token.ts';

/** Milliseconds, or a text with `$` that becomes a duration when it runs. */
export type DurationForm = number | { readonly template: string };

/** `ELSE ERROR 't'`, `ELSE GOAL 'g'`, or ELSE alone. */
export type ElseForm =
  | { readonly branch: 'message'; readonly level: 'error' | 'info' | 'warning'; readonly text: string }
  | { readonly branch: 'goal'; readonly goal: string; readonly token: Token }
  | { readonly branch: 'open' };

/** What the arguments of each command are parsed into. Every command adds its own form, in its file of `commands/`. */
// biome-ignore lint/suspicious/noEmptyInterface: the commands fill it
export interface Forms {}

export type FormName = keyof Forms;
export type FormOf<F extends FormName> = { [K in F]: { readonly form: K } & Forms[K] }[F];

/**
 * A command with parsed arguments and unresolved names, shared by formatter and compiler. Subjects of
 * conditions are `unknown` here; the compiler resolves them.
 */
export type Form = FormOf<FormName>;
