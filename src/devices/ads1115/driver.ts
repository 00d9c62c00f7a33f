import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Volts } from '../../lib/quantity.ts';
import { JobQueue } from '../../lib/queue/job-queue.ts';
import type { I2cBus } from '../../transports/i2c/i2c-bus.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { DeviceError, failureOf, namedError } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { queueEnd } from '../queue-end.ts';
import {
  type AdcInput,
  DEFAULT_ADDRESS,
  inputBits,
  OS_BIT,
  POINTER,
  SATURATED,
  SINGLE_SHOT_BIT,
  settingsOf,
  signedOf,
  startConfig,
  voltsOf,
  wideConfig,
  wordBytes,
  wordOf,
} from './protocol.ts';

export type { Exchange } from '../exchange.ts';
export type { AdcInput } from './protocol.ts';

const DEVICE = 'sensor-adc';
/** One conversion at 128 samples/s takes 7.8 ms; the chip's clock is 10 % loose. */
const CONVERSION_MS = 8;
const POLL_MS = 2;
const LONGEST_CONVERSION_MS = 50;
/** The slowest rate, 8 samples/s, and 10 %. */
const LONGEST_FOREIGN_MS = 140;

/** Counts from which on the codes of one voltage at both gains differ by more than an error of a count or two: 3 mV. */
const PROVABLE = 24;
/** So many further conversions, at two gains in turn, have to give one code before the register counts as frozen. */
const PROOFS = 4;

export interface AdcSample {
  /** AIN0..AIN3. */
  input: AdcInput;
  /** Counts of 125 uV. */
  raw: number;
  volts: Volts;
  /** At the end of the range: the true voltage may be beyond it. */
  saturated: boolean;
  /** Wall clock, milliseconds since the Unix epoch. */
  observedAt: number;
}

/** Four inputs against ground, one conversion at a time. */
export class Ads1115 {
  readonly #bus: I2cBus;
  readonly #address: number;
  readonly #clock: Clock;
  readonly #queue: JobQueue;
  readonly #fail: ReturnType<typeof failureOf>;
  /** What the multiplexer stands on for sure. */
  #settledInput: AdcInput | undefined;
  #lastCode: number | undefined;

