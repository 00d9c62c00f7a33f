import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { JobQueue } from '../../lib/queue/job-queue.ts';
import type { HidEndpoint, HidTransport } from '../../transports/hid/hid-transport.ts';
import type { TransportError } from '../../transports/transport-error.ts';
import { DeviceError, type DeviceErrorDetails, nameDevice } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { queueEnd } from '../queue-end.ts';
import { type Ask, configure, faultSentences, openSequence, readBack, totalFault } from './configuration.ts';
import { Connection, type ConnectionState } from './connection.ts';
import { Exchanger, type ExchangerOptions } from './exchanger.ts';
import { type I2cScanResult, SCAN_SPEED_HZ, scanI2c } from './i2c-scan.ts';
import { AnswerFault } from './protocol/answer.ts';
import { decodeFactorySerial, decodeFlashString, FLASH, readFlash } from './protocol/flash.ts';
import type { Request } from './protocol/request.ts';
import type { ConfigurationFaults } from './protocol/sram.ts';
import { decodeStatus, status } from './protocol/status.ts';
import { type AdcReference, adcReference } from './reference.ts';
import { type HidStatistics, noStatistics } from './statistics.ts';
import {
  type AdcChannel,
  type AdcHealth,
  type AdcOutcome,
  type AdcSample,
  CHANNELS,
  DEVICE,
  sampleOf,
  type UsbAdc,
} from './usb-adc.ts';

export type { Exchange } from '../exchange.ts';

/** Most normal jobs that may wait (services.md section 4.1). */
const QUEUE_LIMIT = 16;
const DEADLINE_MS = 5000;
/** How often in a row a reading may be disturbed by reports of somebody else. */
const QUIET_TRIES = 5;
/** Readings that one job may take in a row: 0.2 s, so that long series let others in between. */
export const LONGEST_ROW = 100;

export interface Mcp2221aOptions {
  /** `vdd` (default), `1.024`, `2.048`, `4.096` */
  referenceSource?: string;
  /** Volts of the supply, 1.0..5.5. Default 3.3. */
  referenceVolts?: number;
  clock?: Clock;
  /** For tests only. */
  rules?: Pick<ExchangerOptions, 'earliestAnswerMs' | 'fences'>;
}

/** Who the chip is, from its status and its flash. */
export interface AdcIdentity {
  manufacturer: string;
  product: string;
  /** For example `01234567`. */
  factorySerial: string;
  /** For example `A6`. */
  hardwareRevision: string;
  /** For example `12`. */
  firmwareRevision: string;
  observedAt: number;
}

/** What a job may do while the chip is its own. */
interface Session {
  ask: Ask;
  /** The same command as the last once more; see `Exchanger.repeat`. */
  askAgain: Ask;
  signal: AbortSignal;
}

/**
 * The three ADC inputs of an MCP2221A over HID (devices.md section 2). The settings are written at every opening, and
 * read back right before each reading: it both proves the configuration and tells old answers from new ones
 * (`Trust`). Settings that somebody changed fail the reading at hand; before the next one the chip is set up anew.
 */
export class Mcp2221a implements UsbAdc {
  readonly statistics: HidStatistics = noStatistics();
  readonly #transport: HidTransport;
  readonly #clock: Clock;
  readonly #reference: AdcReference;
  readonly #exchanger: Exchanger;
  readonly #connection: Connection;
  readonly #newQueue: () => JobQueue;
  #queue: JobQueue;
  #ends: (() => void)[] = [];
  /** False until a read-back showed everything as set. */
  #isConfigured = false;
  #revisions: { hardwareRevision: string; firmwareRevision: string } | undefined;

