import type { Clock } from '../../lib/clock/clock.ts';
import type { Random } from '../../lib/random/seeded-random.ts';
import { bytesOf } from '../../transports/hex.ts';
import { REPORT_BYTES } from '../../transports/hid/hid-transport.ts';
import { FaultInjector } from '../fault-injector.ts';
import { FrozenCodes } from '../frozen-codes.ts';
import { Knobs } from '../knobs.ts';
import type { HidTwin, I2cTwin } from '../twin.ts';
import type { TwinListener } from '../twin-event.ts';
import { I2cDevices } from './chip/i2c-devices.ts';
import { type Fields, I2cEngine } from './chip/i2c-engine.ts';
import { InEndpoint } from './chip/in-endpoint.ts';
import { ChipMemory } from './chip/memory.ts';
import { faultedAnswer, faultNote, type HidFault } from './fault.ts';
import { mcp2221aKnobs, mcp2221aKnobsSchema } from './knobs.ts';
import { ADC_FUNCTION } from './protocol/sram.ts';
import { FULL_SCALE } from './protocol/status.ts';

/** From a request to the report that answers it; a timer of 2 ms is never shorter than 1 ms of real time. */
const ROUND_TRIP_MS = 2;
const RESET_AWAY_MS = 500;
const RESET_MAGIC = [0xab, 0xcd, 0xef];
const HARDWARE_REVISION = 'A6';
const FIRMWARE_REVISION = '12';

/** The idle answer of a real chip: what undefined positions hold at first, and what pins that are not ADC pins read. */
const IDLE_ANSWER = bytesOf(
  '10 00 00 00 00 00 00 00 00 03 00 03 00 03 14 00 40 00 10 28 00 60 01 01 00 00 F1 79 F0 00 00 00' +
    '30 30 0B 30 14 23 17 7D 06 00 00 26 94 14 41 36 31 32 FB 03 00 00 FA 03 76 03 5B 02 00 00 00 00',
);
const FLOATING = [0x3fb, 0x000, 0x3fa];

/** Commands that another program asks now and then: status, settings, pins, flash. */
const FOREIGN_REQUESTS = [[0x10], [0x61], [0x51], [0xb0, 0x05]];

export interface Mcp2221aTwinOptions {
  clock: Clock;
  random: Random;
  /** Voltage at G1, G2 or G3 now. Without it 0 V. */
  volts?: (input: 1 | 2 | 3) => number;
  /** Twins on the chip's I2C bus by their 7-bit addresses; each answers while the knob `i2c_map` has its address. */
  i2c?: ReadonlyMap<number, I2cTwin>;
  /**
   * From a request to its answer, milliseconds. Default 2, a whole round trip; 0 where the way to the twin is paced
   * like a bus.
   */
  turnaroundMs?: number;
  listener?: TwinListener;
  /** Of another kind of chip in its place. Default 0x00DD. */
  productId?: number;
  /** Called for every knob that was set. */
  knobsChanged?: (patch: Record<string, unknown>) => void;
}

/** An MCP2221A behind its HID interface: reports in, reports out, strictly in order. */
export class Mcp2221aTwin extends FaultInjector<HidFault> implements HidTwin {
  readonly knobs: Knobs<typeof mcp2221aKnobsSchema.shape>;
  readonly #random: Random;
  readonly #volts: (input: 1 | 2 | 3) => number;
  readonly #frozen = new FrozenCodes<number>();
  readonly #tell: TwinListener;
  readonly #endpoint: InEndpoint;
  readonly #turnaroundMs: number;
  readonly #memory: ChipMemory;
  readonly #i2cDevices: I2cDevices;
  readonly #engine: I2cEngine;
  #buffer: Uint8Array = Uint8Array.from(IDLE_ANSWER);
  #send: (report: Uint8Array) => void = () => {};

