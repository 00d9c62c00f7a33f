import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import type { Volts } from '../../lib/quantity.ts';
import type { HidEndpoint, HidTransport } from '../../transports/hid/hid-transport.ts';
import type { ConnectionState } from '../connection.ts';
import type { DeviceError } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { type Ask, configure, faultSentences, openSequence, readBack, totalFault } from './configuration.ts';
import { type I2cScanResult, SCAN_SPEED_HZ, scanI2c } from './i2c-scan.ts';
import { Link, type Rules, type Session } from './link.ts';
import { requireOwnChip } from './own-chip.ts';
import { decodeFlashString, FLASH, readFlash } from './protocol/flash.ts';
import type { ConfigurationFaults } from './protocol/sram.ts';
import { decodeStatus, status } from './protocol/status.ts';
import { type AdcReference, adcReference } from './reference.ts';
import { readSerialNumbers, type SerialNumbers } from './serial-numbers.ts';
import { type HidStatistics, noStatistics } from './statistics.ts';
import {
  type AdcChannel,
  type AdcHealth,
  type AdcOutcome,
  type AdcSample,
  CHANNELS,
  LONGEST_ROW,
  sampleOf,
  type UsbAdc,
} from './usb-adc.ts';

export type { Exchange } from '../exchange.ts';
export { LONGEST_ROW } from './usb-adc.ts';

/** How often in a row a reading may be disturbed by reports of somebody else. */
const QUIET_TRIES = 5;

export interface Mcp2221aOptions {
  /** `vdd` (default), `1.024`, `2.048`, `4.096` */
  referenceSource?: string;
  /** Volts of the supply, 1.0..5.5. Default 3.3. */
  referenceVolts?: Volts;
  clock?: Clock;
  /**
   * Asked at each opening, before anything on the chip is changed: why this is not the chip that belongs here, with the
   * remedy; undefined when it is. Without it any chip is taken, and no serial number is read.
   */
  objection?: ((chip: SerialNumbers) => string | undefined) | undefined;
  /** For tests only. */
  rules?: Rules;
}

/** Who the chip is, from its status and its flash. */
export interface AdcIdentity {
  manufacturer: string;
  product: string;
  /** For example `01234567`; null for a flash that holds no text. */
  factorySerial: string | null;
  /** In flash, whether or not the chip shows it when it enumerates. */
  usbSerial: string | null;
  /** For example `A6`. */
  hardwareRevision: string;
  /** For example `12`. */
  firmwareRevision: string;
  observedAt: number;
}

/**
 * The three ADC inputs of an MCP2221A over HID. The settings are written at every opening, and
 * read back right before each reading: it both proves the configuration and tells old answers from new ones
 * (`ReplyMatching`). Settings that someone changed fail the reading at hand; before the next one the chip is set up anew.
 */
export class Mcp2221a implements UsbAdc {
  readonly statistics: HidStatistics = noStatistics();
  readonly #transport: HidTransport;
  readonly #clock: Clock;
  readonly #reference: AdcReference;
  readonly #link: Link;
  /** Whether the last read-back showed everything as set. */
  #isConfigured = false;
  #revisions: { hardwareRevision: string; firmwareRevision: string } | undefined;

