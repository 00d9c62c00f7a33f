import type { Clock } from '../../lib/clock/clock.ts';
import type { ConfigStamp } from '../../lib/config/config-stamp.ts';
import type { BindOptions } from '../../lib/http/bind-options.ts';
import type { Route } from '../../lib/http/route.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { ServiceIdentity } from '../service/answer-members.ts';
import { runProgram } from '../service/program.ts';
import { serviceFrame } from '../service/service-frame.ts';
import { DeviceLocks } from './device-locks.ts';
import { Meters } from './meters.ts';
import { ADC_STATUSES, adcProblemMembers, translate } from './problem.ts';
import type { Environment } from './settings.ts';

/** What the parts of an ADC service are made with. */
export interface AdcSurroundings {
  env: Environment;
  clock: Clock;
  logger: Logger;
  locks: DeviceLocks;
  meters: Meters;
  identity: ServiceIdentity;
}

/** A device as the service's life sees it. */
export interface OwnedDevice {
  /** @throws LockHeldError, LockError */
  takeLock?(): Promise<void>;
  start?(): void;
  close(): Promise<void>;
}

interface AdcParts {
  devices: readonly OwnedDevice[];
  routes: readonly Route[];
}

/** One of the ADC services, whatever it owns. */
export interface AdcServiceDefinition {
  service: string;
  description: string;
  /** Of its `_HOST` and `_PORT`. */
  prefix: string;
  defaultPort: number;
  /** Reads the settings; opens nothing. @throws StartRefusedError */
  build(surroundings: AdcSurroundings): AdcParts;
}

interface AdcServiceStart {
  definition: AdcServiceDefinition;
  env: Environment;
  bind: BindOptions;
  clock: Clock;
  logger: Logger;
  configuration?: ConfigStamp | undefined;
}

interface RunningAdcService {
  url: string;
  port: number;
  /** Stops listening, ends the jobs, closes the devices, gives the locks back. A second call joins the first. */
  shutDown(): Promise<void>;
}

/**
 * Starts an ADC service: the locks first, then the port, then the devices, which may be missing.
 *
 * @throws StartRefusedError, ListenError, LockHeldError, LockError; nothing is held then
 */
export async function startAdcService(start: AdcServiceStart): Promise<RunningAdcService> {
  const { definition, env, bind, clock, logger, configuration } = start;
  const frame = serviceFrame({ service: definition.service, env, bind, clock, logger, configuration });
  const locks = new DeviceLocks({ identity: frame.identity, clock });
  const meters = new Meters(frame.metrics);
  const { devices, routes } = definition.build({ env, clock, logger, locks, meters, identity: frame.health });
  const { end, ...bound } = await held(locks, async () => {
    for (const device of devices) await device.takeLock?.();
    return frame.listen({
      routes,
      translate,
      statusOverrides: ADC_STATUSES,
      problemMembers: adcProblemMembers,
    });
  });
  for (const device of devices) device.start?.();
  const close = async () => {
    await Promise.all(devices.map((device) => device.close()));
    return true;
  };
  let ending: Promise<void> | undefined;
  return {
    ...bound,
    shutDown: () => {
      ending ??= end(close).then(() => locks.releaseAll());
      return ending;
    },
  };
}

/** A start that fails holds nothing. */
async function held<T>(locks: DeviceLocks, begin: () => Promise<T>): Promise<T> {
  try {
    return await begin();
  } catch (fault) {
    await locks.releaseAll();
    throw fault;
  }
}

/** Ended from outside, a service is gone within 2 s. */
const END_LIMIT_MS = 1800;

/** Runs an ADC service as the program of this process, to its end. */
export function runAdcProgram(definition: AdcServiceDefinition): void {
  runProgram({
    ...definition,
    endLimitMs: END_LIMIT_MS,
    start: async (context) => {
      const running = await startAdcService({ ...context, definition });
      const shutDown = async () => {
        await running.shutDown();
        // Nothing here moves: to be closed is to be safe.
        return { ok: true };
      };
      return { ...running, shutDown };
    },
  });
}
