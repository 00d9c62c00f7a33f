import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { isLocalAddress, isLoopback } from '../../lib/http/loopback.ts';
import type { LockHolder } from '../../lib/lock/lock.ts';
import { preload } from '../../transports/index.ts';
import type { Config, Plugin } from '../configuration/types.ts';
import { ACTUATOR_KINDS, type ActuatorName, type OwnedActuator } from '../device-kinds/index.ts';
import { isValveBoard } from '../device-kinds/valve-board.ts';
import { ownedPlugin } from '../hardware/owned-plugin.ts';
import { lockKeyOf } from '../hardware/real/managed-access.ts';
import { realDevices } from '../hardware/real/open-devices.ts';
import type { RigDevices } from '../hardware/rig-device.ts';
import { RigError } from '../hardware/rig-error.ts';
import { STEP_NAMES, type StepName } from '../safe-state/report.ts';
import { HEAD_START_MS, type SafeStateSteps } from '../safe-state/safe-state.ts';
import { retryUntilCap } from './retry-until-cap.ts';
import { isNoAnswer, type LifeSign, ServiceSteps } from './service-step.ts';

export interface GuardRigOptions {
  config: Config;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  identity: () => LockHolder;
  /** What the life line of the service that owns this device shows. */
  signOf?: (id: OwnedId) => LifeSign;
  /** The bridge is being ended: what it may hold is driven after that. */
  freed?: Promise<void>;
}

type Step = SafeStateSteps[StepName];

/** Devices that a service of their own may own, and the program of that service. */
export type OwnedId = OwnedActuator;
export const OWNED = Object.fromEntries(
  ACTUATOR_KINDS.flatMap(({ names, owner }) => (owner ? names.map((name) => [name, owner.service]) : [])),
) as Readonly<Record<OwnedId, 'svc-pump' | 'svc-lung'>>;
export const OWNED_IDS = Object.keys(OWNED) as OwnedId[];

/**
 * The actuators as the guard reaches them, for one safe state: nothing is open before, and nothing is held after
 * `close`.
 */
export class GuardRig {
  readonly steps: SafeStateSteps;
  /** Programs that were ended to free their devices. */
  readonly killed: string[] = [];
  /** A device was held by a bridge: one that came back meanwhile. */
  isHeldByBridge = false;
  /** Default; longer where a device has to be opened and identified first. */
  readonly headStartMs: typeof HEAD_START_MS;
  /** Steps on devices that the bridge may hold until it is gone. */
  readonly ready: Readonly<Partial<Record<StepName, Promise<void>>>>;
  readonly #rigs: RigDevices[];
  readonly #freed: Promise<void> | undefined;

  constructor(options: GuardRigOptions) {
    const { config, clock, freed } = options;
    const token = options.env.SVC_API_TOKEN || undefined;
    const devicesOf = (plugins: readonly Plugin[]) =>
      realDevices({
        plugins,
        clock,
        identity: options.identity,
        token,
        onReturn: () => {},
        onLost: () => {},
      });
    const actuators = config.plugins.filter(({ id }) => isValveBoard(id) || Object.hasOwn(OWNED, id));
    this.#freed = freed;
    const configured = devicesOf(actuators);
    this.#rigs = [configured];
    const { lung, pump, valves } = configured;
    let steps: SafeStateSteps = { ...lung.steps, ...pump.steps, ...valves.steps };
    const ofBridge: StepName[] = [];
    for (const plugin of actuators) {
      const names = STEPS_OF[plugin.id as ActuatorName];
      if (plugin.enabled && plugin.connection?.type !== 'http') ofBridge.push(...names);
      if (isValveBoard(plugin.id) || !isServedHere(plugin)) continue;
      steps = { ...steps, ...this.#behindService(plugin, plugin.id as OwnedId, steps, options, devicesOf) };
    }
    this.ready = freed !== undefined ? Object.fromEntries(ofBridge.map((name) => [name, freed])) : {};
    const isAtHand = (id: OwnedId) =>
      actuators.every((one) => one.id !== id || isInService(one, id, options));
    this.headStartMs = headStart(isAtHand('lung-motor'), isAtHand('pump-motor'));
    const insist = (name: StepName) =>
      retryUntilCap(name, steps[name], clock, () => {
        this.isHeldByBridge = true;
      });
    this.steps = Object.fromEntries(STEP_NAMES.map((name) => [name, insist(name)])) as SafeStateSteps;
  }

  get bench(): boolean {
    return this.#rigs.some((devices) =>
      [devices.valves, devices.pump, devices.lung].some(({ port }) => port.origin.bench),
    );
  }

  /** Opens what only the bridge may have held, once it is gone: the steps then find it open. */
  async prepare(): Promise<void> {
    await this.#freed;
    await this.#rigs[0]?.valves.prepare();
  }

