import { calibrationStatus } from '../../../rig/calibration/calibration-status.ts';
import { type Check, type Found, seen } from '../finding.ts';

/** Group A: the calibrations of `svc.yaml`. */
export const calibrationChecks: readonly Check[] = [
  {
    code: 'calibration_expired',
    severity: 'warn',
    repair: 'calibrate',
    find: ({ loaded, facts: { nowMs } }) =>
      Object.entries(loaded?.config.sensors ?? {}).flatMap(([sensor, { calibration }]): Found[] => {
        if (!calibration) return [];
        const { state, fault } = calibrationStatus(calibration, nowMs);
        if (state !== 'expired') return [];
        return [
          {
            message: `calibration ${calibration.id} of ${sensor} ${fault}`,
            evidence: [seen(`svc.yaml sensors.${sensor}.calibration.due_at`, calibration.dueAt)],
            cause: 'its due date has passed; no run uses it',
            remedy: 'calibrate the sensor against a reference, then svcctl calibration confirm',
          },
        ];
      }),
  },
  {
    code: 'calibration_duplicate',
    severity: 'error',
    repair: 'remove_calibration',
    find: ({ detection: { config } }) => {
      const said = config.ok ? undefined : /sensors\.\S*calibration[^;]*already[^;]*/.exec(config.error)?.[0];
      if (said === undefined) return undefined;
      return {
        message: 'two calibrations are written for one input, or under one id',
        evidence: [seen('svc.yaml', said)],
        cause: 'a sensor is listed by its id and by an alias, or an entry was copied',
        remedy: 'remove one of the two in svc.yaml, then svcctl config check',
      };
    },
  },
];
