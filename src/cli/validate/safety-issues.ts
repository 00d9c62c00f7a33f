import { rigReasons } from '../../scenario/diagnostics/rig-finding.ts';
import { diagnosticIssues } from '../../scenario/profiles/diagnostic-issue.ts';
import { type CompletedReport, completedReport } from '../../scenario/profiles/report-shape.ts';
import type { CheckedScenario } from '../../scenario/safety/load-checked.ts';

/**
 * The report of a profile with the findings of the safety check: what would not be run is not valid. What only this
 * rig cannot run is valid, and named.
 */
export function withSafety(
  { validator, source, issues, migration_rules }: CompletedReport,
  file: string,
  { safety, diagnostics }: CheckedScenario,
  as: 2 | 3 | 4 | undefined,
): CompletedReport {
  const rule = as === 4 ? (severity: string) => `runtime_${severity}` : undefined;
  const added = diagnosticIssues(safety?.findings ?? [], file, rule);
  const report = completedReport(validator, source, [...issues, ...added], migration_rules);
  const reasons = rigReasons(diagnostics);
  return { ...report, rig: { can_run: report.valid && reasons.length === 0, reasons } };
}
