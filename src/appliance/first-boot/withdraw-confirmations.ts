import { existsSync } from 'node:fs';
import type { Clock } from '../../lib/clock/clock.ts';
import { changeConfigFile } from '../../rig/configuration/edit-config.ts';
import { parseConfig, readConfigText } from '../../rig/configuration/read-file.ts';

/**
 * Takes back what people have confirmed of the calibrations in `svc.yaml`, so that no run judges by one of them until a person has
 * checked it (`svcctl calibration confirm`).
 * @returns their ids. @throws ConfigError for a file that cannot be read or is no valid configuration, LockError
 */
export async function withdrawConfirmations(path: string, clock: Clock): Promise<string[]> {
  if (!existsSync(path)) return [];
  const confirmed = Object.entries(parseConfig(readConfigText(path), path).sensors).flatMap(
    ([sensor, { calibration }]) =>
      calibration?.confirmed_at === undefined && calibration?.confirmed_by === undefined
        ? []
        : [{ sensor, calibration }],
  );
  const edits = confirmed.flatMap(({ sensor, calibration }) =>
    (['confirmed_at', 'confirmed_by'] as const)
      .filter((key) => calibration[key] !== undefined)
      .map((key) => ({ path: ['sensors', sensor, 'calibration', key], value: undefined })),
  );
  if (edits.length > 0) await changeConfigFile(path, edits, { service: 'svc-first-boot', clock });
  return confirmed.map(({ calibration }) => calibration.id);
}
