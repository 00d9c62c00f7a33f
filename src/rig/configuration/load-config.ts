import { ConfigError } from '../../lib/config/config-error.ts';
import { EnvironmentReader } from '../../lib/config/environment.ts';
import { type FileConfig, fileSchema } from './file-schema.ts';
import { interlockEntry, limitsOf, sensorEntry } from './from-file.ts';
import { lineFaults } from './line-faults.ts';
import { resolvePlugins } from './plugins.ts';
import { findConfigFile, parseConfig, readConfigText } from './read-file.ts';
import type { Config } from './types.ts';

export interface ConfigSources {
  env: Readonly<Record<string, string | undefined>>;
  /** Directory of `./svc.yaml`. */
  cwd: string;
  /** Last place to look; `/etc/svc/svc.yaml`. */
  systemPath?: string;
}

const DEFAULT_FULL_SCALE_LPM = 10;
const DEFAULT_MANUAL_HOLD_S = 300;

/**
 * The configuration: file, then environment on top.
 * @returns `path` is undefined when there is no file and the defaults hold; `text` is the file as it was read,
 * `file` what it says by itself
 * @throws ConfigError naming every fault with path, value and remedy
 */
export function loadConfig({ env, cwd, systemPath }: ConfigSources): {
  config: Config;
  path: string | undefined;
  text: string;
  file: FileConfig;
} {
  const path = findConfigFile(env, cwd, systemPath);
  const text = path === undefined ? '' : readConfigText(path);
  const file = path === undefined ? fileSchema.parse({}) : parseConfig(text, path);
  return { config: mergeConfig(file, env, path), path, text, file };
}

/**
 * @param source of the file, for messages. @throws ConfigError about a variable, or a port or unit id that stands twice
 */
export function mergeConfig(file: FileConfig, env: ConfigSources['env'], source = 'svc.yaml'): Config {
  const variables = new EnvironmentReader(env);
  const fullScaleLpm = variables.number('SVC_PUMP_FLOW_FULL_SCALE_LPM', 0.001, 1000, 'l/min');
  const config: Config = {
    hardwareMode: variables.oneOf(
      env.SVC_HARDWARE_MODE ? 'SVC_HARDWARE_MODE' : 'HARDWARE_MODE',
      ['mock', 'real'],
      'mock',
    ),
    requireReal: file.require_real,
    plugins: resolvePlugins(file.plugins, env, variables.faults, file.lines),
    adcMap: file.adc_map && {
      device: file.adc_map.device,
      transport: file.adc_map.transport,
      baseUrl: file.adc_map.base_url,
      channels: file.adc_map.channels,
    },
    aliases: file.aliases,
    healthKeys: file.compat.health_keys,
    sensors: Object.fromEntries(Object.entries(file.sensors).map(([id, entry]) => [id, sensorEntry(entry)])),
    windows: file.calibration.windows,
    peripherals: file.peripherals as Config['peripherals'],
    limits: limitsOf(file.limits),
    interlocks: file.interlocks.map(interlockEntry),
    testCoil: file.guard.test_coil,
    pulse: file.guard.pulse && {
      led: file.guard.pulse.led,
      hz: file.guard.pulse.hz,
      readBack: file.guard.pulse.read_back,
    },
    logMaxMb: file.logs.max_mb,
    records: { keepDays: file.records.keep_days, maxMb: file.records.max_mb },
    pumpFullScaleLpm: fullScaleLpm ?? file.pump.full_scale_lpm ?? DEFAULT_FULL_SCALE_LPM,
    manualHoldS: variables.number('SVC_MANUAL_HOLD_S', 5, 3600, 's') ?? DEFAULT_MANUAL_HOLD_S,
    requireLease: variables.flag('SVC_REQUIRE_LEASE'),
  };
  if (variables.faults.length > 0) throw new ConfigError('environment', variables.faults);
  const shared = lineFaults(config.plugins, file.lines);
  if (shared.length > 0) throw new ConfigError(source, shared);
  return config;
}
