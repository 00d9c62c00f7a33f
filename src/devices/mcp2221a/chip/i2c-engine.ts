import type { Clock } from '../../../lib/clock/clock.ts';
import type { I2cTwin } from '../../twin.ts';
import type { Mcp2221aKnobs } from '../knobs.ts';
import { CHUNK_BYTES, COUNT_ERROR, I2C_STATE, NOT_READY } from '../protocol/i2c.ts';
import { COMMAND } from '../protocol/request.ts';

/** Clock from which the I2C speed is divided, per millisecond. */
const CYCLES_PER_MS = 12_000;
const POWER_UP_DIVIDER = 0x76;
/** The engine gives up a bus that is held low after about this time. */
const STUCK_MS = 20;

const USED = 0x60;
const CANCEL_MARKED = 0x10;
const CANCEL_IDLE = 0x11;
const SPEED_ACCEPTED = 0x20;
const SPEED_BUSY = 0x21;
const NACK_BIT = 0x40;

/** Bytes of an answer by their position; positions left out are undefined and hold what they held. */
export type Fields = Record<number, number>;

/** The I2C engine of the chip: the master of the bus on which twins answer. */
export class I2cEngine {
  readonly #clock: Clock;
  readonly #knobs: () => Mcp2221aKnobs;
  readonly #deviceAt: (address: number) => I2cTwin | undefined;
  #isUsed = false;
  #isWedged = false;
  #divider = POWER_UP_DIVIDER;
  #during: number = I2C_STATE.idle;
  #final: number = I2C_STATE.idle;
  #readyAt = 0;
  #requested = 0;
  #transferred = 0;
  #address = 0;
  #isNacked = false;
  #fetchable: number[] = [];
  #collected: number[] = [];

  /** @param options.deviceAt what stands at a 7-bit address */
  constructor(options: {
    clock: Clock;
    knobs: () => Mcp2221aKnobs;
    deviceAt: (address: number) => I2cTwin | undefined;
  }) {
    this.#clock = options.clock;
    this.#knobs = options.knobs;
    this.#deviceAt = options.deviceAt;
  }

  /** As after power-up: never used. */
  reset(): void {
    this.#isUsed = false;
    this.#isWedged = false;
    this.#divider = POWER_UP_DIVIDER;
    this.#become(I2C_STATE.idle);
    this.#requested = 0;
    this.#transferred = 0;
    this.#address = 0;
    this.#isNacked = false;
    this.#fetchable = [];
    this.#collected = [];
  }

