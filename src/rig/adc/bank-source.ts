import { BankAdc, type BankChange, type BankChannel } from '../../devices/bank/driver.ts';
import { DeviceError } from '../../devices/device-error.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import type { InputNames } from './hid-adc.ts';
import {
  allFailed,
  asDeviceFailure,
  type BankReading,
  isoTime,
  type Outcome,
  roundedVolts,
} from './reading.ts';
import type { BankSettings } from './settings.ts';
import { DeviceTurns, type JobLimits } from './turns.ts';

export const BANK = 'bank';

/** The remote bank. Each reading is asked for anew; it measures by itself, so nothing is averaged here. */
export class BankSource {
  readonly id = BANK;
  readonly settings: BankSettings;
  /** Bank channels in use, in order of the logical channels. */
  readonly channels: readonly BankChannel[];
  readonly #driver: BankAdc;
  readonly #turns: DeviceTurns;

  /**
   * @param options.onBootIdChanged it was started anew: for the log
   */
  constructor(options: {
    settings: BankSettings;
    clock: Clock;
    onBootIdChanged: (change: BankChange) => void;
  }) {
    const { settings, clock, onBootIdChanged } = options;
    const { url, bankId } = settings;
    this.settings = settings;
    this.channels = [...settings.channels.values()];
    this.#driver = new BankAdc({
      url,
      clock,
      onBootIdChanged,
      ...(bankId === undefined ? {} : { bankId }),
    });
    this.#turns = new DeviceTurns({ clock, device: BANK, endpoint: () => this.endpoint });
  }

  get endpoint(): string {
    return this.#driver.endpoint;
  }

  /** Who serves: as configured, else who answered last; null before the first answer. */
  get bankId(): string | null {
    return this.settings.bankId ?? this.#driver.identity?.bankId ?? null;
  }

  /** Who answered last said that it is a twin. */
  get isBench(): boolean {
    return this.#driver.identity?.bench ?? false;
  }

  async close(): Promise<void> {
    this.#turns.close();
    this.#driver.close();
  }

  /** One sample of each of `channels`, in their order; never throws for a failure of the bank. */
  async read(channels: readonly BankChannel[], limits: JobLimits): Promise<Outcome<BankReading>[]> {
    try {
      const results = await this.#turns.shared(`read ${channels.join()}`, limits, (exchange) =>
        this.#driver.read(channels, exchange),
      );
      return results.map((result) =>
        result.status === 'rejected'
          ? { ok: false, error: asDeviceFailure(result.reason, BANK) }
          : {
              ok: true,
              reading: {
                channel: result.value.channel,
                input_name: `ch${result.value.channel}`,
                adapter: BANK,
                physical_input: result.value.identity,
                raw: result.value.raw,
                adc_voltage: result.value.adcVoltage,
                ...roundedVolts(result.value.volts),
                samples: 1,
                age_ms: Math.round(result.value.ageMs),
                transport: 'http',
                endpoint: this.endpoint,
                observed_at: isoTime(result.value.observedAt),
                simulated: false,
                bench: result.value.bench,
              },
            },
      );
    } catch (thrown) {
      return allFailed(thrown, channels, BANK);
    }
  }

  /** Reads all channels in use. @returns who answered. @throws DeviceError, the first that failed */
  async probe(limits: JobLimits): Promise<string> {
    for (const outcome of await this.read(this.channels, limits)) if (!outcome.ok) throw outcome.error;
    if (this.bankId !== null) return this.bankId;
    const message = `${BANK} at ${this.endpoint}: it did not identify itself`;
    throw new DeviceError('bank_identity_mismatch', message, { device: BANK, endpoint: this.endpoint });
  }

  input(channel: BankChannel): InputNames {
    const bank = this.bankId ?? BANK;
    return { input_name: `ch${channel}`, adapter: BANK, physical_input: `${bank}/ch${channel}` };
  }
}
