import type { ValidationIssue } from './report-shape.ts';
import type { SourceLine } from './source-line.ts';

export interface Finding {
  readonly line: number | null;
  readonly message: string;
  readonly suggestion?: string;
}

/** A rule that is judged on the text alone. */
export interface TextRule {
  readonly rule: string;
  readonly severity: ValidationIssue['severity'];
  find(lines: readonly SourceLine[]): Finding[];
}

/** Judges a text by every rule of a table, in the table's order. */
export const applyRules = (rules: readonly TextRule[], lines: readonly SourceLine[]): ValidationIssue[] =>
  rules.flatMap(({ rule, severity, find }) =>
    find(lines).map(({ line, message, suggestion }) => ({
      rule,
      severity,
      message,
      line,
      suggestion: suggestion ?? null,
    })),
  );

/** One finding for each line that matches. */
export const onEachLine =
  (matches: RegExp | ((line: SourceLine) => boolean), report: (text: string) => Omit<Finding, 'line'>) =>
  (lines: readonly SourceLine[]): Finding[] =>
    lines
      .filter((line) => (matches instanceof RegExp ? matches.test(line.text) : matches(line)))
      .map(({ number, text }) => ({ line: number, ...report(text) }));
