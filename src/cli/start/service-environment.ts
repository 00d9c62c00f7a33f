import { delimiter, dirname } from 'node:path';
import type { RuntimeFolder } from './runtime-folder.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that would lead a service, or PM2, somewhere else than to this bench. */
const FOREIGN =
  /^(SVC_(?!RIG_)|RIG_|USBADC_|UARTADC_|BANK_ADC_|HARDWARE_MODE$|FIRMWARE_URL$|PM2_|pm_|KEYMETRICS_)/;

/**
 * PM2 tells each process that it starts its own record of it, as variables: `name`, `args`, `exec_mode`, `svc-server`. It
 * would take them for those of the next process that such a process lets it start.
 */
const OF_PM2 = /^(?!.*_proxy$)[a-z]|^NODE_(APP_INSTANCE|CHANNEL_)/;

/**
 * The caller's environment without what beats `svc.yaml`: the variables of a real rig, left in a shell, must not make
 * this start touch it. RIG_RUNTIME_DIR marks each process as one of this start.
 */
export function serviceEnvironment(env: Environment, folder: RuntimeFolder): Record<string, string> {
  const isUnderPm2 = env.pm_id !== undefined;
  const isOwn = (name: string) => !FOREIGN.test(name) && !(isUnderPm2 && OF_PM2.test(name));
  const own = Object.entries(env).filter(([name]) => isOwn(name)) as [string, string][];
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
