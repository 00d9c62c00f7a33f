import { mkdirSync } from 'node:fs';
import { BenchError } from './bench-error.ts';
import type { BenchOutputs, DeviceListing } from './bench-state.ts';
import { type BenchClock, benchClock } from './clock/bench-clock.ts';
import { ads1115Station } from './devices/ads1115.ts';
import { bankStation } from './devices/bank.ts';
import { BENCH_DEVICES, type BenchDevice, type Station } from './devices/bench-device.ts';
import { modbusIoStation } from './devices/modbus-io.ts';
import { plantStation } from './devices/plant.ts';
import { pumpStation } from './devices/pump.ts';
import { deviceRandom, type Surroundings } from './devices/surroundings.ts';
import { ticStation } from './devices/tic.ts';
import { uartStation } from './devices/uart.ts';
import { usbhidStation } from './devices/usbhid.ts';
import { usbipExports } from './devices/usbip-exports.ts';
import { Plant, type PlantPatch } from './plant/index.ts';
import { TraceFile } from './trace/trace-file.ts';
import { type TraceEntry, TraceLog, type TracePage, type TraceQuery } from './trace/trace-log.ts';
import type { UsbipServer } from './usbip/usbip-server.ts';

export type { BenchOutputs, DeviceListing } from './bench-state.ts';
export { BENCH_DEVICES, type BenchDevice } from './devices/bench-device.ts';

/** One day: enough for every limit of the rig, and a slip of the finger ends. */
const MAX_STEP_MS = 86_400_000;

export interface BenchOptions {
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
  /** Devices that are plugged in. Default all. */
  only?: readonly BenchDevice[];
  /** Port of the valve module's Modbus TCP on 127.0.0.1. Default 0, any free one. */
  tcpPort?: number;
  /** Port of the remote bank's HTTP server on 127.0.0.1. Default 0, any free one. */
  bankPort?: number;
  /** Exports the USB devices over USB/IP on this port of 127.0.0.1; 0 takes a free one. Default: not at all. */
  usbipPort?: number;
  clock?: BenchClock;
}

type AddressName = 'usbhid' | 'uart' | 'tic' | 'modbus-io' | 'modbus-tcp' | 'pump' | 'ads1115' | 'bank';

/** Twins of the rig's devices on one plant, behind real transports. */
export class Bench {
  readonly plant: Plant;
  readonly usbhid: ReturnType<typeof usbhidStation>['twin'];
  readonly bank: ReturnType<typeof bankStation>['twin'];
  readonly uart: ReturnType<typeof uartStation>['twin'];
  readonly tic: ReturnType<typeof ticStation>['twin'];
  readonly modbusIo: ReturnType<typeof modbusIoStation>['twin'];
  readonly pump: ReturnType<typeof pumpStation>['twin'];
  readonly ads1115: ReturnType<typeof ads1115Station>['twin'];
  readonly clock: BenchClock;
  readonly #trace: TraceLog;
  readonly #stations: readonly Station[];
  readonly #usbip: UsbipServer | undefined;
  readonly #startedAtMs: number;
  #usbipPort: number | undefined;

  constructor(options: BenchOptions) {
    const { folder, seed = 1, tracePath, traceMaxMb, lineRate = false, usbLatencyMs = 0 } = options;
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
    const around: Surroundings = {
      folder,
      seed,
      clock,
      plant: this.plant,
      trace: this.#trace,
      atLineRate: lineRate,
      usbLatencyMs,
    };
    const ads1115 = ads1115Station(around);
    const usbhid = usbhidStation(around, ads1115.twin);
    const uart = uartStation(around);
    const tic = ticStation(around);
    const modbusIo = modbusIoStation(around, options.tcpPort ?? 0);
    const pump = pumpStation(around);
    const bank = bankStation(around, options.bankPort ?? 0);
    this.usbhid = usbhid.twin;
    this.bank = bank.twin;
    this.uart = uart.twin;
    this.tic = tic.twin;
    this.modbusIo = modbusIo.twin;
    this.pump = pump.twin;
    this.ads1115 = ads1115.twin;
    const twins = [usbhid, uart, tic, modbusIo, pump, ads1115, bank].map(({ station }) => station);
    const only = options.only ?? BENCH_DEVICES;
    this.#stations = [...twins.filter(({ name }) => only.includes(name)), plantStation(around)];
    if (options.usbipPort !== undefined)
      this.#usbip = usbipExports({ usbhid, tic, only, port: options.usbipPort });
  }

  /** @throws BenchError `bench_pty_failed`, `bench_port_in_use` */
  async open(): Promise<void> {
    try {
      this.#usbipPort = await this.#usbip?.open();
      for (const station of this.#stations) await station.open();
    } catch (cause) {
      // Half a bench leaves nothing behind.
      await this.close();
      throw cause;
    }
  }

  /** Links and sockets are gone afterwards. */
  async close(): Promise<void> {
    for (const station of this.#stations) await station.close();
    await this.#usbip?.close();
    this.#trace.close();
  }

  /** Addresses as the configuration takes them. Those of network ports are known after `open`. */
  get addresses(): Readonly<Record<AddressName, string>> {
    const ports = this.#stations.flatMap((station) => station.ports);
    // A device that is left out by `only` has no address; whoever asks for it has asked for such a bench.
    return Object.fromEntries(ports.map(({ name, address }) => [name, address])) as Record<
      AddressName,
      string
    >;
  }

  /** Port of the USB/IP server; undefined when there is none. */
  get usbipPort(): number | undefined {
    return this.#usbipPort;
  }

  get outputs(): BenchOutputs {
    const ports = this.#stations.flatMap((station) => station.ports);
    const clients = ports.filter((port) => port.clients !== null).map((port) => [port.name, port.clients]);
    return {
      coils: this.modbusIo.coils,
      pump: this.pump.output,
      lung: this.tic.motion,
      plant: this.plant.state(),
      clients: Object.fromEntries(clients),
    };
  }

  devices(): DeviceListing[] {
    return this.#stations.map(({ name, ports, knobs, faultKinds }) => ({
      device: name,
      address: ports[0]?.address ?? null,
      path: ports[0]?.path ?? null,
      ports: ports.map((port) => ({
        name: port.name,
        address: port.address,
        path: port.path,
        clients: port.clients,
      })),
      knobs,
      faults: faultKinds,
    }));
  }

  /**
   * Sets knobs; resolves when they have taken effect. The extra knob `once` is a list of faults, one for each of the
   * next answers.
   *
   * @throws CodedError `knob_invalid`, and nothing is changed then; BenchError `device_unknown`; TransportError when
   *   the port cannot be held because a client has it
   */
  async setKnobs(device: BenchDevice, patch: unknown): Promise<Readonly<Record<string, unknown>>> {
    const station = this.#station(device);
    await station.setKnobs(patch);
    return station.knobs;
  }

  /** Spoils the next answers, one fault for each. @throws BenchError `knob_invalid`, `device_unknown` */
  faultOnce(device: BenchDevice, faults: unknown): void {
    this.#station(device).faultOnce(faults);
  }

  /** Outputs off, knobs, faults and plant at rest. Time and trace go on. */
  async reset(): Promise<void> {
    await Promise.all(this.#stations.map((station) => station.reset()));
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
  trace(device?: BenchDevice): TraceEntry[] {
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

  #station(device: string): Station {
    const station = this.#stations.find(({ name }) => name === device);
    if (station) return station;
    const known = this.#stations.map(({ name }) => name).join(', ');
    throw new BenchError('device_unknown', `no device "${device}" on this bench; it has ${known}`);
  }
}
