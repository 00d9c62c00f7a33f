import { type Measurement, measurementsOf } from '../../scenario/records/measurements.ts';
import { rigIdOf } from '../../scenario/records/rig-key.ts';
import { actualValueText } from '../../scenario/run/check-text.ts';
import { shownLimit } from '../../scenario/values/shown-number.ts';
import { type ReportSource, reportText } from '../../services/server/report.ts';
import { visible } from '../diagnostics/cells.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { findRecord } from '../records/find-record.ts';
import { loadFound } from '../records/load-found.ts';

/** `svcctl show`: what a person wants to know of a run first. @returns exit code @throws CliError */
export async function showCommand(name: string, options: { json?: boolean }, io: Io): Promise<number> {
  const source = await loadFound(findRecord(name, io));
  const lines = options.json ? [] : [...headOf(source), ...measured(source), ...tailOf(source)];
  io.stdout.write(options.json ? reportText('json', source) : `${lines.map(visible).join('\n')}\n`);
  return EXIT.ok;
}

function headOf({ file: { identity, ending }, view }: ReportSource): string[] {
  const { unit_under_test, part, revision, batch, operator, station, started_by } = identity;
  const judged = view.passed === null ? '' : `  ${view.passed}/${view.total} passed`;
  const mark = view.simulated ? ' (simulated, not a test)' : view.bench ? ' (bench, not a test)' : '';
  const named = [
    ['unit', unit_under_test],
    ['part', part],
    ['revision', revision],
    ['batch', batch],
    ['operator', operator],
    ['station', station && `${station.host}, ${station.rig_id}`],
    ['started by', started_by],
    ['first failed', ending?.first_failed && `${ending.first_failed.block}: ${ending.first_failed.message}`],
  ] as const;
  // Records of earlier versions lack some.
  const shown = (value: string | null | undefined) => (value === undefined ? 'not recorded' : value);
  return [
    `${view.run_id}  ${view.status}${mark}${judged}`,
    `  ${'scenario'.padEnd(12)}  ${identity.scenario.id}, ${view.started_at} to ${view.ended_at}`,
    ...named.flatMap(([name, value]) => (value === null ? [] : [`  ${name.padEnd(12)}  ${shown(value)}`])),
  ];
}

function measured({ file, record }: ReportSource): string[] {
  const rows = measurementsOf(record.result.events, file.identity.scenario.id);
  return rows.length === 0 ? [] : ['', ...rows.map(rowText)];
}

const limit = (value: number | null): string => (value === null ? '' : shownLimit(value));

function rowText(row: Measurement): string {
  const { block, check, unit, low, high, outcome, attempt } = row;
  const value = row.value === null ? 'no value' : actualValueText({ actual: row.value, low, high });
  const limits = low === null && high === null ? '' : `  [${limit(low)} .. ${limit(high)}]`;
  const again = attempt === 1 ? '' : `  attempt ${attempt}`;
  return `  ${outcome.padEnd(7)}  ${block}: ${check}  ${value}${unit ? ` ${unit}` : ''}${limits}${again}`;
}

function tailOf({ file: { identity, ending } }: ReportSource): string[] {
  const { safe_state, errors = [] } = ending ?? {};
  return [
    '',
    ...errors.map(({ code, message }) => `  ${code}: ${message}`),
    ...(safe_state ? [`  safe state: ${safe_state.outcome} (${safe_state.reason})`] : []),
    identity.key
      ? `  sealed by ${rigIdOf(identity.key)}, key ${identity.key.fingerprint}`
      : '  not sealed: recorded by a version without seals',
  ];
}
