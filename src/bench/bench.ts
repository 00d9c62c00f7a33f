import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { DEFAULT_ADDRESS } from '../devices/ads1115/protocol.ts';
import { Ads1115Twin } from '../devices/ads1115/twin.ts';
import { PUMP_BAUD } from '../devices/dri0050/protocol.ts';
import { Dri0050Twin } from '../devices/dri0050/twin.ts';
import { DEFAULT_BAUD } from '../devices/modbus-io/protocol.ts';
import { ModbusIoTwin } from '../devices/modbus-io/twin.ts';
import { type RtuFault, rtuFaultSchema } from '../devices/modbus-rtu/fault.ts';
import type { TwinListener } from '../devices/twin-event.ts';
import { type Clock, systemClock } from '../lib/clock/clock.ts';
import { seededRandom } from '../lib/random/seeded-random.ts';
import { BenchError } from './bench-error.ts';
import { I2cSocket } from './i2c/i2c-socket.ts';
import { plantParametersSchema } from './plant/parameters.ts';
import { Plant } from './plant/plant.ts';
import { SerialSocket } from './pty/serial-socket.ts';
import { type TraceEntry, TraceLog } from './trace/trace-log.ts';

export const BENCH_DEVICES = ['modbus-io', 'pump', 'ads1115', 'plant'] as const;
export type BenchDevice = (typeof BENCH_DEVICES)[number];

export interface BenchOptions {
  /** Folder of the links and sockets; created when missing. */
  folder: string;
  seed?: number;
  /** Deliver bytes at the speed of a real line. */
  lineRate?: boolean;
  /** File to which the trace is appended. */
  tracePath?: string;
  clock?: Clock;
}

/** The outputs as they are in truth, whatever the twins answer. */
export interface BenchOutputs {
  coils: boolean[];
  pump: { duty: number; enabled: boolean; prescaler: number; fraction: number };
}

/** Twins of the rig's devices on one plant, behind real transports. */
export class Bench {
  readonly plant: Plant;
  readonly modbusIo: ModbusIoTwin;
  readonly pump: Dri0050Twin;
  readonly ads1115: Ads1115Twin;
  readonly #trace: TraceLog;
  readonly #valveSocket: SerialSocket;
  readonly #pumpSocket: SerialSocket;
  readonly #i2c: I2cSocket;
  #moves: Promise<unknown> = Promise.resolve();

