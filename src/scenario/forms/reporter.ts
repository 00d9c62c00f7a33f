import type { Code, SeverityClass } from '../diagnostics/catalogue.ts';
import type { Fix } from '../diagnostics/diagnostic.ts';
import type { Pos } from '../source/position.ts';

export interface ReportExtra {
  readonly suggestion?: string | undefined;
  readonly fix?: Fix | undefined;
  readonly severity?: SeverityClass;
}

/** Receives findings of parsing and compiling; the call sites of a macro are appended. */
export type Report = (code: Code, message: string, pos: Pos, extra?: ReportExtra) => void;
