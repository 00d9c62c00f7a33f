/** The kind of an argument; decides completion, hover and formatting. */
export type ArgumentKind =
  | 'target'
  | 'sensor'
  | 'variable'
  | 'label'
  | 'value'
  | 'unit'
  | 'quantity'
  | 'duration'
  | 'range'
  | 'condition'
  | 'goal'
  | 'macro'
  | 'text'
  | 'path'
  | 'number'
  | 'word'
  | 'json'
  | 'rest';

export interface ArgumentSpec {
  readonly name: string;
  readonly kind: ArgumentKind;
  readonly optional?: boolean;
}

/** What a command can do to a run. */
export type Effect =
  | 'actuate'
  | 'read'
  | 'check'
  | 'bound'
  | 'control'
  | 'variable'
  | 'message'
  | 'pause'
  | 'sample'
  | 'network'
  | 'none';

/** One row of the command table, used by reader, suggestions, formatter, documentation and editors. */
export interface CommandSpec {
  readonly name: string;
  readonly aliases: readonly string[];
  /** Language version that brought it. */
  readonly since: 1 | 2 | 3 | 4 | 5;
  readonly contexts: readonly ('goal' | 'config' | 'macro' | 'top')[];
  readonly args: readonly ArgumentSpec[];
  readonly effect: Effect;
  readonly doc: string;
  /** Each parses without an error inside a goal. Lines are separated by `\n`. */
  readonly examples: readonly string[];
  /** Known, but not executable here (SCN131). */
  readonly notExecutable?: boolean;
  /** A form of older versions (SCN301). */
  readonly legacy?: boolean;
}
