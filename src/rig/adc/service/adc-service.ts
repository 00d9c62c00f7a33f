import { randomUUID } from 'node:crypto';
import process from 'node:process';
import * as z from 'zod';
import type { Clock } from '../../../lib/clock/clock.ts';
import type { BindOptions } from '../../../lib/http/bind-options.ts';
import { exposureFrom } from '../../../lib/http/exposure.ts';
import { HttpService } from '../../../lib/http/http-service.ts';
import { MetricRegistry } from '../../../lib/http/metrics.ts';
import type { Route } from '../../../lib/http/route.ts';
import type { LockHolder } from '../../../lib/lock/lock.ts';
import type { Logger } from '../../../lib/log/logger.ts';
import { version } from '../../../lib/version.ts';
import { Meters } from '../answer/meters.ts';
import { ADC_STATUSES, translate } from '../answer/problem.ts';
import { DeviceLocks } from '../device/device-locks.ts';
import type { Environment } from '../settings/environment.ts';

/** What the parts of an ADC service are made with. */
export interface AdcSurroundings {
  env: Environment;
  clock: Clock;
  logger: Logger;
  locks: DeviceLocks;
  meters: Meters;
  identity: ServiceIdentity;
}

/** Members of `/health` that every ADC service has. */
export const identityMembers = {
  service: z.string(),
  version: z.string(),
  pid: z.int(),
  started_at: z.iso.datetime(),
  /** Reachable from outside without a token; left out when it is not. */
  insecure: z.literal(true).optional(),
};
export type ServiceIdentity = z.output<z.ZodObject<typeof identityMembers>>;

/** A device as the service's life sees it. */
export interface OwnedDevice {
  /** @throws LockHeldError, LockError */
  takeLock?(): Promise<void>;
  start?(): void;
  close(): Promise<void>;
}

export interface AdcParts {
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

export interface AdcServiceStart {
  definition: AdcServiceDefinition;
  env: Environment;
  bind: BindOptions;
  clock: Clock;
  logger: Logger;
}

export interface RunningAdcService {
  url: string;
  port: number;
  /** Stops listening, ends the jobs, closes the devices, gives the locks back. A second call joins the first. */
  shutDown(): Promise<void>;
}

/** What was refused at its end still has to leave this machine. */
const LAST_ANSWERS_MS = 50;

/**
 * Starts an ADC service: the locks first, then the port, then the devices, which may be missing.
 *
 * @throws StartRefusedError, ListenError, LockHeldError, LockError; nothing is held then
 */
export async function startAdcService(start: AdcServiceStart): Promise<RunningAdcService> {
  const { definition, env, bind, clock, logger } = start;
  const { service } = definition;
  const exposure = exposureFrom(env, bind.host);
  if (exposure.insecure)
    logger.warn(`${bind.host} is reachable without a token (SVC_ALLOW_INSECURE=1)`, { host: bind.host });
  const since = new Date(clock.now()).toISOString();
  let port: number | null = null;
  const holder = (): LockHolder => ({ service, pid: process.pid, port, since });
  const locks = new DeviceLocks({ identity: holder, clock });
  const metrics = new MetricRegistry();
  const { devices, routes } = definition.build({
    env,
    clock,
    logger,
    locks,
    meters: new Meters(metrics),
    identity: {
      service,
      version,
      pid: process.pid,
      started_at: since,
      ...(exposure.insecure ? { insecure: true as const } : {}),
    },
  });
  const http = new HttpService({
    service,
    version,
    routes,
    exposure,
    clock,
    metrics,
    randomId: randomUUID,
    log: (line) => logger.info(line),
    statusOverrides: ADC_STATUSES,
    translate,
  });
  let bound: { url: string; port: number };
  try {
    for (const device of devices) await device.takeLock?.();
    bound = await http.listen(bind.host, bind.port);
  } catch (fault) {
    await locks.releaseAll();
    throw fault;
  }
  port = bound.port;
  for (const device of devices) device.start?.();

  const end = async () => {
    http.stopAccepting();
    await Promise.all(devices.map((device) => device.close()));
    await clock.sleep(LAST_ANSWERS_MS);
    http.destroy();
    await locks.releaseAll();
  };
  let ending: Promise<void> | undefined;
  return {
    ...bound,
    shutDown: () => {
      ending ??= end();
      return ending;
    },
  };
}
