import type { Pos } from '../source/position.ts';
import type { CatalogueName, Code } from './catalogue.ts';

export type Severity = 'error' | 'warning' | 'info';

/** A replacement of the text at `pos` that resolves the diagnostic. */
export interface Fix {
  readonly pos: Pos;
  readonly text: string;
}

/** One finding about a scenario, at reading time or at run time. */
export interface Diagnostic {
  readonly code: Code;
  readonly name: CatalogueName;
  readonly severity: Severity;
  /** What was found, what was expected, and the remedy, in one or two sentences. */
  readonly message: string;
  readonly pos: Pos;
  /** Call sites, innermost first, when the finding lies in an expanded macro. */
  readonly stack?: readonly Pos[];
  /** The name that was probably meant. */
  readonly suggestion?: string;
  readonly fix?: Fix;
}
