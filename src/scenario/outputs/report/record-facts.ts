import { firstFailedOf, measurementsOf } from '../../records/measurements.ts';
import type { RunFile } from '../../records/run-file.ts';
import type { ConfiguredCalibration } from '../../records/run-identity.ts';
import { retriesOf } from '../../records/run-retries.ts';
import { shownNumber } from '../../values/shown-number.ts';
import { escapeMarkup } from '../markup.ts';
import type { RunRecord } from '../record.ts';
import { table } from './table.ts';

/** Of a member that the record does not have: records of earlier versions lack some. */
const NOT_RECORDED = 'not recorded';

type Fact = readonly [name: string, text: string];

/** Who, where and on what a recorded run was made; nothing of a run without a record. */
export function recordFacts({ file, sealedBy }: RunRecord): Fact[] {
  if (!file) return [];
  const { run_id, station, started_by, clock } = file.identity;
  const { devices } = file.ending ?? {};
  const synchronised = { true: 'set by a time server', false: 'not set by a time server', null: 'not known' };
  return [
    ['Run', run_id],
    ...unrecordedUnit(file.identity),
    ['Station', station ? `${station.host}, ${station.rig_id}` : NOT_RECORDED],
    ['Started by', started_by ?? NOT_RECORDED],
    ['Devices', devices ? devicesText(devices) || 'none' : NOT_RECORDED],
    ['Clock', clock ? synchronised[`${clock.synchronised}`] : NOT_RECORDED],
    sealedBy ? ['Sealed with', sealedBy.fingerprint] : ['Seal', 'NOT SEALED: nothing protects the record'],
  ];
}

/** Facts of the unit that records of earlier versions lack, so that nobody takes them as named by nobody. */
function unrecordedUnit({ part, revision, batch }: RunFile['identity']): Fact[] {
  const named = { 'Part number': part, Revision: revision, Batch: batch };
  return Object.entries(named).flatMap(([name, value]): Fact[] =>
    value === undefined ? [[name, NOT_RECORDED]] : [],
  );
}

/** `real: pump-motor, valves; bench: lung-motor` */
function devicesText(devices: Readonly<Record<string, string>>): string {
  const byMode = new Map<string, string[]>();
  for (const [id, mode] of Object.entries(devices)) byMode.set(mode, [...(byMode.get(mode) ?? []), id]);
  return [...byMode].map(([mode, ids]) => `${mode}: ${ids.join(', ')}`).join('; ');
}

/** What failed first, for the top of the page; empty when nothing failed. */
export function firstFailure({ result }: RunRecord): string {
  const first = firstFailedOf(measurementsOf(result.events, ''));
  const goal = result.goals.find(({ outcome }) => outcome === 'failed' || outcome === 'error');
  const text = first ? `${first.block}: ${first.message}` : goal?.message && `${goal.name}: ${goal.message}`;
  return text ? `<p class="first">First failure: ${escapeMarkup(text)}</p>` : '';
}

/** Blocks that were tried again, with each attempt: a fault that went away stays visible. */
export function retriesTable({ result }: RunRecord): string {
  const rows = retriesOf(result.events).flatMap(({ block, attempts }) =>
    attempts.map((one) => ({ block, ...one })),
  );
  if (rows.length === 0) return '';
  return table(
    rows,
    [
      { title: 'Outcome', text: ({ outcome }) => outcome, kind: ({ outcome }) => outcome },
      { title: 'Block', text: ({ block }) => block },
      { title: 'Attempt', text: ({ attempt }) => String(attempt), numeric: true },
      { title: 'Remark', text: ({ message }) => message ?? '' },
    ],
    'none',
  );
}

/** The calibrations of the sensors that the run measured with, from its record. */
export function calibrationTable({ result, file }: RunRecord): string {
  const used = new Set(
    result.events.flatMap((event) =>
      'calibration' in event && event.calibration ? [event.calibration] : [],
    ),
  );
  const rows = (file?.identity.calibrations ?? []).filter(({ id }) => used.has(id));
  if (rows.length === 0) return '';
  return table<ConfiguredCalibration>(
    rows,
    [
      { title: 'Calibration', text: ({ id }) => id },
      { title: 'Sensor', text: ({ sensor }) => sensor },
      { title: 'Made', text: ({ calibrated_at }) => calibrated_at ?? 'not said' },
      { title: 'Due', text: ({ due_at }) => due_at ?? 'not said' },
      {
        title: 'U (k = 2)',
        text: ({ uncertainty }) =>
          uncertainty === undefined
            ? NOT_RECORDED
            : uncertainty === null
              ? 'not said'
              : shownNumber(uncertainty),
        numeric: true,
      },
      { title: 'Confirmed by', text: ({ confirmed_by }) => confirmed_by ?? 'not confirmed' },
    ],
    'none',
  );
}

/** Path of the scenario below the folder of the scenarios; of a run without a record as it was named. */
export function scenarioPath({ result, file }: RunRecord): string {
  if (!file) return result.source;
  const { id, file: path } = file.identity.scenario;
  const ending = /\.[^./\\]*$/.exec(path)?.[0] ?? '';
  return path.endsWith(`${id}${ending}`) ? `${id}${ending}` : path;
}
