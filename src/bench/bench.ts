import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DEFAULT_BAUD } from '../devices/modbus-io/protocol.ts';
import type { Clock } from '../lib/clock/clock.ts';
import { BenchError } from './bench-error.ts';
import type { BenchOutputs, DeviceListing, TwinOutputs } from './bench-state.ts';
import { type BenchClock, benchClock } from './clock/bench-clock.ts';
import { type BenchContext, deviceRandom, lineClock } from './devices/bench-context.ts';
import type { BenchDevice } from './devices/bench-device.ts';
import type { BenchTwin, Buildable } from './devices/define-bench-device.ts';
import {
  type AddressName,
  BENCH_DEVICES,
  type BenchDeviceName,
  OPTIONAL_DEVICES,
  type TcpPortOption,
  TWIN_DEVICES,
  type Twins,
} from './devices/index.ts';
import { connectToMachine } from './devices/machine-ports.ts';
import { plantDevice } from './devices/plant.ts';
import { Rs485Line } from './devices/rs485-line.ts';
import { TwinDevice } from './devices/twin-device.ts';
import { exportOverUsbip } from './devices/usbip-port.ts';
import { Plant, type PlantPatch } from './plant/index.ts';
import { TraceFile } from './trace/trace-file.ts';
import { type TraceEntry, TraceLog, type TracePage, type TraceQuery } from './trace/trace-log.ts';
import type { UsbipServer } from './usbip/usbip-server.ts';

export type { BenchOutputs, DeviceListing } from './bench-state.ts';
export { BENCH_DEVICES, type BenchDeviceName } from './devices/index.ts';

/** One day: enough for every limit of the rig, and a slip of the finger ends. */
const MAX_STEP_MS = 86_400_000;

export interface BenchOptions extends Partial<Record<TcpPortOption, number>> {
  /** Folder of the links and sockets; created when missing. */
  folder: string;
  /** Of all chance. Default 1. */
  seed?: number;
  /** Deliver bytes at the speed of a real line. */
  lineRate?: boolean;
  /** Milliseconds after which a USB adapter hands on what it has received. Default 0. */
  usbLatencyMs?: number;
  /** File to which the trace is appended. */
  tracePath?: string;
  /** Size of that file with the one before it, MB; by default it has the whole trace. */
  traceMaxMb?: number | undefined;
  /** Parameters of the plant that differ from the defaults. */
  plant?: PlantPatch;
  /** Devices that are plugged in. Default: all but the optional ones. */
  only?: readonly BenchDeviceName[];
  /** Devices that are plugged in as well. */
  with?: readonly BenchDeviceName[];
  /** Exports the USB devices over USB/IP on this port of 127.0.0.1; 0 takes a free one. Default: not at all. */
  usbipPort?: number;
  /** Connects the devices to a machine in QEMU by sockets in this folder. Default: not at all. */
  usbredirFolder?: string;
  clock?: BenchClock;
  /** By which serial lines take their time, where the host of the other end has a time of its own. Default: this machine's. */
  wireClock?: Clock;
}

/** Twins of the rig's devices on one plant, behind real transports. TCP ports that are not given are any free ones. */
export class Bench {
  readonly plant: Plant;
  readonly clock: BenchClock;
  /** All twins, those that are not plugged in as well. */
  readonly twins: Twins;
  readonly #trace: TraceLog;
  readonly #built = new Map<unknown, TwinDevice>();
  /** Those that are plugged in, and the plant. */
  readonly #devices: readonly BenchDevice[];
  readonly #usbip: UsbipServer | undefined;
  readonly #startedAtMs: number;
  #usbipPort: number | undefined;

