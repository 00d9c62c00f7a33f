import { type ConfigStamp, configHash } from '../../lib/config/config-stamp.ts';
import type { FileConfig } from './file-schema.ts';

type Section = keyof FileConfig;

/** Where valves, pump, lung and sensors are, what they are called and what forbids what. */
const RIG: readonly Section[] = [
  ...(['lines', 'plugins', 'adc_map', 'aliases', 'peripherals', 'pump'] as const),
  ...(['guard', 'limits', 'interlocks'] as const),
];

/**
 * The sections of `svc.yaml` that a service reads when it starts; a change elsewhere is no reason to start it again. The server
 * reads calibrations and limits for each run anew.
 */
const SECTIONS: Readonly<Record<string, readonly Section[]>> = {
  'svc-bridge': [...RIG, 'compat', 'logs'],
  'svc-guard': [...RIG, 'logs'],
  'svc-server': ['lines', 'plugins', 'peripherals', 'records', 'logs'],
  'svc-pump': ['limits', 'pump', 'logs'],
  'svc-lung': ['limits', 'logs'],
  'svc-sensors': ['aliases', 'logs'],
};
const OTHERS: readonly Section[] = ['logs'];

/** @param service for example `svc-bridge` */
export const serviceHash = (file: FileConfig, service: string): string =>
  configHash(file, SECTIONS[service] ?? OTHERS);

export function configStamp(
  { file, path }: { file: FileConfig; path: string | undefined },
  service: string,
  loadedAt: number,
): ConfigStamp {
  return {
    file: path ?? null,
    sha256: serviceHash(file, service),
    loaded_at: new Date(loadedAt).toISOString(),
  };
}
