import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { table } from '../io/table.ts';
import { type Configured, configuredCalibrations, told } from './calibrations.ts';

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
