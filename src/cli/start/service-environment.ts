import { delimiter, dirname } from 'node:path';
import type { RuntimeFolder } from './runtime-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that would lead a service, or PM2, somewhere else than to this bench. */
const FOREIGN =
  /^(SVC_(?!RIG_)|RIG_|USBADC_|UARTADC_|BANK_ADC_|HARDWARE_MODE$|FIRMWARE_URL$|PM2_|pm_|KEYMETRICS_)/;

/**
 * The caller's environment without what beats `svc.yaml`: the variables of a real rig, left in a shell, must not make
 * this start touch it. RIG_RUNTIME_DIR marks each process as one of this start.
 */
export function serviceEnvironment(env: Environment, folder: RuntimeFolder): Record<string, string> {
  const own = Object.entries(env).filter(([name]) => !FOREIGN.test(name)) as [string, string][];
  return {
    ...Object.fromEntries(own),
    PATH: [dirname(process.execPath), env.PATH ?? ''].join(delimiter),
    RIG_RUNTIME_DIR: folder.path,
    SVC_CONFIG_PATH: folder.config,
  };
}

/** The same for PM2: with a home of its own, no word to its makers, no welcome and one action at a time. */
export function supervisorEnvironment(env: Environment, folder: RuntimeFolder): Record<string, string> {
  return {
    ...serviceEnvironment(env, folder),
    PM2_HOME: folder.pm2,
    PM2_DISABLE_VERSION_CHECK: 'true',
    PM2_DISCRETE_MODE: 'true',
    PM2_CONCURRENT_ACTIONS: '1',
    NO_COLOR: '1',
  };
}