  /** @throws DeviceError `setting_refused` */
  constructor(transport: HidTransport, options: Mcp2221aOptions = {}) {
    const clock = options.clock ?? systemClock;
    this.#transport = transport;
    this.#clock = clock;
    this.#reference = adcReference(options.referenceSource ?? 'vdd', options.referenceVolts ?? 3.3);
    this.#exchanger = new Exchanger({ transport, clock, statistics: this.statistics, ...options.rules });
    this.#connection = new Connection({ transport, clock, setUp: (signal) => this.#setUp(signal) });
    this.#connection.onState((state) => {
      if (state === 'open') this.statistics.opens += 1;
    });
    this.#newQueue = () =>
      new JobQueue({
        clock,
        limit: QUEUE_LIMIT,
        deadlineMs: DEADLINE_MS,
        describe: (end, cause) => queueEnd(end, transport.address, cause),
      });
    this.#queue = this.#newQueue();
  }

  get state(): ConnectionState {
    return this.#connection.state;
  }

  get lastFault(): DeviceError | undefined {
    return this.#connection.lastFault;
  }

  /** How the chip is reached; undefined while it is not open. */
  get endpoint(): HidEndpoint | undefined {
    return this.#transport.endpoint;
  }

  get referenceVolts(): number {
    return this.#reference.volts;
  }

  /** Known after the first opening. */
  get revisions(): { hardwareRevision: string; firmwareRevision: string } | undefined {
    return this.#revisions;
  }

  onState(listener: (state: ConnectionState) => void): () => void {
    return this.#connection.onState(listener);
  }

  /**
   * The open sequence, steps 2 to 7 of devices.md section 2.4; the lock of step 1 is the caller's. From then on the
   * chip is opened again by itself, after a time-out and after it went away.
   *
   * @throws DeviceError `device_unavailable`, `device_timeout`, `corrupt_response`, `device_error`,
   *   `adc_config_not_applied`; nothing goes on in the background then
   */
  async open(): Promise<void> {
    this.#listen();
    try {
      await this.#connection.open().catch(nameDevice(DEVICE));
    } finally {
      if (this.state === 'closed') this.#endListening();
    }
  }

  keepOpen(): void {
    this.#listen();
    this.#connection.keepOpen();
  }

  /** Ends all work, waiting and running. No timer, listener or handle is left; it may be opened again. */
  async close(): Promise<void> {
    this.#queue.close();
    this.#queue = this.#newQueue();
    await this.#connection.close();
    this.#endListening();
  }

  /** @throws DeviceError `adc_config_not_applied`, and those of `readAll` */
  async read(channel: AdcChannel, options: Exchange = {}): Promise<AdcSample> {
    if (!CHANNELS.includes(channel))
      throw this.#fail('value_out_of_range', `channel ${channel} is not 1, 2 or 3`);
    const outcome = (await this.readAll(options)).find((one) => one.channel === channel);
    if (outcome?.ok) return outcome.sample;
    throw outcome?.error ?? this.#fail('corrupt_response', `no outcome for channel ${channel}`);
  }

  /** @throws those of `readMany` */
  async readAll(options: Exchange = {}): Promise<AdcOutcome[]> {
    const [outcomes] = await this.readMany(1, options);
    if (!outcomes) throw this.#fail('corrupt_response', 'one reading was asked for and none came');
    return outcomes;
  }

  /**
   * One check of the settings, then `count` statuses in a row, each with all three inputs: 2 ms for each. All of them
   * were made after the call began.
   *
   * @param count 1..100; whoever averages more asks again, so that others get in between
   * @throws DeviceError `adc_config_not_applied`, `corrupt_response`, `device_error`, `device_timeout`,
   *   `device_unavailable`, `device_busy`, `aborted`, `superseded`
   */
  readMany(count: number, options: Exchange = {}): Promise<AdcOutcome[][]> {
    if (!Number.isInteger(count) || count < 1 || count > LONGEST_ROW)
      return Promise.reject(
        this.#fail('value_out_of_range', `${count} readings in a row are not 1 to ${LONGEST_ROW}`),
      );
    return this.#run(
      (session) =>
        this.#twice(session, async () => {
          const rows: AdcOutcome[][] = [];
          while (rows.length < count) rows.push(...(await this.#quietRow(session, count - rows.length)));
          return rows;
        }),
      options,
    );
  }

  /** Step 6 of the open sequence again, as `/health` must (DEV-007). @throws as `readMany` */
  verify(options: Exchange = {}): Promise<AdcHealth> {
    return this.#run(
      (session) =>
        this.#twice(session, async () => {
          const faults = faultSentences(await this.#verified(session));
          return { verified: faults.length === 0, faults, observedAt: this.#clock.now() };
        }),
      options,
    );
  }

  /** Strings of the flash and the revisions. @throws as `readMany` */
  identify(options: Exchange = {}): Promise<AdcIdentity> {
    return this.#run(
      (session) =>
        this.#twice(session, async () => ({
          manufacturer: decodeFlashString(await session.ask(readFlash(FLASH.manufacturer))),
          product: decodeFlashString(await session.ask(readFlash(FLASH.product))),
          factorySerial: decodeFactorySerial(await session.ask(readFlash(FLASH.factorySerial))),
          ...revisionsOf(decodeStatus(await session.ask(status()))),
          observedAt: this.#clock.now(),
        })),
      options,
    );
  }

  /**
   * Looks for devices on the chip's I2C bus, 0x08 to 0x77, at 100 kHz, within 5 s.
   *
   * @throws DeviceError `i2c_bus_stuck`, and those of `readMany`
   */
  scanI2c(options: Exchange = {}): Promise<I2cScanResult> {
    return this.#run(async ({ ask }) => {
      const addresses = await scanI2c(ask, (code, message, details) => this.#fail(code, message, details));
      return { speedHz: SCAN_SPEED_HZ, addresses, observedAt: this.#clock.now() };
    }, options);
  }

  async #setUp(signal: AbortSignal): Promise<void> {
    const session = this.#session(signal, () => true);
    await this.#twice(session, async () => {
      const { first, faults } = await openSequence(session.ask, this.#reference.source);
      this.#revisions = revisionsOf(first);
      this.#judge(faults);
    });
  }

  /**
   * The settings, then readings until `count` or until a report came that nobody asked for. That may have been the
   * answer to a reading, or tell of another program that changes the settings: the reading at hand is then thrown away.
   *
   * @returns at least one
   */
  async #quietRow(session: Session, count: number): Promise<AdcOutcome[][]> {
    for (let tries = 0; tries < QUIET_TRIES; tries++) {
      const faults = await this.#verified(session);
      const { oddities } = this.#exchanger;
      const rows: AdcOutcome[][] = [];
      while (rows.length < count) {
        const ask = rows.length === 0 ? session.ask : session.askAgain;
        const { adc } = decodeStatus(await ask(status()));
        if (this.#exchanger.oddities !== oddities) break;
        rows.push(this.#outcomes(adc, faults));
      }
      if (rows.length > 0) return rows;
      this.statistics.distrusted += 1;
    }
    const message =
      'reports keep coming that were not asked for; stop the other program that has the chip open';
    throw this.#fail('corrupt_response', message, { reason: 'foreign' });
  }

  /** The settings as they are now, set up anew when they were found changed before. */
  async #verified({ ask }: Session): Promise<ConfigurationFaults> {
    if (this.#isConfigured) return this.#judge(await readBack(ask, this.#reference.source));
    this.statistics.setUps += 1;
    return this.#judge(await configure(ask, this.#reference.source));
  }

  /** @throws DeviceError `adc_config_not_applied` when no channel can be read */
  #judge(faults: ConfigurationFaults): ConfigurationFaults {
    this.#isConfigured = faultSentences(faults).length === 0;
    const total = totalFault(faults);
    if (total === undefined) return faults;
    throw this.#notApplied(total);
  }

  #outcomes(adc: readonly number[], faults: ConfigurationFaults): AdcOutcome[] {
    const { volts: referenceVolts } = this.#reference;
    const at = { referenceVolts, verified: true, observedAt: this.#clock.now() };
    return CHANNELS.map((channel) => {
      const fault = faults.pins[channel - 1];
      const raw = adc[channel - 1];
      if (fault !== undefined) return { ok: false, channel, error: this.#notApplied(fault) };
      if (raw === undefined) {
        const error = this.#fail('corrupt_response', `no word for channel ${channel}`, { reason: 'word' });
        return { ok: false, channel, error };
      }
      return { ok: true, channel, sample: sampleOf(channel, raw, at) };
    });
  }

  #notApplied(fault: string): DeviceError {
    const message = `${fault}; another program may use the chip: stop it, or plug the chip out and in`;
    return this.#fail('adc_config_not_applied', message);
  }

  /** Errors of the codec become those of the device. */
  async #once<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (!(thrown instanceof AnswerFault)) throw thrown;
      const { code, reason } = thrown;
      if (code === 'corrupt_response') this.statistics.corrupt += 1;
      throw this.#fail(code, thrown.message, { reason, sent: true, cause: thrown });
    }
  }

  /** Readings and settings may be repeated: after an answer that cannot be used, all of it is done once more. */
  async #twice<T>({ signal }: Session, work: () => Promise<T>): Promise<T> {
    try {
      return await this.#once(work);
    } catch (first) {
      const isWorthIt =
        first instanceof DeviceError && (first.code === 'corrupt_response' || first.code === 'device_error');
      if (!isWorthIt || signal.aborted) throw first;
      this.statistics.repeats += 1;
      return this.#once(work);
    }
  }

  #run<T>(work: (session: Session) => Promise<T>, options: Exchange): Promise<T> {
    return this.#queue
      .run(async (signal) => {
        try {
          await this.#connection.ready(signal);
          // A job belongs to one opening: what it learnt about the settings is void behind another.
          const { generation } = this.#connection;
          const isCurrent = () => this.state === 'open' && this.#connection.generation === generation;
          return await this.#once(() => work(this.#session(signal, isCurrent)));
        } catch (error) {
          if (error instanceof DeviceError) this.#mend(error);
          throw error;
        }
      }, options)
      .catch(nameDevice(DEVICE));
  }

  #session(signal: AbortSignal, isCurrent: () => boolean): Session {
    const through = (send: (request: Request) => Promise<Uint8Array>) => (request: Request) => {
      if (isCurrent()) return send(request);
      const message = 'the chip was opened anew in the middle of the work';
      return Promise.reject(this.#fail('device_unavailable', message, { reason: 'reopened' }));
    };
    return {
      signal,
      ask: through((request) => this.#exchanger.exchange(request, signal)),
      askAgain: through((request) => this.#exchanger.repeat(request, signal)),
    };
  }

  /** What a failure means for the handle: a silent chip is opened anew, one that cannot be written to is gone. */
  #mend(error: DeviceError): void {
    if (error.reason === 'no_reply' || error.reason === 'owed') this.#connection.reopen(error);
    if (error.reason === 'write_failed') this.#connection.lost(error);
  }

  #listen(): void {
    if (this.#ends.length > 0) return;
    this.#ends = [
      this.#transport.onReport((report) => this.#exchanger.received(report)),
      this.#transport.onClosed((cause) => this.#lost(cause)),
    ];
  }

  #endListening(): void {
    for (const end of this.#ends) end();
    this.#ends = [];
  }

  #lost(cause: TransportError): void {
    this.statistics.losses += 1;
    this.#isConfigured = false;
    this.#exchanger.lost(cause);
    this.#connection.lost(cause);
  }

  #fail(code: DeviceError['code'], message: string, details: DeviceErrorDetails = {}): DeviceError {
    const endpoint = this.#transport.address;
    return new DeviceError(code, `${DEVICE} on ${endpoint}: ${message}`, {
      device: DEVICE,
      endpoint,
      ...details,
    });
  }
}

function revisionsOf(seen: { hardwareRevision: string; firmwareRevision: string }) {
  return { hardwareRevision: seen.hardwareRevision, firmwareRevision: seen.firmwareRevision };
}
