import { randomUUID } from 'node:crypto';
import process from 'node:process';
import type { Clock } from '../../lib/clock/clock.ts';
import type { Config, HardwareMode } from '../../lib/config/types.ts';
import { exposureFrom } from '../../lib/http/exposure.ts';
import { HttpService } from '../../lib/http/http-service.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import type { Route } from '../../lib/http/route.ts';
import type { LockHolder } from '../../lib/lock/lock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { ProgramContext, RunningProgram, ServiceProgram } from '../../lib/service/program.ts';
import { version } from '../../lib/version.ts';
import { translateRigFault } from './translate.ts';

/** What the parts of a device's service are made with. */
export interface DeviceSurroundings {
  env: ProgramContext['env'];
  config: Config;
  mode: HardwareMode;
  clock: Clock;
  logger: Logger;
  metrics: MetricRegistry;
  /** For locks. */
  identity: () => LockHolder;
  /** Members of `/health` that every service has. */
  health: { service: string; version: string; pid: number; started_at: string; insecure?: true };
}

export interface DeviceServiceParts {
  routes: readonly Route[];
  /** Once, after the port is bound: opens the device, which may be missing, and leaves it safe. */
  open(): Promise<void>;
  /** Leaves the device safe, then closes it. @returns whether it was left safe */
  shutDown(reason: string): Promise<boolean>;
}

export interface DeviceServiceDefinition extends Omit<ServiceProgram, 'start' | 'endLimitMs'> {
  /** Reads the settings; opens nothing. @throws StartRefusedError */
  build(surroundings: DeviceSurroundings): DeviceServiceParts;
}

/** Longer than a device may take to be made safe, shorter than the supervisor waits. */
const END_LIMIT_MS = 6000;
/** What was refused at its end still has to leave this machine. */
const LAST_ANSWERS_MS = 50;

/** The program of a service that owns one device: the port first, then the device; at its end the device is safe. */
export function deviceService(definition: DeviceServiceDefinition): ServiceProgram {
  return {
    ...definition,
    endLimitMs: END_LIMIT_MS,
    start: (context) => startDeviceService(definition, context),
  };
}

/** @throws StartRefusedError, ListenError */
export async function startDeviceService(
  definition: DeviceServiceDefinition,
  { env, config, bind, clock, logger }: ProgramContext,
): Promise<RunningProgram> {
  const { service } = definition;
  const exposure = exposureFrom(env, bind.host);
  if (exposure.insecure)
    logger.warn(`${bind.host} is reachable without a token (SVC_ALLOW_INSECURE=1)`, { host: bind.host });
  const since = new Date(clock.now()).toISOString();
  let port: number | null = null;
  const identity = (): LockHolder => ({ service, pid: process.pid, port, since });
  const metrics = new MetricRegistry();
  const mode = config.hardwareMode;
  metrics.set('svc_hardware_mode', 1, { mode });
  const insecure = exposure.insecure ? { insecure: true as const } : {};
  const health = { service, version, pid: process.pid, started_at: since, ...insecure };
  const parts = definition.build({ env, config, mode, clock, logger, metrics, identity, health });
  const http = new HttpService({
    service,
    version,
    routes: parts.routes,
    exposure,
    clock,
    metrics,
    randomId: randomUUID,
    log: (line) => logger.info(line),
    logger,
    translate: translateRigFault(metrics),
  });
  const bound = await http.listen(bind.host, bind.port);
  port = bound.port;

  const end = async (reason: string) => {
    http.stopAccepting();
    const ok = await parts.shutDown(reason);
    await clock.sleep(LAST_ANSWERS_MS);
    http.destroy();
    return { ok };
  };
  let ending: Promise<{ ok: boolean }> | undefined;
  return {
    ...bound,
    open: () => parts.open(),
    ready: () => ({ mode }),
    shutDown: (reason) => {
      ending ??= end(reason);
      return ending;
    },
  };
}
