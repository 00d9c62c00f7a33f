import { DeviceError } from '../../devices/device-error.ts';
import type { Exchange } from '../../devices/exchange.ts';
import { type AdcIdentity, Mcp2221a } from '../../devices/mcp2221a/driver.ts';
import type { I2cScanResult } from '../../devices/mcp2221a/i2c-scan.ts';
import { Mcp2221aIio } from '../../devices/mcp2221a/iio.ts';
import type { SerialNumbers } from '../../devices/mcp2221a/serial-numbers.ts';
import {
  type AdcChannel,
  type AdcHealth,
  type AdcOutcome,
  type AdcSample,
  CHANNELS,
} from '../../devices/mcp2221a/usb-adc.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Logger } from '../../lib/log/logger.ts';
import {
  ADC_BACKENDS,
  type AdcBackend,
  type HostRoots,
  IioVoltages,
  openHidTransport,
  parseAddress,
  selectBackend,
  TransportError,
} from '../../transports/index.ts';
import { ChipLedger } from './chip-ledger.ts';
import { adcLockKey, type DeviceLocks } from './device-locks.ts';
import { KeptReadings } from './kept-readings.ts';
import { BenchMark, Opening } from './opening.ts';
import { allFailed, isoTime, Mean, type Outcome, roundedVolts, type UsbReading } from './reading.ts';
import { USB_PRODUCT_ID, USB_VENDOR_ID, type UsbAdcSettings } from './settings.ts';
import { DeviceTurns, type JobLimits } from './turns.ts';

export type { AdcChannel } from '../../devices/mcp2221a/usb-adc.ts';

export const HID_ADC = 'usb-adc-usbhid';
export const HID_CHANNELS = CHANNELS;

/** Samples of a long series taken in one turn: about 0.1 s, then others get in between. */
const ROW = 50;

interface HidAdcOptions {
  settings: UsbAdcSettings;
  clock: Clock;
  locks: DeviceLocks;
  logger?: Logger | undefined;
  /** For tests. */
  roots?: HostRoots;
}

type Driver = Mcp2221a | Mcp2221aIio;

/** The USB chip as a service owns it: opened with back-off, one turn after the other. */
export class HidAdc {
  readonly id = HID_ADC;
  readonly settings: UsbAdcSettings;
  /** Where the kernel shows its devices. */
  readonly roots: HostRoots;
  readonly #clock: Clock;
  readonly #locks: DeviceLocks;
  readonly #turns: DeviceTurns;
  readonly #mark: BenchMark;
  readonly #kept: KeptReadings<AdcChannel, UsbReading>;
  readonly #chips: ChipLedger;
  readonly #opening: Opening;
  #driver: Driver | undefined;

  constructor({ settings, clock, locks, logger, roots = {} }: HidAdcOptions) {
    this.settings = settings;
    this.#clock = clock;
    this.#locks = locks;
    this.roots = roots;
    this.#mark = new BenchMark(settings.address, roots);
    const place = { clock, device: HID_ADC, endpoint: () => this.endpoint };
    this.#turns = new DeviceTurns(place);
    this.#opening = new Opening({ ...place, logger });
    this.#kept = new KeptReadings(clock, () => this.#driver?.state === 'open');
    const { address, serial: configured, stateDir } = settings;
    const log = (line: string) => logger?.warn(`${HID_ADC}: ${line}`, { device: HID_ADC });
    this.#chips = new ChipLedger({ stateDir, address, configured, log });
  }

  /** What was opened, for example `/dev/hidraw0`; the address while it is not open. */
  get endpoint(): string {
    const driver = this.#driver;
    const path = driver instanceof Mcp2221aIio ? driver.path : driver?.endpoint?.path;
    return path || this.settings.address;
  }

  /** How it is reached; null while it is not open. */
  get backend(): AdcBackend | 'bench' | null {
    const driver = this.#driver;
    if (driver instanceof Mcp2221aIio) return driver.state === 'open' ? 'iio' : null;
    const backend = driver?.endpoint?.backend;
    return backend === undefined || backend === 'memory' ? null : backend;
  }

  /** Kernel driver that owned the interface when it was opened. */
  get kernelDriver(): string | null {
    const driver = this.#driver;
    if (driver instanceof Mcp2221aIio) return 'mcp2221';
    return driver?.endpoint?.kernelDriver ?? null;
  }