  constructor(options: BenchOptions) {
    const clock = options.clock ?? systemClock;
    const random = seededRandom(options.seed ?? 1);
    mkdirSync(options.folder, { recursive: true });
    const log = new TraceLog({
      clock,
      ...(options.tracePath === undefined ? {} : { path: options.tracePath }),
    });
    this.#trace = log;
    const plant = new Plant({ clock, random });
    this.plant = plant;

    const listen = (device: BenchDevice, also: TwinListener = () => {}) => ({
      clock,
      random,
      listener: ((event) => {
        log.event(device, event);
        also(event);
      }) satisfies TwinListener,
      knobsChanged: (patch: Record<string, unknown>) => {
        log.knobs(device, patch);
        this.#plugAsKnobsSay();
      },
    });
    this.modbusIo = new ModbusIoTwin({
      lineBaud: DEFAULT_BAUD,
      ...listen('modbus-io', (event) => {
        if (event.kind === 'coil') plant.setCoil(event.coil, event.on);
      }),
    });
    this.pump = new Dri0050Twin(
      listen('pump', (event) => {
        if (event.kind === 'drive') plant.setDuty(event.fraction);
      }),
    );
    this.ads1115 = new Ads1115Twin({ volts: (input) => plant.volts(input), ...listen('ads1115') });

    const serial = (name: string, twin: ModbusIoTwin | Dri0050Twin, baud: number) =>
      new SerialSocket({
        link: join(options.folder, name),
        slave: twin.slave,
        clock,
        baud,
        atLineRate: options.lineRate === true,
      });
    this.#valveSocket = serial('modbus-io', this.modbusIo, DEFAULT_BAUD);
    this.#pumpSocket = serial('pump', this.pump, PUMP_BAUD);
    this.#i2c = new I2cSocket({
      path: join(options.folder, 'ads1115.sock'),
      twins: new Map([[DEFAULT_ADDRESS, this.ads1115]]),
    });
  }

  /** @throws BenchError `bench_pty_failed` */
  async open(): Promise<void> {
    await this.#valveSocket.want({ plugged: true });
    await this.#pumpSocket.want({ plugged: true });
    await this.#i2c.open();
  }

  /** Links and sockets are gone afterwards. */
  async close(): Promise<void> {
    await this.#valveSocket.want({ plugged: false, held: false });
    await this.#pumpSocket.want({ plugged: false, held: false });
    await this.#i2c.close();
    rmSync(this.#i2c.path, { force: true });
    this.modbusIo.slave.reset();
    this.pump.slave.reset();
    this.#trace.close();
  }

  /** Device addresses as `svc.yaml` takes them. */
  get addresses(): Record<'modbus-io' | 'pump' | 'ads1115', string> {
    return {
      'modbus-io': this.#valveSocket.link,
      pump: this.#pumpSocket.link,
      ads1115: `bench:${this.#i2c.path}`,
    };
  }

  get outputs(): BenchOutputs {
    return { coils: this.modbusIo.coils, pump: this.pump.output };
  }

  devices(): { device: BenchDevice; address: string | null; path: string | null; knobs: unknown }[] {
    const { addresses } = this;
    return [
      {
        device: 'modbus-io',
        address: addresses['modbus-io'],
        path: this.#valveSocket.path ?? null,
        knobs: this.modbusIo.knobs.value,
      },
      {
        device: 'pump',
        address: addresses.pump,
        path: this.#pumpSocket.path ?? null,
        knobs: this.pump.knobs.value,
      },
      {
        device: 'ads1115',
        address: addresses.ads1115,
        path: this.#i2c.path,
        knobs: this.ads1115.knobs.value,
      },
      { device: 'plant', address: null, path: null, knobs: this.plant.parameters },
    ];
  }

  /**
   * Sets knobs; resolves when they have taken effect. The extra knob `once` of the serial twins is a list of faults,
   * one for each of the next answers.
   *
   * @throws BenchError `knob_invalid`, DeviceError `knob_invalid`, and nothing is changed then; TransportError when
   *   the port cannot be held because a client has it
   */
  async setKnobs(device: BenchDevice, patch: unknown): Promise<unknown> {
    if (device === 'plant') {
      const checked = plantParametersSchema.partial().safeParse(patch);
      if (!checked.success) throw knobFault(device, checked.error);
      this.plant.setParameters(dropUndefined(checked.data));
      this.#trace.knobs(device, checked.data);
      return this.plant.parameters;
    }
    if (device === 'ads1115') {
      this.ads1115.knobs.patch(patch);
      return this.ads1115.knobs.value;
    }
    const twin = device === 'modbus-io' ? this.modbusIo : this.pump;
    const { once, knobs } = splitOnce(device, patch);
    twin.knobs.patch(knobs);
    if (once.length > 0) {
      this.#trace.knobs(device, { once });
      twin.slave.faultOnce(...once);
    }
    await this.#moves;
    return twin.knobs.value;
  }

  /** Outputs off, knobs, faults and plant at rest. The trace goes on. */
  async reset(): Promise<void> {
    this.modbusIo.reset();
    this.pump.reset();
    this.ads1115.reset();
    this.plant.reset();
    await this.#moves;
  }

  /** @param device all devices without it */
  trace(device?: BenchDevice): TraceEntry[] {
    return this.#trace.entries(device);
  }

  #plugAsKnobsSay(): void {
    const valves = this.modbusIo.knobs.value;
    const pump = this.pump.knobs.value;
    this.#moves = Promise.all([
      this.#valveSocket.want({ plugged: !valves.unplugged, held: valves.port_held }),
      this.#pumpSocket.want({ plugged: !pump.unplugged, held: pump.port_held }),
    ]);
    // Seen by whoever turned the knob; a twin that turns one itself has nobody to tell.
    this.#moves.catch(() => {});
  }
}

function splitOnce(device: BenchDevice, patch: unknown): { once: RtuFault[]; knobs: unknown } {
  if (typeof patch !== 'object' || patch === null || !('once' in patch)) return { once: [], knobs: patch };
  const { once, ...knobs } = patch;
  const checked = z.array(rtuFaultSchema).safeParse(once);
  if (!checked.success) throw knobFault(device, checked.error);
  return { once: checked.data, knobs };
}

function knobFault(device: BenchDevice, error: z.ZodError): BenchError {
  return new BenchError(
    'knob_invalid',
    `knobs of ${device}: ${z.prettifyError(error).replaceAll('\n', ' ')}`,
  );
}

function dropUndefined<T extends object>(value: T): { [Key in keyof T]: Exclude<T[Key], undefined> } {
  const kept = Object.entries(value).filter(([, entry]) => entry !== undefined);
  return Object.fromEntries(kept) as { [Key in keyof T]: Exclude<T[Key], undefined> };
}