  /** @param options.address 0x48 (default) to 0x4B */
  constructor(bus: I2cBus, options: { address?: number; clock?: Clock } = {}) {
    this.#bus = bus;
    this.#address = options.address ?? DEFAULT_ADDRESS;
    this.#clock = options.clock ?? systemClock;
    this.#fail = failureOf(
      DEVICE,
      bus.address,
      `${DEVICE} 0x${this.#address.toString(16)} on ${bus.address}`,
    );
    this.#queue = new JobQueue({
      clock: this.#clock,
      limit: 32,
      deadlineMs: 2000,
      describe: (end, cause) => namedError(queueEnd(end, bus.address, cause), DEVICE),
    });
  }

  /**
   * One-byte read, behind a write: of a read that nothing acknowledges, hid_mcp2221 says only that it failed.
   *
   * @throws DeviceError `device_unavailable` when nothing answers
   */
  probe(signal?: AbortSignal): Promise<void> {
    const work = async (running: AbortSignal) => {
      await this.#transfer([POINTER.config], 1, running);
    };
    return this.#queue.run(work, signal ? { signal } : {});
  }

  /**
   * One conversion; behind another input two, since a multiplexer that is late gives the input before. A code that comes
   * twice in a row is proven: the same input at another gain has another code, unless the register is frozen. Nothing
   * shows that within 3 mV of 0 V, where both codes are the same.
   *
   * The config is read before a conversion (idle), during it (ours, done) and behind it (still ours): the chip
   * has no other way to say whose value its one register holds.
   *
   * @throws DeviceError `device_unavailable`, `device_timeout`, `adc_foreign_config`, `corrupt_response` (`reason`:
   *   `frozen`, `short`), and those of the queue
   */
  read(input: AdcInput, options: Exchange = {}): Promise<AdcSample> {
    return this.#queue.run((signal) => this.#read(input, signal), options);
  }

  async #read(input: AdcInput, signal: AbortSignal): Promise<AdcSample> {
    const idle = await this.#untilIdle(startConfig(input), signal);
    // Another program, or a loss of supply, may have switched it since.
    const isSettled =
      input === this.#settledInput && idle !== undefined && inputBits(idle) === inputBits(startConfig(input));
    this.#settledInput = undefined;
    if (!isSettled) await this.#convertIdle(wideConfig(input), signal);
    const before = this.#lastCode;
    const raw = isSettled
      ? await this.#convertIdle(startConfig(input), signal)
      : await this.#convert(startConfig(input), signal);
    const observedAt = this.#clock.now();
    const saturated = raw === SATURATED || raw === -32_768;
    if (raw === before && Math.abs(raw) >= PROVABLE && !saturated) await this.#prove(input, raw, signal);
    this.#settledInput = input;
    return { input, raw, volts: voltsOf(raw), saturated, observedAt };
  }

  /** @throws DeviceError `corrupt_response` when the code stays whatever is measured */
  async #prove(input: AdcInput, raw: number, signal: AbortSignal): Promise<void> {
    for (let proof = 0; proof < PROOFS; proof++) {
      const config = proof % 2 === 0 ? wideConfig(input) : startConfig(input);
      if ((await this.#convert(config, signal)) !== raw) return;
    }
    const message = `AIN${input} reads ${raw} at two gains, so the conversion register is frozen; disconnect the chip's supply for a moment, or replace it`;
    throw this.#fail('corrupt_response', message, { reason: 'frozen' });
  }

  /** @returns counts at the gain of the config */
  async #convert(wanted: number, signal: AbortSignal): Promise<number> {
    await this.#untilIdle(wanted, signal);
    return this.#convertIdle(wanted, signal);
  }

  /** The same, of a chip that was just seen idle. */
  async #convertIdle(wanted: number, signal: AbortSignal): Promise<number> {
    await this.#transfer([POINTER.config, ...wordBytes(wanted)], 0, signal);
    await this.#untilConverted(wanted, signal);
    const code = signedOf(await this.#transfer([POINTER.conversion], 2, signal));
    this.#lastCode = code;
    // Between the last look and the reading another program may have begun: its value is not taken for ours.
    const config = await this.#config(wanted, signal);
    if (!(config & OS_BIT))
      throw this.#foreign(`config reads ${hex(config)}: a conversion runs that was not started here`);
    return code;
  }

  /**
   * A start has no effect while a conversion runs (data sheet, OS bit): that of a read which was given up, or another
   * program's. Its value would then come under our config.
   * @returns the config that it has; undefined where it was not idle at once
   */
  async #untilIdle(wanted: number, signal: AbortSignal): Promise<number | undefined> {
    const startedAt = this.#clock.monotonic();
    for (let isFirst = true; ; isFirst = false) {
      const config = wordOf(await this.#transfer([POINTER.config], 2, signal));
      if (config & OS_BIT) return isFirst ? config : undefined;
      if (this.#clock.monotonic() - startedAt >= LONGEST_FOREIGN_MS) {
        const message = `a conversion does not end within ${LONGEST_FOREIGN_MS} ms (config reads ${hex(config)}); check the chip's supply`;
        throw await this.#unready(message);
      }
      // Left converting without end by an earlier program: it stops when told our settings without a start.
      if (!(config & SINGLE_SHOT_BIT))
        await this.#transfer([POINTER.config, ...wordBytes(settingsOf(wanted))], 0, signal);
      await this.#clock.sleep(POLL_MS, signal);
    }
  }

  async #untilConverted(wanted: number, signal: AbortSignal): Promise<void> {
    const startedAt = this.#clock.monotonic();
    for (let waitMs = CONVERSION_MS; ; waitMs = POLL_MS) {
      await this.#clock.sleep(waitMs, signal);
      if ((await this.#config(wanted, signal)) & OS_BIT) return;
      if (this.#clock.monotonic() - startedAt >= LONGEST_CONVERSION_MS)
        throw await this.#unready(
          `no conversion within ${LONGEST_CONVERSION_MS} ms; check the chip's supply`,
        );
    }
  }

  /** The config register, when it has the settings that were written. @throws DeviceError `adc_foreign_config` */
  async #config(wanted: number, signal: AbortSignal): Promise<number> {
    const config = wordOf(await this.#transfer([POINTER.config], 2, signal));
    if (settingsOf(config) === settingsOf(wanted)) return config;
    throw this.#foreign(`config reads ${hex(config)} where ${hex(wanted)} was written`);
  }

  #foreign(what: string): DeviceError {
    const message = `${what}: another program uses the chip, or it lost its supply; stop that program (lsof /dev/i2c-*) or check the wiring`;
    return this.#fail('adc_foreign_config', message);
  }

  /** The chip does not do what it was commanded: the bus is opened anew by the next transfer. */
  async #unready(message: string): Promise<DeviceError> {
    // Whether the old handle could be closed says nothing about the chip.
    await this.#bus.close().catch(() => {});
    return this.#fail('device_timeout', message, { reason: 'no_conversion' });
  }

  /** A transfer that has begun cannot be stopped; its caller is let go, and the bus runs the next one behind it. */
  async #transfer(write: number[], readCount: number, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    let onAbort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      onAbort = () => reject(signal.reason);
      signal.addEventListener('abort', onAbort, { once: true });
    });
    try {
      const done = this.#bus.transfer(this.#address, Uint8Array.from(write), readCount, signal);
      const bytes = await Promise.race([done, aborted]);
      if (bytes.length === readCount) return bytes;
      throw this.#fail('corrupt_response', `${bytes.length} bytes came where ${readCount} were asked for`, {
        reason: 'short',
      });
    } catch (cause) {
      if (signal.aborted || cause instanceof DeviceError) throw cause;
      const reason = cause instanceof TransportError ? cause.code : 'port_failed';
      const code = reason === 'i2c_timeout' ? 'device_timeout' : 'device_unavailable';
      throw this.#fail(code, messageOf(cause), { reason, cause });
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

const hex = (value: number) => value.toString(16).padStart(4, '0').toUpperCase();
