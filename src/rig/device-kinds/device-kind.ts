import type { Plant } from '../../bench/plant/index.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import type { ConnectionSchemas } from '../configuration/connection-schemas.ts';
import type { Connection, Plugin } from '../configuration/types.ts';
import type { ComponentHealth, LungStatus, PumpReading } from '../hardware/ports.ts';
import type { OpenDevicesOptions } from '../hardware/real/open-devices.ts';
import type { SensorDevice } from '../hardware/rig-device.ts';
import type { ListeningService } from '../profiles/rig-services.ts';

/** A device as the configuration has it. Nothing is opened yet. */
export type Opening<Device> = (options: OpenDevicesOptions) => Device;

/** @param plugin its entry of `svc.yaml` */
export type SensorOpening = (options: OpenDevicesOptions, plugin: Plugin) => SensorDevice;

type Environment = Readonly<Record<string, string | undefined>>;

/** What the rig says of every kind of device. */
interface AnyKind {
  /** Its word in `svc.yaml`. */
  readonly kind: string;
  /** Plugin names that are of this kind without saying so, in the order of their devices. */
  readonly names: readonly string[];
  /** For people, with its article: `the pump`. */
  readonly title: string;
  /** Its row in `identify`. */
  readonly adapter: { readonly name: string; readonly protocol: string; readonly description: string };
  /** How it can be reached, with the defaults of the device. @param name of the plugin */
  readonly connections: (name: string) => ConnectionSchemas;
  /** Its entries on a rig without `svc.yaml`, by the name of the plugin. */
  readonly withoutFile: Readonly<Record<string, EntryWithoutFile>>;
  /** Variables of the environment that win over `svc.yaml`. */
  readonly variables: readonly PluginVariable[];
  /** The service that may own the device in place of the bridge; null where there is none. */
  readonly owner: OwnerService | null;
  /** What to check when it does not work, for people. */
  readonly remedy: string;
  /** Its key in the hardware health, for existing scripts; null for a kind that has none. */
  readonly healthKey: string | null;
}

export interface EntryWithoutFile {
  readonly type: Connection['type'];
  readonly params: Readonly<Record<string, unknown>>;
}

export interface PluginVariable {
  readonly name: string;
  readonly plugin: string;
  /** Connection type that it stands for. */
  readonly type: Connection['type'];
  /** Key below `connection_params`. */
  readonly parameter: string;
  readonly isNumber: boolean;
}

export interface OwnerService {
  readonly service: ListeningService;
  /**
   * Where the device is that the service owns: from its environment, since in `svc.yaml` the plugin leads to the
   * service.
   * @returns undefined when the environment does not say
   * @throws StartRefusedError naming variable, value and remedy
   */
  readonly connection: (env: Environment) => Connection | undefined;
}

/** A step of the safe state. */
export interface StepSpec {
  /** Place among the steps of all kinds. */
  readonly order: number;
  /** Milliseconds that it may take. */
  readonly capMs: Milliseconds;
  /** What a person does when it failed. */
  readonly byHand: string;
}

/** What a plugin can be seen or set by; `id` is that of calls to the bridge. */
export interface OwnedEntry {
  readonly id: string;
  readonly name: string;
  readonly unit: string | null;
}

/** Reads outputs back, and reports what is not as it was commanded. @throws RigError, all */
export interface OutputReaders {
  readPump(signal?: AbortSignal): Promise<PumpReading>;
  readLung(signal?: AbortSignal): Promise<LungStatus>;
  /** @param withinMs something is on: a lost reply is made up for within so many milliseconds */
  readBoard(board: number, signal?: AbortSignal, withinMs?: Milliseconds): Promise<(boolean | undefined)[]>;
}

export interface OutputWatch {
  /**
   * Milliseconds without a good reading after which what is on counts as lost: it is unknown what it does. Infinity
   * for a device with a hold that ends instead, or a command time-out of its own.
   */
  readonly lostAfterMs: Milliseconds;
  /** Reads the outputs of a plugin back. @returns ids of the actuators that are on. @throws RigError */
  readonly look: (
    readers: OutputReaders,
    plugin: string,
    signal?: AbortSignal,
    withinMs?: Milliseconds,
  ) => Promise<string[]>;
}

interface ActuatorKind extends AnyKind {
  /** Steps that bring it to its safe state. */
  readonly safeState: Readonly<Record<string, StepSpec>>;
  /** Its actuators. */
  readonly peripherals: (plugin: string) => readonly OwnedEntry[];
  readonly watch: OutputWatch;
}

export interface ValveKind extends ActuatorKind {
  readonly role: 'valves';
  /** A live probe that takes longer is reported as `late`. */
  readonly probe: {
    readonly limitMs: Milliseconds;
    readonly late: (path: string | null) => Pick<ComponentHealth, 'status' | 'code' | 'message'>;
  };
}
export interface PumpKind extends ActuatorKind {
  readonly role: 'pump';
}
export interface LungKind extends ActuatorKind {
  readonly role: 'lung';
}

/** What a sensor measures. */
export interface Quantity {
  /** Unit of the language, for example `l/min`. */
  readonly unit: string;
  /** What the device can measure, in `unit`, both ends included. */
  readonly range: readonly [low: number, high: number];
  /** Smallest difference that it can show, in `unit`. */
  readonly resolution: number;
}

/** The converter of the four voltage inputs. */
export interface VoltageKind extends AnyKind {
  readonly role: 'voltages';
  /** Of each input. */
  readonly quantity: Quantity;
  readonly peripherals: (plugin: string) => readonly OwnedEntry[];
}

/** A sensor in its own unit, in any number. Each has a plugin name of its own, which is the id of the sensor too. */
export interface SensorKind extends AnyKind {
  readonly role: 'sensor';
  readonly names: readonly [];
  readonly quantity: Quantity;
  /** What it would measure on the simulated plant of mock mode; null where the plant has no such quantity. */
  readonly simulate: ((plant: Plant) => number) | null;
}

/** A service that is only watched. */
export interface ServiceKind extends AnyKind {
  readonly role: 'service';
}

export type DeviceKind = ValveKind | PumpKind | LungKind | VoltageKind | SensorKind | ServiceKind;

/**
 * All that the rig says of one kind of device: what is missing does not compile (docs/add-a-device.md). How it is
 * opened stands below it in the same file and in `openings.ts`: programs that only read the configuration carry no
 * drivers.
 */
export const defineDeviceKind = <const Kind extends DeviceKind>(kind: Kind): Kind => kind;

/** A sensor kind: the members that are alike for all of them are given. */
export const defineSensorKind = <const Kind extends string>(
  kind: Pick<SensorKind, 'title' | 'adapter' | 'connections' | 'quantity' | 'simulate'> & { kind: Kind },
) =>
  defineDeviceKind({
    ...kind,
    role: 'sensor',
    remedy: `check supply and wires of ${kind.title}, then svcctl doctor`,
    names: [],
    withoutFile: {},
    variables: [],
    owner: null,
    healthKey: null,
  });
