import { type CalibrationStanding, calibrationStatus } from '../../rig/calibration/calibration-status.ts';
import { changeConfigFile } from '../../rig/configuration/edit-config.ts';
import { loadRigConfig } from '../../rig/configuration/load-rig-config.ts';
import type { CalibrationEntry } from '../../rig/configuration/types.ts';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { table } from '../io/table.ts';

/**
 * `svcctl calibration list`: what the sensors are calibrated by, and whether a run may use it.
 * @returns 0 when all may be used, 1 when one may not
 * @throws ConfigError, CliError
 */
export function calibrationList(options: { json?: true }, io: Io): number {
  const { path, found } = configuredCalibrations(io);
  const ok = found.every(({ standing }) => standing.state === 'valid');
  const lines = options.json
    ? [JSON.stringify({ ok, config: path, calibrations: found.map(told) })]
    : found.length === 0
      ? [`${path} has no calibration: the sensors give volts only`]
      : [...table([HEAD, ...found.map(row)]), ...found.flatMap(remedy)];
  io.stdout.write(`${lines.join('\n')}\n`);
  return ok ? EXIT.ok : EXIT.failed;
}

const HEAD = ['SENSOR', 'CALIBRATION', 'UNIT', 'DUE', 'CONFIRMED', 'STATE'];

const row = ({ sensor, calibration, standing }: Configured): string[] => [
  sensor,
  calibration.id,
  calibration.unit,
  calibration.dueAt ?? 'no date',
  calibration.confirmedAt === undefined
    ? 'never'
    : `${calibration.confirmedAt}${calibration.confirmedBy === undefined ? '' : ` by ${calibration.confirmedBy}`}`,
  standing.state.replaceAll('_', ' '),
];

const remedy = ({ calibration, standing }: Configured): string[] =>
  standing.fault === null ? [] : [`${calibration.id} ${standing.fault}`];

/**
 * `svcctl calibration confirm`: a person says that a calibration holds. What cannot hold (expired, without due date, or
 * with a clock that stands before it) is not confirmed.
 * @returns 0 when it is confirmed, also when it was before
 * @throws ConfigError; CliError exit code 2 for an unknown id, `calibration_not_confirmable` with exit code 3
 */
export async function calibrationConfirm(
  id: string,
  options: { by: string; json?: true },
  io: Io,
): Promise<number> {
  const by = options.by.trim();
  if (by === '') throw usageError('--by is empty: name the person who confirms');
  const { path, found } = configuredCalibrations(io);
  const chosen = choose(id, found, path);
  const { sensor, standing } = chosen;
  if (standing.state !== 'valid') {
    if (standing.state !== 'unconfirmed')
      throw new CliError(
        'calibration_not_confirmable',
        `the calibration ${id} of ${sensor} ${standing.fault}`,
        EXIT.error,
      );
    const place = ['sensors', sensor, 'calibration'];
    const now = new Date(io.clock.now()).toISOString();
    await changeConfigFile(
      path,
      [
        { path: [...place, 'confirmed_at'], value: now },
        { path: [...place, 'confirmed_by'], value: by },
      ],
      { service: 'svcctl calibration', clock: io.clock },
    );
  }
  const after = choose(id, configuredCalibrations(io).found, path);
  const { confirmedAt, confirmedBy, unit } = after.calibration;
  const text = `${id} of ${sensor} (${unit}): confirmed ${confirmedAt}${confirmedBy ? ` by ${confirmedBy}` : ''}`;
  const unchanged = standing.state === 'valid' ? '; it was before, nothing was changed' : '';
  const line = options.json
    ? JSON.stringify({ ok: true, config: path, ...told(after) })
    : `${text}${unchanged}`;
  io.stdout.write(`${line}\n`);
  return EXIT.ok;
}

function choose(id: string, found: readonly Configured[], path: string): Configured {
  const chosen = found.find(({ calibration }) => calibration.id === id);
  if (chosen) return chosen;
  const ids = found.map(({ calibration }) => calibration.id);
  const near = suggest(id, ids);
  const known = ids.length === 0 ? 'it has none' : `it has ${ids.join(', ')}`;
  throw usageError(`${path} has no calibration "${id}": ${near ? `did you mean ${near}?` : known}`);
}

/** A calibration of the configured rig. */
interface Configured {
  /** As `svc.yaml` names it. */
  readonly sensor: string;
  readonly calibration: CalibrationEntry;
  readonly standing: CalibrationStanding;
}

/**
 * The calibrations in `svc.yaml` as they stand now.
 * @throws ConfigError; CliError `no_config` when there is no file
 */
function configuredCalibrations({ env, cwd, clock }: Io): { path: string; found: Configured[] } {
  const { config, path } = loadRigConfig({ env, cwd });
  if (path === undefined) {
    const places = 'SVC_CONFIG_PATH, ./svc.yaml or /etc/svc/svc.yaml';
    throw new CliError(
      'no_config',
      `there is no configuration file, and calibrations stand there: ${places}`,
    );
  }
  const found = Object.entries(config.sensors).flatMap(([sensor, { calibration }]): Configured[] =>
    calibration ? [{ sensor, calibration, standing: calibrationStatus(calibration, clock.now()) }] : [],
  );
  return { path, found };
}

/** One calibration as `--json` tells it. */
const told = ({ sensor, calibration, standing }: Configured) => ({
  sensor,
  id: calibration.id,
  unit: calibration.unit,
  kind: calibration.kind,
  calibrated_at: calibration.calibratedAt ?? null,
  due_at: calibration.dueAt ?? null,
  confirmed_at: calibration.confirmedAt ?? null,
  confirmed_by: calibration.confirmedBy ?? null,
  source: calibration.source ?? null,
  state: standing.state,
  fault: standing.fault,
});