  get isBench(): boolean {
    return this.#mark.isBench;
  }

  /** @throws LockHeldError, LockError */
  takeLock(): Promise<void> {
    return this.#locks.take(adcLockKey(this.settings.address));
  }

  /** Opens it in the background, and again whenever it was lost. */
  start(): void {
    void this.#opening.start(() => this.#begin());
  }

  async close(): Promise<void> {
    this.#opening.end();
    this.#kept.close();
    this.#turns.close();
    await this.#driver?.close();
  }

  /**
   * The mean of `samples` samples of each input, in their order; never throws for a failure of the device.
   *
   * @param samples 1..10000
   * @param maxAgeMs a single sample may be one that was observed so long before, milliseconds; 0: it is taken anew
   */
  async read(samples: number, limits: JobLimits, maxAgeMs = 0): Promise<Outcome<UsbReading>[]> {
    try {
      if (samples > 1) return this.#readings(await this.#series(samples, limits));
      const kept = this.#kept.fresh(CHANNELS, maxAgeMs);
      if (kept) return kept;
      const key = maxAgeMs > 0 ? `read within ${maxAgeMs} ms` : 'read';
      const take = async (exchange: Exchange) => this.#readings([await this.#ready().readAll(exchange)]);
      // Whoever had the turn before may have taken what is wanted.
      return await this.#turns.shared(
        key,
        limits,
        async (exchange) =>
          this.#kept.fresh(CHANNELS, maxAgeMs) ?? this.#kept.taking(CHANNELS, () => take(exchange)),
      );
    } catch (thrown) {
      return allFailed(thrown, CHANNELS, HID_ADC);
    }
  }

  /** The last good sample of an input while it is at most so old and nothing has failed since. */
  kept(channel: AdcChannel, maxAgeMs: number): Outcome<UsbReading> | undefined {
    return this.#kept.fresh([channel], maxAgeMs)?.[0];
  }

  /** Step 6 of the open sequence again (DEV-007). @throws DeviceError */
  verify(limits: JobLimits): Promise<AdcHealth> {
    return this.#shared('verify', limits, async (exchange) => {
      const health = await this.#ready().verify(exchange);
      if (!health.verified) this.#kept.empty();
      return health;
    });
  }

  /** Strings of the flash and revisions; undefined behind the kernel's driver, which does not show them. @throws DeviceError */
  identify(limits: JobLimits): Promise<AdcIdentity | undefined> {
    return this.#shared('identify', limits, async (exchange) => {
      const driver = this.#ready();
      return driver instanceof Mcp2221a ? driver.identify(exchange) : undefined;
    });
  }

  /** @returns what was found and how long it took, milliseconds. @throws DeviceError */
  scanI2c(limits: JobLimits): Promise<I2cScanResult & { durationMs: number }> {
    return this.#shared('scan', limits, async (exchange) => {
      const driver = this.#ready();
      if (!(driver instanceof Mcp2221a)) {
        const message = `${HID_ADC} on ${this.endpoint}: the kernel driver hid_mcp2221 owns the I2C engine; blacklist hid_mcp2221 to scan from here`;
        throw new DeviceError('device_unavailable', message, {
          device: HID_ADC,
          endpoint: this.endpoint,
          reason: 'iio',
        });
      }
      const startedAt = this.#clock.monotonic();
      const result = await driver.scanI2c(exchange);
      return { ...result, durationMs: Math.round(this.#clock.monotonic() - startedAt) };
    });
  }

  /** Work that is not a reading: when it fails, what is kept is gone too. */
  #shared<T>(key: string, limits: JobLimits, work: (exchange: Exchange) => Promise<T>): Promise<T> {
    return this.#turns.shared(key, limits, (exchange) => this.#kept.emptyOnFailure(() => work(exchange)));
  }

  async #begin(): Promise<void> {
    const driver = await this.#choose();
    if (this.#opening.isEnded) return;
    this.#driver = driver;
    this.#opening.fault = undefined;
    driver.keepOpen();
  }

  /** The driver for the way that this machine offers. @throws TransportError when there is none now */
  async #choose(): Promise<Driver> {
    const { address, backend, reference } = this.settings;
    const clock = this.#clock;
    const objection = (chip: SerialNumbers) => this.#chips.objection(chip);
    const options = { referenceSource: reference.source, referenceVolts: reference.volts, clock, objection };
    const parsed = parseAddress(address);
    if (parsed.scheme === 'hid') {
      const backends = backend === 'auto' ? ADC_BACKENDS : [backend];
      const chosen = await selectBackend(address, parsed, { ...this.roots, backends });
      if (chosen.backend === 'iio') {
        const { vendorId, productId } = parsed;
        return new Mcp2221aIio(new IioVoltages({ ...this.roots, address, vendorId, productId }), options);
      }
    }
    const transport = openHidTransport(address, {
      ...this.roots,
      backend: backend === 'iio' ? 'auto' : backend,
    });
    const driver = new Mcp2221a(transport, options);
    driver.onState((state) => {
      this.#kept.empty();
      if (state === 'open') this.#mark.look();
      this.#opening.note(state, driver.lastFault);
    });
    return driver;
  }

  /** @throws DeviceError why no driver could be chosen yet */
  #ready(): Driver {
    const driver = this.#driver;
    if (!driver) throw this.#notThere();
    // Behind the kernel's driver openings are not reported.
    if (driver instanceof Mcp2221aIio) this.#mark.look();
    return driver;
  }

  #notThere(): DeviceError {
    const { address: endpoint } = this.settings;
    const cause = this.#opening.fault;
    const why = cause === undefined ? 'is being looked for; ask again' : messageOf(cause);
    const reason = cause instanceof TransportError ? cause.code : 'opening';
    const message = `${HID_ADC} on ${endpoint}: ${why}`;
    return new DeviceError('device_unavailable', message, { device: HID_ADC, endpoint, reason, cause });
  }

  #series(samples: number, limits: JobLimits): Promise<AdcOutcome[][]> {
    return this.#turns.job(limits, async (job) => {
      const rows: AdcOutcome[][] = [];
      while (rows.length < samples) {
        const count = Math.min(ROW, samples - rows.length);
        const taken = await job.turn((exchange) =>
          this.#kept.emptyOnFailure(() => this.#ready().readMany(count, exchange)),
        );
        if (taken.some((row) => row.some(({ ok }) => !ok))) this.#kept.empty();
        rows.push(...taken);
        // When no input is left that could still give a reading, the rest of the series is spared.
        if (CHANNELS.every((channel) => failureIn(rows, channel))) break;
      }
      return rows;
    });
  }

  #readings(rows: readonly AdcOutcome[][]): Outcome<UsbReading>[] {
    return CHANNELS.map((channel) => {
      const failed = failureIn(rows, channel);
      if (failed) return { ok: false, error: failed };
      const samples = rows.flatMap((row) =>
        row.flatMap((one) => (one.ok && one.channel === channel ? [one.sample] : [])),
      );
      return { ok: true, reading: this.#reading(channel, samples) };
    });
  }

  #reading(channel: AdcChannel, samples: readonly AdcSample[]): UsbReading {
    const mean = new Mean();
    for (const { raw10bit, saturated, observedAt } of samples) mean.add(raw10bit, saturated, observedAt);
    const { volts: referenceVolts } = this.settings.reference;
    const isVerified = samples.every(({ verified }) => verified);
    return {
      channel,
      ...hidInput(channel),
      raw_10bit: mean.raw,
      ...roundedVolts((mean.raw * referenceVolts) / 1024),
      samples: mean.samples,
      reference_volts: referenceVolts,
      saturated: mean.isAtLimit,
      ...(isVerified ? {} : { verified: false as const }),
      transport: 'hid',
      endpoint: this.endpoint,
      observed_at: isoTime(mean.observedAt),
      simulated: false,
      bench: this.isBench,
    };
  }
}

export interface InputNames {
  input_name: string;
  adapter: string;
  physical_input: string;
}

export function hidInput(channel: AdcChannel): InputNames {
  return { input_name: `G${channel}`, adapter: HID_ADC, physical_input: `MCP2221A.G${channel}` };
}

/** Ids of the chip as data has them. */
export const HID_IDS = { vid: idText(USB_VENDOR_ID), pid: idText(USB_PRODUCT_ID) };

function idText(id: number): string {
  return `0x${id.toString(16).toUpperCase().padStart(4, '0')}`;
}

function failureIn(rows: readonly AdcOutcome[][], channel: AdcChannel): DeviceError | undefined {
  for (const row of rows) for (const one of row) if (one.channel === channel && !one.ok) return one.error;
  return undefined;
}