  get state(): number {
    if (this.#isWedged) return I2C_STATE.stopTimeout;
    return this.#clock.monotonic() < this.#readyAt ? this.#during : this.#final;
  }

  get isWedged(): boolean {
    return this.#isWedged;
  }

  /**
   * A cancel of an engine that was never used can wedge it until the chip is reset. @returns [2] of the status answer
   */
  cancel(): number {
    if (!this.#isUsed && this.#knobs().cancel_wedges) this.#isWedged = true;
    if (this.#isWedged) return CANCEL_MARKED;
    if (this.state === I2C_STATE.idle) return CANCEL_IDLE;
    this.#become(this.#isBusFree() ? I2C_STATE.idle : I2C_STATE.stopTimeout);
    this.#isNacked = false;
    this.#fetchable = [];
    this.#collected = [];
    return CANCEL_MARKED;
  }

  /** @returns [3] of the status answer */
  setSpeed(divider: number): number {
    if (this.state !== I2C_STATE.idle) return SPEED_BUSY;
    this.#divider = divider;
    return SPEED_ACCEPTED;
  }

  /** What a status answer says of the engine. */
  status(): Fields {
    const { scl_stuck, sda_stuck } = this.#knobs();
    return {
      8: this.state,
      9: this.#requested & 0xff,
      10: this.#requested >> 8,
      11: this.#transferred & 0xff,
      12: this.#transferred >> 8,
      13: this.#fetchable.length & 0xff,
      14: this.#divider,
      15: 0,
      16: this.#address,
      17: 0,
      20: this.#isNacked ? NACK_BIT : 0,
      21: this.#isUsed ? USED : 0,
      22: scl_stuck ? 0 : 1,
      23: sda_stuck ? 0 : 1,
      24: 0,
      25: this.#fetchable.length > 0 ? 1 : 0,
    };
  }

  /** Commands 91 and 93. @param address 8-bit form */
  read(command: number, length: number, address: number): Fields {
    const refusal = this.#begin(command, length, address);
    if (refusal) return refusal;
    if (length === 0) {
      // No end is ever reached: why services never read nothing.
      this.#become(I2C_STATE.addressing);
    } else if (this.#isBusFree()) {
      const data = this.#transfer(address, new Uint8Array(), length);
      if (data) {
        this.#fetchable = [...data];
        this.#transferred = length;
        this.#run(I2C_STATE.reading, I2C_STATE.dataComplete, 1 + length);
      }
    }
    return { 1: 0 };
  }

  /** Commands 90, 92 and 94; a long write comes in several reports with the same header, and starts with the last. */
  write(command: number, length: number, address: number, chunk: Uint8Array): Fields {
    if (this.#collected.length === 0) {
      const refusal = this.#begin(command, length, address);
      if (refusal) return refusal;
      if (!this.#isBusFree()) return { 1: 0 };
    }
    this.#collected.push(...chunk.subarray(0, Math.min(CHUNK_BYTES, length - this.#collected.length)));
    if (this.#collected.length < length) {
      this.#become(I2C_STATE.writing);
      return { 1: 0 };
    }
    const written = this.#transfer(address, Uint8Array.from(this.#collected), 0);
    this.#collected = [];
    if (!written) return { 1: 0 };
    this.#transferred = length;
    const end = command === COMMAND.writeI2cNoStop ? I2C_STATE.writtenBusHeld : I2C_STATE.idle;
    this.#run(I2C_STATE.writing, end, 1 + length);
    return { 1: 0 };
  }

  /** Command 40. */
  fetch(): Fields {
    const state = this.state;
    if (this.#fetchable.length === 0 || state !== I2C_STATE.dataComplete)
      return { 1: NOT_READY, 2: state, 3: COUNT_ERROR };
    const data = this.#fetchable.splice(0, CHUNK_BYTES);
    const hasMore = this.#fetchable.length > 0;
    if (!hasMore) this.#become(I2C_STATE.idle);
    const fields: Fields = {
      1: 0,
      2: hasMore ? I2C_STATE.partialData : I2C_STATE.dataComplete,
      3: data.length,
    };
    for (const [index, byte] of data.entries()) fields[4 + index] = byte;
    return fields;
  }

  /** @returns the refusal, when the engine is not free */
  #begin(command: number, length: number, address: number): Fields | undefined {
    const state = this.state;
    const mayContinue = command === COMMAND.readI2cRepeated || command === COMMAND.writeI2cRepeated;
    const isFree =
      state === I2C_STATE.idle || (mayContinue && state === I2C_STATE.writtenBusHeld && !this.#isWedged);
    if (!isFree) return { 1: 1, 2: state };
    this.#isUsed = true;
    this.#requested = length;
    this.#transferred = 0;
    this.#address = address;
    this.#isNacked = false;
    this.#fetchable = [];
    if (!this.#isBusFree()) {
      this.#run(I2C_STATE.addressing, I2C_STATE.startTimeout, 0);
      this.#readyAt = this.#clock.monotonic() + STUCK_MS;
    }
    return undefined;
  }

  #isBusFree(): boolean {
    const { scl_stuck, sda_stuck } = this.#knobs();
    return !scl_stuck && !sda_stuck;
  }

  /** @returns what the device gave; undefined when nothing acknowledged the address */
  #transfer(address: number, write: Uint8Array, readCount: number): Uint8Array | undefined {
    const device = this.#knobs().nack ? undefined : this.#deviceAt(address >> 1);
    const answer = device?.transfer(write, readCount);
    if (answer?.ok) return answer.bytes;
    this.#isNacked = true;
    this.#run(I2C_STATE.addressing, I2C_STATE.addressNacked, 1);
    return undefined;
  }

  /** A transfer of so many bytes at the speed that is set, nine bits each. */
  #run(during: number, final: number, bytes: number): void {
    this.#during = during;
    this.#final = final;
    this.#readyAt = this.#clock.monotonic() + (9 * bytes * (this.#divider + 2)) / CYCLES_PER_MS;
  }

  #become(state: number): void {
    this.#final = state;
    this.#readyAt = 0;
  }
}
