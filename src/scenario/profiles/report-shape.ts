import type { Severity } from '../diagnostics/diagnostic.ts';

/** One finding of a profile. */
export interface ValidationIssue {
  /** Name of the profile's rule, or of the reader's diagnostic, for example `goal_set_name` or `unknown-command`. */
  readonly rule: string;
  readonly severity: Exclude<Severity, 'info'>;
  readonly message: string;
  /** Line in the validated text, from 1; null when the finding belongs to the text as a whole or to another file. */
  readonly line: number | null;
  readonly suggestion: string | null;
}

/** How a text of the target version is written, for the person who has to mend it. */
export type MigrationRules = Readonly<Record<string, string>>;

/** `valid` = no error. */
export interface CompletedReport {
  readonly schema_version: '1.0';
  readonly validator: string;
  readonly source: string;
  readonly valid: boolean;
  readonly summary: { readonly errors: number; readonly warnings: number; readonly issues_total: number };
  readonly issues: readonly ValidationIssue[];
  readonly migration_rules: MigrationRules;
  /** What stands only against the configuration of this rig; added by the command line, which knows the rig. */
  readonly rig?: { readonly can_run: boolean; readonly reasons: readonly string[] };
}

/** The text could not be judged at all. Never valid. */
export interface FatalReport {
  readonly valid: false;
  readonly fatal: string;
}

export type ValidationReport = CompletedReport | FatalReport;

/** True when the text was judged, so that `issues` and `summary` are there. */
export const isCompleted = (report: ValidationReport): report is CompletedReport => !('fatal' in report);

export const fatalReport = (reason: string): FatalReport => ({ valid: false, fatal: reason });

/** Counts the issues and derives `valid`; no caller decides validity by itself. */
export function completedReport(
  validator: string,
  source: string,
  issues: readonly ValidationIssue[],
  migrationRules: MigrationRules,
): CompletedReport {
  const errors = issues.filter((issue) => issue.severity === 'error').length;
  return {
    schema_version: '1.0',
    validator,
    source,
    valid: errors === 0,
    summary: { errors, warnings: issues.length - errors, issues_total: issues.length },
    issues,
    migration_rules: migrationRules,
  };
}
