import { randomBytes, randomUUID } from 'node:crypto';
import type { Clock } from '../../lib/clock/clock.ts';
import type { ConfigStamp } from '../../lib/config/config-stamp.ts';
import type { BindOptions } from '../../lib/http/bind-options.ts';
import { exposureFrom } from '../../lib/http/exposure.ts';
import { HttpService } from '../../lib/http/http-service.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import { stateDirOf } from '../../lib/liveness/live-address.ts';
import type { LockHolder } from '../../lib/lock/lock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { version } from '../../lib/version.ts';
import type { Config } from '../../rig/configuration/types.ts';
import { BridgeLife } from '../../rig/guard/bridge-life.ts';
import { publishReaction } from '../../rig/guard/reaction.ts';
import { SupplyReport } from '../../rig/guard/supply-report.ts';
import { testCoilOf } from '../../rig/guard/test-coil.ts';
import type { Rig } from '../../rig/hardware/ports.ts';
import { PowerMonitor, type ReadThrottled, readVcgencmd } from '../../rig/hardware/power.ts';
import type { DeviceEvents } from '../../rig/hardware/rig-device.ts';
import { newStopId, OperatorStopLatch } from '../../rig/safe-state/operator-stop.ts';
import {
  OperatorStopFile,
  OperatorStopMemory,
  type OperatorStopRecord,
} from '../../rig/safe-state/operator-stop-record.ts';
import type { SafeStateReport } from '../../rig/safe-state/report.ts';
import { countDeviceError } from '../../rig/service/translate.ts';
import { problemMembers } from './answers.ts';
import { Bridge } from './bridge.ts';
import { watchDevices } from './device-metrics.ts';
import { hardwareRoutes } from './routes/hardware.ts';
import { healthRoutes } from './routes/health.ts';
import { leaseRoutes } from './routes/lease.ts';
import { lungRoutes } from './routes/lung.ts';
import { operatorStopRoutes } from './routes/operator-stop.ts';
import { peripheralRoutes } from './routes/peripherals.ts';
import { pumpRoutes } from './routes/pump.ts';
import { safeStateRoutes } from './routes/safe-state.ts';
import { sensorRoutes } from './routes/sensors.ts';
import { valveRoutes } from './routes/valves.ts';
import { translate } from './translate.ts';
import { whyNotRehearse } from './why-not-rehearse.ts';

export const SERVICE = 'svc-bridge';
/** Time for the answers that are under way once the rig is safe; among them that to the caller. */
const FINISH_MS = 500;
/** A guard that responds has reported its stop by then. */
const GUARD_LIMIT_MS = 2000;
const POLL_MS = 20;

/** What a rig is told about the service that owns it. */
export interface RigSurroundings extends DeviceEvents {
  config: Config;
  clock: Clock;
  identity: () => LockHolder;
  /** For the services that own devices. */
  token: string | undefined;
  env: Readonly<Record<string, string | undefined>>;
}

export interface BridgeStart {
  config: Config;
  configuration?: ConfigStamp;
  bind: BindOptions;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  log: (line: string) => void;
  /** Takes requests and defects with their fields; without it defects go to `log`. */
  logger?: Logger;
  buildRig: (surroundings: RigSurroundings) => Rig;
  readThrottled?: ReadThrottled;
  /** Default: a file in the state folder in real mode; in mock mode, where no device is driven, the memory of the bridge. */
  operatorStopRecord?: OperatorStopRecord;
}

export interface RunningBridge {
  url: string;
  port: number;
  bridge: Bridge;
  /** Stops accepting, cancels queues, makes the rig safe, closes the devices. A second call joins the first. */
  shutDown(reason: string): Promise<SafeStateReport>;
}

/**
 * Starts the bridge: the port first, so that a second one never touches a device; then the devices; in real mode the
 * safe state before anything may move. @throws StartRefusedError, ListenError
 */
