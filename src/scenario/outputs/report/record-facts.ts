import { firstFailedOf, measurementsOf } from '../../records/measurements.ts';
import type { ConfiguredCalibration } from '../../records/run-identity.ts';
import { retriesOf } from '../../records/run-retries.ts';
import { shownNumber } from '../../values/shown-number.ts';
import { escapeMarkup } from '../markup.ts';
import type { RunRecord } from '../record.ts';
import { table } from './table.ts';

type Fact = readonly [name: string, text: string];

/** Who, where and on what a recorded run was made; nothing of a run without a record. */
export function recordFacts({ file, sealedBy }: RunRecord): Fact[] {
  if (!file) return [];
  const { run_id, station, started_by, clock } = file.identity;
  const { devices = {} } = file.ending ?? {};
  const synchronised = { true: 'set by a time server', false: 'not set by a time server', null: 'not known' };
  return [
    ['Run', run_id],
    ...(station ? ([['Station', `${station.host}, ${station.rig_id}`]] as const) : []),
    ...(started_by ? ([['Started by', started_by]] as const) : []),
    ...(Object.keys(devices).length > 0 ? ([['Devices', devicesText(devices)]] as const) : []),
    ...(clock ? ([['Clock', synchronised[`${clock.synchronised}`]]] as const) : []),
    sealedBy ? ['Sealed with', sealedBy.fingerprint] : ['Seal', 'NOT SEALED: nothing protects the record'],
  ];
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
        text: ({ uncertainty }) => (uncertainty == null ? 'not said' : shownNumber(uncertainty)),
        numeric: true,
      },
      { title: 'Confirmed by', text: ({ confirmed_by }) => confirmed_by ?? 'nobody' },
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