  async close(): Promise<void> {
    const all = this.#rigs.flatMap(({ valves, pump, lung, voltages }) => [valves, pump, lung, voltages]);
    await Promise.all(all.map((device) => device.close().catch(() => {})));
  }

  #behindService(
    { connection }: Plugin,
    id: OwnedId,
    viaService: SafeStateSteps,
    { env, clock, signOf, freed }: GuardRigOptions,
    devicesOf: (plugins: readonly Plugin[]) => RigDevices,
  ): Partial<SafeStateSteps> {
    const names = STEPS_OF[id];
    const owned = placeOf(id, env);
    if (typeof owned === 'string') {
      // The service alone knows where its device is. When it does not answer, the state is unknown.
      const unknown = (thrown: unknown): never => {
        throw isNoAnswer(thrown) ? new RigError('device_unavailable', id, owned, thrown) : thrown;
      };
      return Object.fromEntries(
        names.map((name) => [name, (signal: AbortSignal) => viaService[name](signal).catch(unknown)]),
      );
    }
    const devices = devicesOf([owned]);
    this.#rigs.push(devices);
    const driven: Partial<SafeStateSteps> = { ...devices.lung.steps, ...devices.pump.steps };
    const direct = whenFreed(driven, freed);
    const service = new ServiceSteps({
      service: OWNED[id],
      baseUrl: connection?.type === 'http' ? connection.baseUrl : '',
      lockKey: owned.connection && lockKeyOf(owned.connection),
      clock,
      ...(signOf ? { sign: () => signOf(id) } : {}),
      onKilled: (who) => this.killed.push(who),
    });
    return Object.fromEntries(
      names.map((name) => [name, service.step(viaService[name], direct[name] ?? viaService[name])]),
    );
  }
}

/**
 * Milliseconds until a device that is opened and identified first has its command: the pump takes five exchanges at
 * 9600 baud.
 */
const OPENING_MS = { lung: 20, pump: 140 };

function headStart(hasLung: boolean, hasPump: boolean): typeof HEAD_START_MS {
  const { pump_zero, lung_deenergize, valves_off } = HEAD_START_MS;
  const lungMs = hasLung ? pump_zero : OPENING_MS.lung;
  const pumpMs = lungMs + (hasPump ? lung_deenergize - pump_zero : OPENING_MS.pump);
  const againMs = pumpMs + (hasLung ? valves_off - lung_deenergize : OPENING_MS.lung);
  return { pump_zero: lungMs, lung_deenergize: pumpMs, valves_off: againMs };
}

/**
 * Whether a service has the device open and lives, as far as can be seen; one on another machine shows no life line.
 */
function isInService(plugin: Plugin, id: OwnedId, { signOf }: GuardRigOptions): boolean {
  if (!plugin.enabled) return true;
  return plugin.connection?.type === 'http' && (!isServedHere(plugin) || signOf?.(id) === 'heard');
}

/** Loads what driving the bridge's actuators takes, so that the first safe state is as quick as the others. */
export async function preloadDrivers({ plugins }: Config): Promise<void> {
  for (const { connection } of plugins) {
    if (connection?.type === 'modbus-rtu') await preload(connection.serialPort);
    else if (connection?.type === 'usb') await preload(connection.address);
  }
}

/** The same steps, on a device that the bridge may hold until it is gone. */
function whenFreed<T extends Partial<SafeStateSteps>>(steps: T, freed: Promise<void> | undefined): T {
  if (!freed) return steps;
  const entries = Object.entries(steps) as [StepName, Step][];
  const waiting = entries.map(([name, step]): [StepName, Step] => [
    name,
    (signal) => freed.then(() => step(signal)),
  ]);
  return Object.fromEntries(waiting) as T;
}

/** Steps of the safe state that are about one device. */
export const STEPS_OF = Object.fromEntries(
  ACTUATOR_KINDS.flatMap(({ names, safeState }) => names.map((name) => [name, Object.keys(safeState)])),
) as unknown as Readonly<Record<ActuatorName, readonly StepName[]>>;

/** A service on this machine owns the device; one on another machine is only asked. */
export function isServedHere({ enabled, connection }: Plugin): boolean {
  if (!enabled || connection?.type !== 'http') return false;
  const { hostname } = new URL(connection.baseUrl);
  return isLoopback(hostname) || isLocalAddress(hostname);
}

/** Where the device is that a service owns; a sentence when this is not known here. */
function placeOf(id: OwnedId, env: GuardRigOptions['env']): Plugin | string {
  const unknown = `${OWNED[id]} does not answer, and where its device is`;
  try {
    const plugin = ownedPlugin(id, env);
    return plugin ?? `${unknown} is not known here: give svc-guard the variables of ${OWNED[id]}`;
  } catch (fault) {
    return `${unknown} is not usable here: ${messageOf(fault)}`;
  }
}