export async function startBridge(start: BridgeStart): Promise<RunningBridge> {
  const { config, bind, clock, log } = start;
  const exposure = exposureFrom(start.env, bind.host);
  if (exposure.insecure) log(`warning: ${bind.host} is reachable without a token (SVC_ALLOW_INSECURE=1)`);
  const startedAt = clock.now();
  let port: number | null = null;
  const identity = () => ({
    service: SERVICE,
    pid: process.pid,
    port,
    since: new Date(startedAt).toISOString(),
  });
  const metrics = new MetricRegistry();
  const rig = start.buildRig({
    config,
    clock,
    identity,
    token: exposure.token,
    env: start.env,
    onReturn: () => void bridge.deviceReturned(),
    onLost: (why) => void bridge.actuatorLost(why),
  });
  watchDevices(metrics, rig);
  let url: string | null = null;
  const stateDir = stateDirOf(start.env);
  const testCoil = testCoilOf(config);
  const isReal = config.hardwareMode === 'real';
  const record =
    start.operatorStopRecord ?? (isReal ? new OperatorStopFile(stateDir) : new OperatorStopMemory());
  const operatorStop = new OperatorStopLatch({ record, clock, log, randomId: newStopId });
  const life = isReal
    ? new BridgeLife({
        stateDir,
        clock,
        startedAt: new Date(startedAt).toISOString(),
        about: () => ({ url, mode: rig.mode, bench: rig.bench }),
        log,
        rehearsal: {
          whyNot: () => whyNotRehearse(bridge, start.env),
          ...(testCoil === undefined ? {} : { closeTestCoil: () => bridge.closeTestCoil(testCoil) }),
          makeSafe: (reason) => bridge.makeSafe(reason),
        },
        operatorStop,
        supply: config.pulse && new SupplyReport({ clock, onLost: () => bridge.endUseWithoutSupply() }),
        onStop: () => bridge.endUseAfterStop(),
      })
    : undefined;
  if (life) publishReaction(metrics, stateDir);
  const bridge = new Bridge({
    rig,
    config,
    clock,
    metrics,
    log,
    operatorStop,
    ...(life ? { life } : {}),
    power: new PowerMonitor(clock, start.readThrottled ?? readVcgencmd),
    randomId: () => randomBytes(16).toString('hex'),
  });
  const { insecure } = exposure;
  const counted = (thrown: unknown) => {
    countDeviceError(metrics, thrown);
    return translate(thrown);
  };
  const http = new HttpService({
    service: SERVICE,
    version,
    exposure,
    clock,
    metrics,
    log,
    ...(start.logger ? { logger: start.logger } : {}),
    problemMembers,
    configuration: start.configuration,
    translate: counted,
    randomId: randomUUID,
    routes: [
      ...healthRoutes(bridge, {
        service: SERVICE,
        version,
        pid: process.pid,
        port: () => port,
        startedAt,
        insecure,
      }),
      ...peripheralRoutes(bridge),
      ...valveRoutes(bridge, testCoil),
      ...pumpRoutes(bridge),
      ...lungRoutes(bridge),
      ...sensorRoutes(bridge, counted),
      ...hardwareRoutes(bridge),
      ...leaseRoutes(bridge),
      ...safeStateRoutes(bridge),
      ...operatorStopRoutes(bridge),
    ],
  });
  const bound = await http.listen(bind.host, bind.port);
  port = bound.port;
  url = bound.url;
  life?.open();
  let ending: Promise<SafeStateReport> | undefined;
  const shutDown = async (reason: string) => {
    http.stopAccepting();
    const report = await bridge.shutDown(reason);
    await rig.close();
    await http.close(FINISH_MS);
    life?.close();
    operatorStop.close();
    return report;
  };
  const running: RunningBridge = {
    ...bound,
    bridge,
    shutDown: (reason) => {
      ending ??= shutDown(reason);
      return ending;
    },
  };
  return running;
}

/** Opens the devices; in real mode nothing moves before the first safe state has run. */
export async function openRig({ bridge }: RunningBridge): Promise<void> {
  await bridge.rig.open();
  if (bridge.rig.mode !== 'real') return;
  await bridge.makeSafe('start');
  bridge.watch();
  // Who uses the rig as soon as it is ready is not refused for a guard that reports a moment later.
  const until = bridge.clock.monotonic() + GUARD_LIMIT_MS;
  while (bridge.life?.awaitsGuard && bridge.clock.monotonic() < until) await bridge.clock.sleep(POLL_MS);
}
