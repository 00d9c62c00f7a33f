import { rigReasons } from '../../scenario/diagnostics/rig-finding.ts';
import { diagnosticIssues } from '../../scenario/profiles/diagnostic-issue.ts';
import {
  type CompletedReport,
  completedReport,
  type ValidationIssue,
} from '../../scenario/profiles/report-shape.ts';
import type { CheckedScenario } from '../../scenario/safety/load-checked.ts';
import { posInLine } from '../../scenario/source/position.ts';
import type { Finding } from '../diagnostics/render.ts';
import type { SourceTexts } from '../diagnostics/source-texts.ts';

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

/** An issue of a profile as it is shown: it names a line, so the whole text of that line is its range. */
export function issueFinding(issue: ValidationIssue, file: string, texts: SourceTexts): Finding {
  const { rule, severity, message, line, suggestion } = issue;
  const text = line === null ? undefined : texts.line(file, line);
  const start = (text?.match(/\S/)?.index ?? 0) + 1;
  return {
    severity,
    label: rule,
    message,
    notes: suggestion === null ? [] : [['help', suggestion]],
    ...(line === null ? {} : { pos: posInLine(file, line, start, (text?.trimEnd().length ?? start) + 1) }),
  };
}
