import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { JobQueue } from '../../lib/queue/job-queue.ts';
import type { I2cBus } from '../../transports/i2c/i2c-bus.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { DeviceError, type DeviceErrorDetails } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { queueEnd } from '../queue-end.ts';
import {
  type AdcInput,
  DEFAULT_ADDRESS,
  OS_BIT,
  POINTER,
  SATURATED,
  settingsOf,
  signedOf,
  startConfig,
  voltsOf,
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

export interface AdcSample {
  /** AIN0..AIN3. */
  input: AdcInput;
  /** Counts of 125 uV. */
  raw: number;
  volts: number;
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

  /** @param options.address 0x48 (default) to 0x4B */
  constructor(bus: I2cBus, options: { address?: number; clock?: Clock } = {}) {
    this.#bus = bus;
    this.#address = options.address ?? DEFAULT_ADDRESS;
    this.#clock = options.clock ?? systemClock;
    this.#queue = new JobQueue({
      clock: this.#clock,
      limit: 32,
      deadlineMs: 2000,
      describe: (end, cause) => queueEnd(end, bus.address, cause),
    });
  }

  /** One-byte read. @throws DeviceError `device_unavailable` when nothing answers */
  probe(signal?: AbortSignal): Promise<void> {
    const work = async (running: AbortSignal) => {
      await this.#transfer([], 1, running);
    };
    return this.#queue.run(work, signal ? { signal } : {});
  }

  /** @throws DeviceError `device_unavailable`, `device_timeout`, `adc_foreign_config`, and those of the queue */
  read(input: AdcInput, options: Exchange = {}): Promise<AdcSample> {
    return this.#queue.run((signal) => this.#read(input, signal), options);
  }

  async #read(input: AdcInput, signal: AbortSignal): Promise<AdcSample> {
    const wanted = startConfig(input);
    await this.#transfer([POINTER.config, ...wordBytes(wanted)], 0, signal);
    await this.#untilConverted(wanted, signal);
    const raw = signedOf(await this.#transfer([POINTER.conversion], 2, signal));
    const observedAt = this.#clock.now();
    return { input, raw, volts: voltsOf(raw), saturated: raw === SATURATED || raw === -32_768, observedAt };
  }

  async #untilConverted(wanted: number, signal: AbortSignal): Promise<void> {
    const startedAt = this.#clock.monotonic();
    for (let waitMs = CONVERSION_MS; ; waitMs = POLL_MS) {
      await this.#clock.sleep(waitMs, signal);
      const config = wordOf(await this.#transfer([POINTER.config], 2, signal));
      if (settingsOf(config) !== settingsOf(wanted)) {
        const message = `config reads ${hex(config)} where ${hex(wanted)} was written: another program uses the chip; stop it`;
        throw this.#fail('adc_foreign_config', message);
      }
      if (config & OS_BIT) return;
      if (this.#clock.monotonic() - startedAt >= LONGEST_CONVERSION_MS) {
        const message = `no conversion within ${LONGEST_CONVERSION_MS} ms`;
        throw this.#fail('device_timeout', message, { reason: 'no_conversion' });
      }
    }
  }

  async #transfer(write: number[], readCount: number, signal: AbortSignal): Promise<Uint8Array> {
    signal.throwIfAborted();
    try {
      return await this.#bus.transfer(this.#address, Uint8Array.from(write), readCount);
    } catch (cause) {
      const reason = cause instanceof TransportError ? cause.code : 'port_failed';
      const code = reason === 'i2c_timeout' ? 'device_timeout' : 'device_unavailable';
      throw this.#fail(code, messageOf(cause), { reason, cause });
    }
  }

  #fail(code: DeviceError['code'], message: string, details: DeviceErrorDetails = {}): DeviceError {
    const endpoint = this.#bus.address;
    const place = `${DEVICE} 0x${this.#address.toString(16)} on ${endpoint}`;
    return new DeviceError(code, `${place}: ${message}`, { device: DEVICE, endpoint, ...details });
  }
}

const hex = (value: number) => value.toString(16).padStart(4, '0').toUpperCase();
