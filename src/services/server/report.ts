import { csvTable } from '../../scenario/outputs/csv.ts';
import { junitXml } from '../../scenario/outputs/junit.ts';
import type { RunRecord } from '../../scenario/outputs/record.ts';
import { reportPage } from '../../scenario/outputs/report/page.ts';
import { measurementsOf } from '../../scenario/records/measurements.ts';
import type { RunFile } from '../../scenario/records/run-file.ts';
import type { RunView } from './runs/run-view.ts';

export const REPORT_FORMATS = ['json', 'html', 'junit', 'csv'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

const KINDS: Readonly<Record<ReportFormat, { type: string; extension: string }>> = {
  json: { type: 'application/json; charset=utf-8', extension: 'json' },
  html: { type: 'text/html; charset=utf-8', extension: 'html' },
  junit: { type: 'application/xml; charset=utf-8', extension: 'xml' },
  csv: { type: 'text/csv; charset=utf-8', extension: 'csv' },
};

export interface ReportSource {
  view: RunView;
  file: RunFile;
  record: RunRecord;
}

/** A report as a file to be saved. */
export function reportOf(format: ReportFormat, source: ReportSource) {
  const { type, extension } = KINDS[format];
  const name = `${source.file.identity.run_id}.${extension}`;
  return {
    status: 200,
    text: reportText(format, source),
    headers: { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` },
  };
}

/** A report as text. */
export function reportText(format: ReportFormat, { view, file, record }: ReportSource): string {
  if (format === 'html') return reportPage(record);
  if (format === 'junit') return junitXml(record);
  if (format === 'csv') return csvTable(record);
  const { goals, diagnostics, samples, exports, durationMs, events } = record.result;
  const measurements = measurementsOf(events, file.identity.scenario.id);
  const { identity, events: seal } = file;
  return `${JSON.stringify({ ...view, duration_ms: durationMs, identity, evidence: seal, measurements, goals, diagnostics, samples, exports, events })}\n`;
}
