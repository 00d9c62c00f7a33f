import { shownOutcome, shownRunOutcome } from '../run/outcome.ts';
import type { GoalResult } from '../run/result.ts';
import { formatPos } from '../source/position.ts';
import { checkCells, csvCell } from './csv.ts';
import { type RunRecord, recordCells, rowsOf, type TestedUnit, UNNAMED_UNIT } from './record.ts';

const COLUMNS = [
  'scenario',
  'file',
  'started_at',
  'run_outcome',
  'block',
  'block_outcome',
  'check',
  'sensor',
  'value',
  'unit',
  'low',
  'high',
  'outcome',
  'message',
  'calibration',
  'time',
  'at',
  'unit_under_test',
  'part',
  'revision',
  'batch',
  'operator',
  'simulated',
  'bench',
  'run',
  'station',
] as const;
type Column = (typeof COLUMNS)[number];
type Cells = Partial<Record<Column, string | number | boolean | null>>;

/** A scenario and its run, or why there is none. */
export type CsvEntry = { readonly name: string } & (
  | { readonly record: RunRecord }
  | {
      readonly file: string;
      readonly outcome: 'error' | 'skipped';
      readonly reason: string;
      readonly tested?: TestedUnit | undefined;
    }
);

/**
 * One row for each check and each bound, with limits, outcome and the unit under test, as CSV (RFC 4180, UTF-8). A block without checks
 * and a scenario that was not run have a row of their own, so that what was not judged is not missing.
 */
export function checksCsv(entries: readonly CsvEntry[]): string {
  const rows = entries.flatMap((entry) =>
    'record' in entry ? runRows(entry.name, entry.record) : [unrunRow(entry)],
  );
  const lines = rows.map((row) => COLUMNS.map((column) => csvCell(row[column] ?? '')).join(','));
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}

function runRows(name: string, record: RunRecord): Cells[] {
  const { result, tested } = record;
  const { source: file, startedAt: started_at, simulated, bench } = result;
  const run_outcome = shownRunOutcome(result);
  const common: Cells = {
    scenario: name,
    file,
    started_at,
    run_outcome,
    ...unitCells(tested),
    simulated,
    bench,
    ...recordCells(record),
  };
  if (result.goals.length === 0) return [{ ...common, outcome: run_outcome }];
  return result.goals.flatMap((goal) => blockRows(result, goal).map((row) => ({ ...common, ...row })));
}

function blockRows(result: RunRecord['result'], goal: GoalResult): Cells[] {
  const block = goal.kind === 'CONFIG' ? `[CONFIG] ${goal.name}` : goal.name;
  // A goal may end in an error after checks that passed.
  const block_outcome = goal.outcome === null ? null : shownOutcome(goal.outcome, goal);
  const rows = rowsOf(result, goal.index);
  if (rows.length === 0)
    return [
      { block, block_outcome, outcome: block_outcome, message: goal.message ?? '', at: formatPos(goal.pos) },
    ];
  return rows.map((row) => {
    const { kind: check, sensor, time, pos } = row.check;
    return { block, block_outcome, check, sensor, ...checkCells(row), time, at: pos ? formatPos(pos) : '' };
  });
}

function unrunRow({
  name,
  file,
  outcome,
  reason,
  tested,
}: Exclude<CsvEntry, { readonly record: RunRecord }>): Cells {
  return { scenario: name, file, run_outcome: outcome, outcome, message: reason, ...unitCells(tested) };
}

const unitCells = ({ unit, part, revision, batch, operator }: TestedUnit = UNNAMED_UNIT): Cells => ({
  unit_under_test: unit,
  part,
  revision,
  batch,
  operator,
});