  constructor(options: Mcp2221aTwinOptions) {
    super();
    this.#random = options.random;
    this.#memory = new ChipMemory(options.productId);
    this.#volts = options.volts ?? (() => 0);
    this.#tell = options.listener ?? (() => {});
    this.#turnaroundMs = options.turnaroundMs ?? ROUND_TRIP_MS;
    this.#endpoint = new InEndpoint(options.clock);
    this.knobs = new Knobs({
      device: 'usbhid',
      schema: mcp2221aKnobsSchema,
      atRest: mcp2221aKnobs(),
      ...(options.knobsChanged ? { changed: options.knobsChanged } : {}),
    });
    this.#i2cDevices = new I2cDevices(options.i2c ?? new Map(), () => this.knobs.value.i2c_map);
    this.#engine = new I2cEngine({
      clock: options.clock,
      knobs: () => this.knobs.value,
      deviceAt: (address) => this.#i2cDevices.at(address),
    });
  }

  /** The I2C engine was commanded to cancel before it was ever used, and hangs until the next power-up. */
  get isWedged(): boolean {
    return this.#engine.isWedged;
  }

  connect(send: (report: Uint8Array) => void): void {
    this.#send = send;
  }

  /** Knobs and faults at rest, the chip as after power-up. */
  reset(): void {
    this.knobs.reset();
    this.forgetFaults();
    this.powerUp();
  }

  /**
   * The chip after its power came back: settings from flash, nothing owed. To be called when it is plugged in again.
   */
  powerUp(): void {
    this.#endpoint.clear();
    this.#memory.powerUp();
    this.#engine.reset();
    this.#i2cDevices.reset();
    this.#buffer = Uint8Array.from(IDLE_ANSWER);
  }

  receive(report: Uint8Array): void {
    this.#tell({ kind: 'in', bytes: report });
    if (report[0] === 0x70 && RESET_MAGIC.every((byte, index) => report[1 + index] === byte)) {
      this.powerUp();
      this.#tell({ kind: 'reenumerate', awayMs: RESET_AWAY_MS });
      return;
    }
    const fault: HidFault = this.drawnFault();
    if (fault.foreign && !this.knobs.value.silent)
      this.#post(this.#answer(this.#foreignRequest()), {}, 'foreign');
    const answer = this.#answer(report);
    const faulted = this.knobs.value.silent ? undefined : faultedAnswer(answer, fault, this.#random);
    if (!faulted) {
      this.#tell({ kind: 'note', note: 'silent: no answer' });
      return;
    }
    this.#post(faulted, fault, faultNote(fault));
    if (fault.doubled) this.#post(faulted, fault, faultNote(fault));
  }

  #post(report: Uint8Array, fault: HidFault, note: string): void {
    const waitMs = this.#turnaroundMs + this.knobs.value.reply_delay_ms + (fault.late_ms ?? 0);
    this.#endpoint.post(waitMs, () => {
      this.#tell({ kind: 'out', bytes: report, ...(note ? { note } : {}) });
      this.#send(report);
    });
  }

  /** Carries out one command. Positions that the answer does not define keep what the buffer held. */
  #answer(report: Uint8Array): Uint8Array {
    const { stale_bytes, result_byte } = this.knobs.value;
    const command = report[0] ?? 0;
    const fields: Fields = { 0: command, ...this.#carryOut(command, report) };
    if (result_byte !== null) fields[1] = result_byte;
    const answer = stale_bytes
      ? Uint8Array.from({ length: REPORT_BYTES }, () => Math.floor(256 * this.#random()))
      : Uint8Array.from(this.#buffer);
    for (const [index, byte] of Object.entries(fields)) answer[Number(index)] = byte;
    this.#buffer = answer;
    return Uint8Array.from(answer);
  }

  #carryOut(command: number, report: Uint8Array): Fields {
    const [, first = 0, second = 0, third = 0, fourth = 0] = report;
    const length = first | (second << 8);
    switch (command) {
      case 0x10:
        return this.#status({ cancels: second === 0x10, speed: third === 0x20 ? fourth : undefined });
      case 0x40:
        return this.#engine.fetch();
      case 0x50:
        return this.#memory.setGpio(report);
      case 0x51:
        return this.#memory.getGpio();
      case 0x60:
        return this.#setSram(report);
      case 0x61:
        return this.#memory.getSram();
      case 0x90:
      case 0x92:
      case 0x94:
        return this.#engine.write(command, length, third, report.subarray(4));
      case 0x91:
      case 0x93:
        return this.#engine.read(command, length, third);
      case 0xb0:
        return this.#memory.readFlash(first, this.knobs.value);
      default:
        return { 1: 1 };
    }
  }

  #status(asked: { cancels: boolean; speed: number | undefined }): Fields {
    const cancel = asked.cancels ? this.#engine.cancel() : 0;
    const speed: Fields =
      asked.speed === undefined ? { 3: 0 } : { 3: this.#engine.setSpeed(asked.speed), 4: asked.speed };
    const fields: Fields = { 1: 0, 2: cancel, ...speed, ...this.#engine.status() };
    for (const [index, letter] of [...HARDWARE_REVISION, ...FIRMWARE_REVISION].entries())
      fields[46 + index] = letter.charCodeAt(0);
    for (const channel of [1, 2, 3] as const) {
      const word = this.#convert(channel);
      fields[48 + 2 * channel] = word & 0xff;
      fields[49 + 2 * channel] = word >> 8;
    }
    return fields;
  }

  #setSram(report: Uint8Array): Fields {
    const ignored = this.knobs.value.ignore_sram_set;
    const pins = Array.isArray(ignored) ? ignored : [];
    return this.#memory.setSram(report, { everything: ignored === true, pins });
  }

  #convert(channel: 1 | 2 | 3): number {
    return this.#frozen.code(channel, this.knobs.value.freeze, () => this.#measure(channel));
  }

  #measure(channel: 1 | 2 | 3): number {
    if (this.#memory.pinFunction(channel) !== ADC_FUNCTION) return FLOATING[channel - 1] ?? 0;
    const { vref, g1_v, g2_v, g3_v } = this.knobs.value;
    const volts = [g1_v, g2_v, g3_v][channel - 1] ?? this.#volts(channel);
    const reference = this.#memory.referenceVolts(vref);
    if (reference === undefined) return FULL_SCALE;
    return Math.max(0, Math.min(FULL_SCALE, Math.floor((volts / reference) * 1024 + 1e-9)));
  }

  #foreignRequest(): Uint8Array {
    const index = Math.floor(FOREIGN_REQUESTS.length * this.#random());
    const report = new Uint8Array(REPORT_BYTES);
    report.set(FOREIGN_REQUESTS[index] ?? []);
    return report;
  }
}
