import { type CalibrationStanding, calibrationStanding } from '../../rig/calibration/standing.ts';
import { loadRigConfig } from '../../rig/configuration/load-rig-config.ts';
import type { CalibrationEntry } from '../../rig/configuration/types.ts';
import { CliError } from '../errors/cli-error.ts';
import type { Io } from '../io/io.ts';

/** A calibration of the configured rig. */
export interface Configured {
  /** As `svc.yaml` names it. */
  readonly sensor: string;
  readonly calibration: CalibrationEntry;
  readonly standing: CalibrationStanding;
}

/**
 * The calibrations in `svc.yaml` as they stand now.
 * @throws ConfigError; CliError `no_config` when there is no file
 */
export function configuredCalibrations({ env, cwd, clock }: Io): { path: string; found: Configured[] } {
  const { config, path } = loadRigConfig({ env, cwd });
  if (path === undefined) {
    const places = 'SVC_CONFIG_PATH, ./svc.yaml or /etc/svc/svc.yaml';
    throw new CliError(
      'no_config',
      `there is no configuration file, and calibrations stand there: ${places}`,
    );
  }
  const found = Object.entries(config.sensors).flatMap(([sensor, { calibration }]): Configured[] =>
    calibration ? [{ sensor, calibration, standing: calibrationStanding(calibration, clock.now()) }] : [],
  );
  return { path, found };
}

/** One calibration as `--json` tells it. */
export const told = ({ sensor, calibration, standing }: Configured) => ({
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