  /** @throws DeviceError `setting_refused` */
  constructor(transport: HidTransport, options: Mcp2221aOptions = {}) {
    const clock = options.clock ?? systemClock;
    this.#transport = transport;
    this.#clock = clock;
    this.#reference = adcReference(options.referenceSource ?? 'vdd', options.referenceVolts ?? 3.3);
    this.#link = new Link({
      transport,
      clock,
      statistics: this.statistics,
      rules: options.rules,
      setUp: async ({ ask }) => {
        if (options.objection) await requireOwnChip(this.#link, transport, ask, options.objection);
        await this.#setUp(ask);
      },
    });
  }

  get state(): ConnectionState {
    return this.#link.state;
  }

  get lastFault(): DeviceError | undefined {
    return this.#link.lastFault;
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
    return this.#link.onState(listener);
  }

  /**
   * The open sequence, without the device lock, which is the caller's. From then on the
   * chip is opened again by itself, after a time-out and after it went away.
   *
   * @throws DeviceError `device_unavailable`, `device_timeout`, `corrupt_response`, `device_error`, `wrong_device`,
   *   `adc_config_not_applied`; nothing goes on in the background then
   */
  open(): Promise<void> {
    return this.#link.open();
  }

  keepOpen(): void {
    this.#link.keepOpen();
  }

  /** Ends all work, waiting and running. No timer, listener or handle is left; it may be opened again. */
  close(): Promise<void> {
    return this.#link.close();
  }

  /** @throws DeviceError `adc_config_not_applied`, and those of `readAll` */
  async read(channel: AdcChannel, options: Exchange = {}): Promise<AdcSample> {
    if (!CHANNELS.includes(channel))
      throw this.#link.fail('value_out_of_range', `channel ${channel} is not 1, 2 or 3`);
    const outcome = (await this.readAll(options)).find((one) => one.channel === channel);
    if (outcome?.ok) return outcome.sample;
    throw outcome?.error ?? this.#link.fail('corrupt_response', `no outcome for channel ${channel}`);
  }

  /** @throws those of `readMany` */
  async readAll(options: Exchange = {}): Promise<AdcOutcome[]> {
    const [outcomes] = await this.readMany(1, options);
    if (!outcomes) throw this.#link.fail('corrupt_response', 'one reading was asked for and none came');
    return outcomes;
  }

  /**
   * One check of the settings, then `count` statuses in a row, each with all three inputs: 2 ms for each. All of them
   * were made after the call began.
   *
   * @param count 1..100; the one that averages more asks again, so that others get in between
   * @throws DeviceError `adc_config_not_applied`, `corrupt_response`, `device_error`, `device_timeout`,
   *   `device_unavailable`, `device_busy`, `aborted`, `superseded`
   */
  readMany(count: number, options: Exchange = {}): Promise<AdcOutcome[][]> {
    if (!Number.isInteger(count) || count < 1 || count > LONGEST_ROW)
      return Promise.reject(
        this.#link.fail('value_out_of_range', `${count} readings in a row are not 1 to ${LONGEST_ROW}`),
      );
    return this.#link.run(
      (session) =>
        this.#link.twice(session, async () => {
          const rows: AdcOutcome[][] = [];
          while (rows.length < count) rows.push(...(await this.#quietRow(session, count - rows.length)));
          return rows;
        }),
      options,
    );
  }

  /** Step 6 of the open sequence again, as `/health` must (DEV-007). @throws as `readMany` */
  verify(options: Exchange = {}): Promise<AdcHealth> {
    return this.#link.run(
      (session) =>
        this.#link.twice(session, async () => {
          const faults = faultSentences(await this.#verified(session));
          return { verified: faults.length === 0, faults, observedAt: this.#clock.now() };
        }),
      options,
    );
  }

  /** Strings of the flash and the revisions. @throws as `readMany` */
  identify(options: Exchange = {}): Promise<AdcIdentity> {
    return this.#link.run(
      (session) =>
        this.#link.twice(session, async () => ({
          manufacturer: decodeFlashString(await session.ask(readFlash(FLASH.manufacturer))),
          product: decodeFlashString(await session.ask(readFlash(FLASH.product))),
          ...serialsOf(await readSerialNumbers(session.ask)),
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
    return this.#link.run(async ({ ask }) => {
      const addresses = await scanI2c(ask, (code, message, details) =>
        this.#link.fail(code, message, details),
      );
      return { speedHz: SCAN_SPEED_HZ, addresses, observedAt: this.#clock.now() };
    }, options);
  }

  async #setUp(ask: Ask): Promise<void> {
    const { first, faults } = await openSequence(ask, this.#reference.source);
    this.#revisions = revisionsOf(first);
    this.#judge(faults);
  }

  /**
   * The settings, then readings until `count` or until a report came that was not requested. That may have been the
   * answer to a reading, or tell of another program that changes the settings: the reading at hand is then thrown away.
   *
   * @returns at least one
   */
  async #quietRow(session: Session, count: number): Promise<AdcOutcome[][]> {
    for (let tries = 0; tries < QUIET_TRIES; tries++) {
      const faults = await this.#verified(session);
      const { unexpectedReplies } = this.#link;
      const rows: AdcOutcome[][] = [];
      while (rows.length < count) {
        const ask = rows.length === 0 ? session.ask : session.askAgain;
        const { adc } = decodeStatus(await ask(status()));
        if (this.#link.unexpectedReplies !== unexpectedReplies) break;
        rows.push(this.#outcomes(adc, faults));
      }
      if (rows.length > 0) return rows;
      this.statistics.distrusted += 1;
    }
    const message =
      'reports keep coming that were not asked for; stop the other program that has the chip open';
    throw this.#link.fail('corrupt_response', message, { reason: 'foreign' });
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
        const error = this.#link.fail('corrupt_response', `no word for channel ${channel}`, {
          reason: 'word',
        });
        return { ok: false, channel, error };
      }
      return { ok: true, channel, sample: sampleOf(channel, raw, at) };
    });
  }

  #notApplied(fault: string): DeviceError {
    const message = `${fault}; another program may use the chip: stop it, or plug the chip out and in`;
    return this.#link.fail('adc_config_not_applied', message);
  }
}

function serialsOf({ factory, usb }: SerialNumbers) {
  return { factorySerial: factory, usbSerial: usb };
}

function revisionsOf(seen: { hardwareRevision: string; firmwareRevision: string }) {
  return { hardwareRevision: seen.hardwareRevision, firmwareRevision: seen.firmwareRevision };
}
