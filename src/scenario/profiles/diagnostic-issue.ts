import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { formatPos, type Pos } from '../source/position.ts';
import type { ValidationIssue } from './report-shape.ts';

/** Errors and warnings as issues; information is no issue. Without `rule` the diagnostic's own name is the rule. */
export function diagnosticIssues(
  diagnostics: readonly Diagnostic[],
  file: string,
  rule?: (severity: ValidationIssue['severity']) => string,
): ValidationIssue[] {
  return diagnostics.flatMap((diagnostic) => {
    const { code, name, severity, pos, suggestion, fix } = diagnostic;
    if (severity === 'info') return [];
    const here = placeInFile(diagnostic, file);
    const where = pos.file === file ? '' : ` (${formatPos(pos)})`;
    const message = diagnostic.message + where;
    return [
      {
        rule: rule ? rule(severity) : name,
        severity,
        message: rule ? `${code} ${name}: ${message}` : message,
        line: here?.line ?? null,
        suggestion: suggestion ?? fix?.text ?? null,
      },
    ];
  });
}

/** The line a person has to look at: that of the finding, or the line in this file that led to an included one. */
function placeInFile({ pos, stack }: Diagnostic, file: string): Pos | undefined {
  return [pos, ...(stack ?? [])].find((one) => one.file === file);
}

/** Each finding once, also when reader and dry-run both tell it. */
export function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Map<string, Diagnostic>();
  for (const diagnostic of diagnostics) {
    const key = `${diagnostic.code} ${formatPos(diagnostic.pos)} ${diagnostic.message}`;
    if (!seen.has(key)) seen.set(key, diagnostic);
  }
  return [...seen.values()];
}
