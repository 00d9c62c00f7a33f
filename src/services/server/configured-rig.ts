import { readFileSync } from 'node:fs';
import { ConfigError } from '../../lib/config/config-error.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { loadRigConfig } from '../../rig/configuration/load-rig-config.ts';
import type { Config } from '../../rig/configuration/types.ts';
import type { Interlock } from '../../rig/interlocks/interlock.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import { sha256 } from '../../scenario/records/event-chain.ts';
import type { ConfiguredCalibration, RunFacts } from '../../scenario/records/run-identity.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The rig as it is configured at this moment. */
export interface ConfiguredRig {
  config: Config;
  registry: Registry;
  interlocks: readonly Interlock[];
  /** What a record says of it. */
  configuration: RunFacts['configuration'];
  calibrations: readonly ConfiguredCalibration[];
}

/**
 * Reads the configuration for one run: a calibration that was confirmed or corrected since this service started must
 * count. @throws ConfigError
 */
export function loadConfiguredRig(env: Environment, cwd: string): ConfiguredRig {
  const { config, path, registry, interlocks } = loadRigConfig({ env, cwd });
  return {
    config,
    registry,
    interlocks,
    configuration: {
      file: path === undefined ? null : { file: path, sha256: sha256(bytesOf(path)) },
      effective_sha256: sha256(JSON.stringify(config)),
    },
    calibrations: calibrationsOf(config),
  };
}

function bytesOf(path: string): Uint8Array {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new ConfigError(path, [{ path: 'file', value: null, message: messageOf(cause) }], cause);
  }
}

const calibrationsOf = ({ sensors }: Config): ConfiguredCalibration[] =>
  Object.entries(sensors).flatMap(([sensor, { calibration: one }]) => {
    if (!one) return [];
    return [
      {
        sensor,
        id: one.id,
        calibrated_at: one.calibratedAt ?? null,
        due_at: one.dueAt ?? null,
        confirmed_at: one.confirmedAt ?? null,
        confirmed_by: one.confirmedBy ?? null,
        uncertainty: one.uncertainty ?? null,
      },
    ];
  });
