import type { Code, SeverityClass } from '../diagnostics/catalogue.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import type { Pos } from '../source/position.ts';

export interface ReportExtra {
  readonly suggestion?: string | undefined;
  readonly fix?: Fix | undefined;
  readonly severity?: SeverityClass;
}

/** Where parsing and compiling report to; the call sites of a macro are added behind it. */
export type Report = (code: Code, message: string, pos: Pos, extra?: ReportExtra) => void;
