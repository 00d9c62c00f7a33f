import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { diagnosticIssues, withoutRepeats } from './diagnostic-issue.ts';
import { type DryRun, type DryRunOptions, describeFailure } from './dry-run.ts';
import type { ValidationIssue } from './report-shape.ts';

export interface RuntimeCheck extends DryRunOptions {
  readonly source: string;
  readonly file: string;
  /** What the reader found. */
  readonly found: readonly Diagnostic[];
  /** Undefined: no dry-run was wanted. */
  readonly run: DryRun | undefined;
  /** The text has only macros: there is nothing to run, and it is valid all the same. */
  readonly library: boolean;
}

const issue = (
  rule: string,
  severity: ValidationIssue['severity'],
  message: string,
  suggestion: string | null = null,
): ValidationIssue => ({ rule, severity, message, line: null, suggestion });

/**
 * The runtime rules of version 4: `runtime_dry_run` when the dry-run is not ok, `runtime_error` and `runtime_warning`
 * for each finding of reader and dry-run, `runtime_exception` when the interpreter crashed, `runtime_import` (warning)
 * when there was no dry-run. A library is not run and needs no dry-run.
 */
export async function runtimeIssues(check: RuntimeCheck): Promise<ValidationIssue[]> {
  const { source, file, found, run, library } = check;
  const toIssues = (diagnostics: readonly Diagnostic[]) =>
    diagnosticIssues(withoutRepeats(diagnostics), file, (severity) => `runtime_${severity}`);
  if (library) return toIssues(found);
  if (!run)
    return [
      ...toIssues(found),
      issue('runtime_import', 'warning', 'no dry-run was made', 'validate again with the dry-run'),
    ];
  try {
    const result = await run(source, file, check);
    const issues = toIssues([...found, ...result.diagnostics]);
    if (result.ok) return issues;
    return [issue('runtime_dry_run', 'error', describeFailure(result)), ...issues];
  } catch (thrown) {
    const crash = `the interpreter crashed: ${messageOf(thrown)}`;
    return [issue('runtime_exception', 'error', crash), ...toIssues(found)];
  }
}