  constructor(options: BenchOptions) {
    const { folder, seed = 1, tracePath, traceMaxMb, lineRate = false, usbLatencyMs = 0 } = options;
    const { wireClock = lineClock } = options;
    const clock = options.clock ?? benchClock('real');
    mkdirSync(folder, { recursive: true });
    this.clock = clock;
    this.#startedAtMs = clock.monotonic();
    const file = tracePath === undefined ? undefined : new TraceFile(tracePath, traceMaxMb);
    this.#trace = new TraceLog({ clock, file });
    this.plant = new Plant({
      clock,
      random: deviceRandom(seed, 'plant'),
      ...(options.plant ? { parameters: options.plant } : {}),
    });
    const places = {
      path: (name: string) => join(folder, name),
      atLineRate: lineRate,
      usbLatencyMs,
      wireClock,
    };
    const shared: Omit<BenchContext, 'twinOptions'> = {
      ...places,
      seed,
      clock,
      plant: this.plant,
      valvesLine: new Rs485Line(places, { file: 'modbus-io', baud: DEFAULT_BAUD }),
      tcpPort: (option) => options[option as TcpPortOption] ?? 0,
      twinOf: <Twin extends BenchTwin>(definition: Buildable<Twin>) =>
        this.#build(definition, shared).built.twin as Twin,
    };
    const built = TWIN_DEVICES.map((definition) => this.#build(definition, shared));
    this.twins = Object.fromEntries(built.map((device) => [device.name, device.built.twin])) as Twins;
    const only = options.only ?? BENCH_DEVICES.filter((name) => !OPTIONAL_DEVICES.includes(name));
    const plugged: readonly string[] = [...only, ...(options.with ?? [])];
    const present = built.filter(({ name }) => plugged.includes(name));
    this.#devices = [...present, plantDevice({ plant: this.plant, trace: this.#trace })];
    if (options.usbredirFolder !== undefined) connectToMachine(present, options.usbredirFolder);
    if (options.usbipPort !== undefined) this.#usbip = exportOverUsbip(present, options.usbipPort);
  }

  /** @throws BenchError `bench_pty_failed`, `bench_port_in_use` */
  async open(): Promise<void> {
    try {
      this.#usbipPort = await this.#usbip?.open();
      for (const device of this.#devices) await device.open();
    } catch (cause) {
      // Half a bench leaves nothing behind.
      await this.close();
      throw cause;
    }
  }

  /** Links and sockets are gone afterwards. */
  async close(): Promise<void> {
    for (const device of this.#devices) await device.close();
    await this.#usbip?.close();
    this.#trace.close();
  }

  /** Addresses as the configuration takes them. Those of network ports are known after `open`. */
  get addresses(): Readonly<Record<AddressName, string>> {
    // A device that is not plugged in has no address; the caller has configured such a bench.
    return Object.fromEntries(this.#ports().map(([name, { address }]) => [name, address])) as Record<
      AddressName,
      string
    >;
  }

  /** Port of the USB/IP server; undefined when there is none. */
  get usbipPort(): number | undefined {
    return this.#usbipPort;
  }

  get outputs(): BenchOutputs {
    const clients = this.#ports().flatMap(([name, port]) =>
      port.clients === null ? [] : [[name, port.clients]],
    );
    return {
      ...this.#twinOutputs(),
      plant: this.plant.state(),
      clients: Object.fromEntries(clients),
    };
  }

  devices(): DeviceListing[] {
    return this.#devices.map(({ name, ports, knobs, faultKinds }) => {
      const listed = [...ports].map(([port, { address, path, clients }]) => ({
        name: port,
        address,
        path,
        clients,
      }));
      const [first] = listed;
      return {
        device: name as BenchDeviceName,
        address: first?.address ?? null,
        path: first?.path ?? null,
        ports: listed,
        knobs,
        faults: faultKinds,
      };
    });
  }

  /**
   * Sets knobs; resolves when they have taken effect. The extra knob `once` is a list of faults, one for each of the
   * next answers.
   *
   * @throws CodedError `knob_invalid`, and nothing is changed then; BenchError `device_unknown`; TransportError when
   *   the port cannot be held because a client has it
   */
  async setKnobs(device: BenchDeviceName, patch: unknown): Promise<Readonly<Record<string, unknown>>> {
    const found = this.#device(device);
    await found.setKnobs(patch);
    return found.knobs;
  }

  /** Injects faults into the next replies, one into each. @throws BenchError `knob_invalid`, `device_unknown` */
  faultOnce(device: BenchDeviceName, faults: unknown): void {
    this.#device(device).faultOnce(faults);
  }

  /** Outputs off, knobs, faults and plant at rest. Time and trace go on. */
  async reset(): Promise<void> {
    await Promise.all(this.#devices.map((device) => device.reset()));
  }

  /** Moves the time of twins and plant on. @param ms 0 to one day. @throws BenchError `step_invalid` */
  async advance(ms: number): Promise<void> {
    if (!(ms >= 0 && ms <= MAX_STEP_MS))
      throw new BenchError('step_invalid', `a step of ${ms} ms cannot be made: give 0 to ${MAX_STEP_MS} ms`);
    await this.clock.advance(ms);
  }

  /** Milliseconds of the bench's own time since it was made. */
  get elapsedMs(): number {
    return this.clock.monotonic() - this.#startedAtMs;
  }

  /** @param device all devices without it */
  trace(device?: BenchDeviceName): TraceEntry[] {
    return this.#trace.entries(device);
  }

  /** @throws BenchError `device_unknown` */
  tracePage(query: TraceQuery): TracePage {
    return this.#trace.page(query);
  }

  /** Resolves when there is an entry after `since`, or when `signal` aborts. */
  traceArrival(query: TraceQuery, signal: AbortSignal): Promise<void> {
    return this.#trace.arrival(query, signal);
  }

  /** Builds a device once; one that needs another's twin builds that first. */
  #build(definition: Buildable<BenchTwin>, shared: Omit<BenchContext, 'twinOptions'>): TwinDevice {
    const known = this.#built.get(definition);
    if (known) return known;
    const { name, build } = definition;
    const { clock, seed } = shared;
    const device = new TwinDevice({
      name,
      clock,
      trace: this.#trace,
      build: ({ listener, knobsChanged }) =>
        build({
          ...shared,
          twinOptions: (also) => ({
            clock,
            random: deviceRandom(seed, name),
            listener: (event) => {
              listener(event);
              also?.(event);
            },
            knobsChanged,
          }),
        }),
    });
    this.#built.set(definition, device);
    return device;
  }

  /** Of an optional device only while it is plugged in. */
  #twinOutputs(): TwinOutputs {
    const parts = TWIN_DEVICES.flatMap((definition) => {
      const { name, outputs } = definition;
      const isShown =
        !OPTIONAL_DEVICES.includes(name) || this.#devices.some((device) => device.name === name);
      const read = outputs?.read as ((twin: unknown) => object) | undefined;
      return isShown && read ? [read(this.twins[name])] : [];
    });
    return Object.assign({}, ...parts) as TwinOutputs;
  }

  #ports() {
    return this.#devices.flatMap(({ ports }) => [...ports]);
  }

  #device(name: string): BenchDevice {
    const found = this.#devices.find((device) => device.name === name);
    if (found) return found;
    const known = this.#devices.map((device) => device.name).join(', ');
    const remedy = OPTIONAL_DEVICES.some((device) => device === name)
      ? `; plug it in with --with ${name}`
      : '';
    throw new BenchError('device_unknown', `no device "${name}" on this bench; it has ${known}${remedy}`);
  }
}
