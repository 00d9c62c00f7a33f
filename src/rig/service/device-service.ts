import type { Clock } from '../../lib/clock/clock.ts';
import type { Route } from '../../lib/http/route.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { Config, HardwareMode } from '../configuration/types.ts';
import { deviceProblemMembers } from './problem-members.ts';
import type { ProgramContext, RunningProgram, ServiceProgram } from './program.ts';
import { sensorProblemMembers } from './sensor-routes.ts';
import { type ServiceFrame, serviceFrame } from './service-frame.ts';
import { ServiceLife } from './service-life.ts';
import { translateRigFault } from './translate.ts';

/** What the parts of a device's service are made with. */
export interface DeviceSurroundings extends Pick<ServiceFrame, 'metrics' | 'identity' | 'health'> {
  env: ProgramContext['env'];
  config: Config;
  mode: HardwareMode;
  clock: Clock;
  logger: Logger;
}

export interface DeviceServiceParts {
  routes: readonly Route[];
  /** Once, after the port is bound: opens the device, which may be missing, and leaves it safe. */
  open(): Promise<void>;
  /** Leaves the device safe, then closes it. @returns whether it was left safe */
  shutDown(reason: string): Promise<boolean>;
}

export interface DeviceServiceDefinition extends Omit<ServiceProgram, 'start' | 'endLimitMs'> {
  /** It moves something: in real mode it has a life line, by which the guard knows at once when it dies. */
  isGuarded?: boolean;
  /** Reads the settings; opens nothing. @throws StartRefusedError */
  build(surroundings: DeviceSurroundings): DeviceServiceParts;
}

/** Longer than a device may take to be made safe, shorter than the supervisor waits. */
const END_LIMIT_MS = 6000;

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
  { env, config, configuration, bind, clock, logger }: ProgramContext,
): Promise<RunningProgram> {
  const frame = serviceFrame({ service: definition.service, env, bind, clock, logger, configuration });
  const { metrics } = frame;
  const mode = config.hardwareMode;
  metrics.set('svc_hardware_mode', 1, { mode });
  const { identity, health } = frame;
  const parts = definition.build({ env, config, mode, clock, logger, metrics, identity, health });
  const translate = translateRigFault(metrics);
  const { end, ...bound } = await frame.listen({
    routes: parts.routes,
    logger,
    translate,
    problemMembers: { ...deviceProblemMembers, ...sensorProblemMembers },
  });
  const life =
    definition.isGuarded && mode === 'real' ? lifeOf(definition.service, env, clock, logger) : undefined;
  life?.open();
  const shutDown = async (reason: string) => {
    life?.closing();
    const ok = await end(async () => {
      const isSafe = await parts.shutDown(reason);
      life?.left(isSafe);
      return isSafe;
    });
    life?.close();
    return { ok };
  };
  let ending: Promise<{ ok: boolean }> | undefined;
  return {
    ...bound,
    open: () => parts.open(),
    ready: () => ({ mode }),
    shutDown: (reason) => {
      ending ??= shutDown(reason);
      return ending;
    },
  };
}

function lifeOf(service: string, env: ProgramContext['env'], clock: Clock, logger: Logger): ServiceLife {
  return new ServiceLife({ service, stateDir: stateDirOf(env), clock, log: (line) => logger.warn(line) });
}
