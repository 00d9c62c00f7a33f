import { changeConfigFile } from '../../rig/configuration/edit-config.ts';
import { suggest } from '../../scenario/diagnostics/suggest.ts';
import { CliError, usageError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { Io } from '../io/io.ts';
import { type Configured, configuredCalibrations, told } from './calibrations.ts';

/**
 * `svcctl calibration confirm`: a person says that a calibration holds. What cannot hold (expired, without due date, or
 * with a clock that stands before it) is not confirmed.
 * @returns 0 when it is confirmed, also when it was before
 * @throws ConfigError; CliError exit code 2 for an unknown id, `calibration_not_confirmable` with exit code 3
 */
export function calibrationConfirm(id: string, options: { by: string; json?: true }, io: Io): number {
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
    changeConfigFile(path, [
      { path: [...place, 'confirmed_at'], value: now },
      { path: [...place, 'confirmed_by'], value: by },
    ]);
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
