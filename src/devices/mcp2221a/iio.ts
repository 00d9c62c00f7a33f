import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { JobQueue } from '../../lib/queue/job-queue.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { Connection, type ConnectionState } from '../connection.ts';
import { type DeviceError, failureOf, nameDevice } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { queueEnd } from '../queue-end.ts';
import type { Mcp2221aOptions } from './driver.ts';
import { FULL_SCALE } from './protocol/status.ts';
import { adcReference } from './reference.ts';
import {
  type AdcChannel,
  type AdcHealth,
  type AdcOutcome,
  type AdcSample,
  CHANNELS,
  DEADLINE_MS,
  DEVICE,
  LONGEST_ROW,
  QUEUE_LIMIT,
  sampleOf,
  type UsbAdc,
} from './usb-adc.ts';

/** The voltages that a kernel driver shows under `/sys/bus/iio`. */
export interface IioSource {
  readonly address: string;
  /** Folder of the device, for example `/sys/bus/iio/devices/iio:device0`. */
  readonly path: string;
  open(): Promise<void>;
  close(): Promise<void>;
  /** iSerial of the chip; null when it shows none. */
  usbSerial(): Promise<string | null>;
  /** `in_voltage<channel>_raw`. @throws TransportError */
  read(channel: 0 | 1 | 2): Promise<number>;
}

const INDEX = { 1: 0, 2: 1, 3: 2 } as const;

/**
 * The same three inputs through the kernel's `hid_mcp2221`, which owns the chip: read-only. Neither pins nor reference
 * can be set or read back here, so no sample is ever `verified`. The kernel numbers its voltages by the pins that are
 * ADC pins in flash: only with all three of them is the number also the input, so fewer are refused.
 */
export class Mcp2221aIio implements UsbAdc {
  readonly referenceVolts: number;
  readonly #source: IioSource;
  readonly #fail: ReturnType<typeof failureOf>;
  readonly #clock: Clock;
  readonly #connection: Connection;
  readonly #newQueue: () => JobQueue;
  #queue: JobQueue;

  /** @param options as for `Mcp2221a`. @throws DeviceError `setting_refused` */
  constructor(source: IioSource, options: Omit<Mcp2221aOptions, 'rules'> = {}) {
    const clock = options.clock ?? systemClock;
    this.#source = source;
    this.#fail = failureOf(DEVICE, source.address);
    this.#clock = clock;
    this.referenceVolts = adcReference(options.referenceSource ?? 'vdd', options.referenceVolts ?? 3.3).volts;
    this.#connection = new Connection({
      transport: source,
      clock,
      setUp: async () => {
        // The kernel's driver shows no flash.
        const found = options.objection?.({ factory: null, usb: await source.usbSerial() });
        if (found !== undefined) throw this.#fail('wrong_device', found, { reason: 'serial' });
        await this.#findInputs();
      },
    });
    this.#newQueue = () =>
      new JobQueue({
        clock,
        limit: QUEUE_LIMIT,
        deadlineMs: DEADLINE_MS,
        describe: (end, cause) => queueEnd(end, source.address, cause),
      });
    this.#queue = this.#newQueue();
  }

  get state(): ConnectionState {
    return this.#connection.state;
  }

  get lastFault(): DeviceError | undefined {
    return this.#connection.lastFault;
  }

  /** Folder of the IIO device. */
  get path(): string {
    return this.#source.path;
  }

  /** @throws DeviceError `device_unavailable`, `adc_config_not_applied` */
  open(): Promise<void> {
    return this.#connection.open().catch(nameDevice(DEVICE));
  }

  keepOpen(): void {
    this.#connection.keepOpen();
  }

  async close(): Promise<void> {
    this.#queue.close();
    this.#queue = this.#newQueue();
    await this.#connection.close();
  }

  read(channel: AdcChannel, options: Exchange = {}): Promise<AdcSample> {
    if (!CHANNELS.includes(channel))
      return Promise.reject(this.#fail('value_out_of_range', `channel ${channel} is not 1, 2 or 3`));
    return this.#run((signal) => this.#read(channel, signal), options);
  }

  async readAll(options: Exchange = {}): Promise<AdcOutcome[]> {
    return this.#run((signal) => this.#readAll(signal), options);
  }

  /** @param count 1..100 */
  readMany(count: number, options: Exchange = {}): Promise<AdcOutcome[][]> {
    if (!Number.isInteger(count) || count < 1 || count > LONGEST_ROW)
      return Promise.reject(
        this.#fail('value_out_of_range', `${count} readings in a row are not 1 to ${LONGEST_ROW}`),
      );
    return this.#run(async (signal) => {
      const rows: AdcOutcome[][] = [];
      while (rows.length < count) rows.push(await this.#readAll(signal));
      return rows;
    }, options);
  }

  /** That the kernel's driver gives all three words; never that they mean what they should. */
  verify(options: Exchange = {}): Promise<AdcHealth> {
    return this.#run(async (signal) => {
      await this.#readAll(signal);
      const fault = 'the kernel driver hid_mcp2221 owns the chip: pins and reference cannot be read back';
      return { verified: false, faults: [fault], observedAt: this.#clock.now() };
    }, options);
  }

  async #readAll(signal: AbortSignal): Promise<AdcOutcome[]> {
    const outcomes: AdcOutcome[] = [];
    for (const channel of CHANNELS)
      outcomes.push({ ok: true, channel, sample: await this.#read(channel, signal) });
    return outcomes;
  }

  async #read(channel: AdcChannel, signal: AbortSignal): Promise<AdcSample> {
    signal.throwIfAborted();
    const raw = await this.#source.read(INDEX[channel]);
    signal.throwIfAborted();
    if (!Number.isInteger(raw) || raw < 0 || raw > FULL_SCALE) {
      const message = `the kernel gives ${raw} for G${channel}, which ten bits cannot hold`;
      throw this.#fail('corrupt_response', message, { reason: 'word' });
    }
    const { referenceVolts } = this;
    return sampleOf(channel, raw, { referenceVolts, verified: false, observedAt: this.#clock.now() });
  }

  async #findInputs(): Promise<void> {
    for (const channel of CHANNELS) {
      try {
        await this.#source.read(INDEX[channel]);
      } catch (cause) {
        const message =
          `the kernel shows fewer than three ADC inputs (${messageOf(cause)}), so they cannot be assigned; ` +
          'set GP1, GP2 and GP3 to ADC in the chip’s flash, or keep hid_mcp2221 off the chip';
        throw this.#fail('adc_config_not_applied', message, { cause });
      }
    }
  }

  #run<T>(work: (signal: AbortSignal) => Promise<T>, options: Exchange): Promise<T> {
    return this.#queue
      .run(async (signal) => {
        await this.#connection.ready(signal);
        try {
          return await work(signal);
        } catch (thrown) {
          if (!(thrown instanceof TransportError)) throw thrown;
          const error = this.#fail('device_unavailable', thrown.message, {
            reason: thrown.code,
            cause: thrown,
          });
          this.#connection.lost(error);
          throw error;
        }
      }, options)
      .catch(nameDevice(DEVICE));
  }
}
