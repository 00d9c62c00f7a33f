import { DeviceError } from '../../devices/device-error.ts';
import {
  Dfr1184,
  type SelectionProof,
  type UartInput,
  type UartSample,
} from '../../devices/dfr1184/driver.ts';
import type { Exchange } from '../../devices/exchange.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { type CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { LockHeldError } from '../../lib/lock/lock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { openByteTransport } from '../../transports/index.ts';
import { type DeviceLocks, LockedTransport } from './device-locks.ts';
import type { InputNames } from './hid-adc.ts';
import { KeptReadings } from './kept-readings.ts';
import { BenchMark, Opening } from './opening.ts';
import {
  allFailed,
  asDeviceFailure,
  isoTime,
  Mean,
  type Outcome,
  roundedVolts,
  type UartReading,
} from './reading.ts';
import type { SampleRequest } from './samples.ts';
import { UART_ADC_BAUD, type UartAdcSettings } from './settings.ts';
import { DeviceTurns, type Job, type JobLimits } from './turns.ts';

export type { UartInput } from '../../devices/dfr1184/driver.ts';

export const UART_ADC = 'usb-adc-uart';
export const UART_INPUTS: readonly UartInput[] = [1, 2];

interface UartAdcOptions {
  settings: UartAdcSettings;
  clock: Clock;
  locks: DeviceLocks;
  logger?: Logger;
}

type Sampled = PromiseSettledResult<UartSample>;

/** The UART module as a service owns it: opened with back-off, one turn after the other. */
export class UartAdc {
  readonly id = UART_ADC;
  readonly settings: UartAdcSettings;
  readonly #clock: Clock;
  readonly #transport: LockedTransport;
  readonly #driver: Dfr1184;
  readonly #turns: DeviceTurns;
  readonly #mark: BenchMark;
  readonly #kept: KeptReadings<UartInput, UartReading>;
  readonly #opening: Opening;
  #isOpened = false;
  #attempt: Promise<void> = Promise.resolve();

  constructor({ settings, clock, locks, logger }: UartAdcOptions) {
    this.settings = settings;
    this.#clock = clock;
    const port = openByteTransport(settings.address, { baud: UART_ADC_BAUD });
    this.#transport = new LockedTransport(port, locks);
    this.#driver = new Dfr1184(this.#transport, {
      clock,
      baud: UART_ADC_BAUD,
      onSelectionProof: (proof) => noteProof(logger, settings.endpoint, proof),
    });
    const place = { clock, device: UART_ADC, endpoint: () => settings.endpoint };
    this.#turns = new DeviceTurns(place);
    this.#opening = new Opening({ ...place, logger });
    this.#mark = new BenchMark(settings.address);
    this.#kept = new KeptReadings(clock, () => this.#driver.state === 'open');
    this.#driver.onState((state) => {
      this.#kept.empty();
      if (state === 'open') {
        this.#mark.look();
        void port.warnings?.().then((warnings) => {
          for (const warning of warnings) logger?.warn(`${UART_ADC}: ${warning}`);
        });
      }
      this.#opening.note(state);
    });
  }

  get endpoint(): string {
    return this.settings.endpoint;
  }

  /** How values are proven to be of their input; undefined before the first one. */
  get selectionProof(): SelectionProof | undefined {
    return this.#driver.selectionProof;
  }

  get isBench(): boolean {
    return this.#mark.isBench;
  }

  /** @throws LockHeldError, LockError */
  takeLock(): Promise<void> {
    return this.#transport.takeLock();
  }

  /** Opens it in the background; the driver opens it again whenever it was lost. */
  start(): void {
    const attempt = () => {
      const opening = this.#driver.open().then(() => {
        this.#isOpened = true;
      });
      this.#attempt = opening.catch(() => {});
      return opening;
    };
    void this.#opening.start(attempt);
  }

  async close(): Promise<void> {
    this.#opening.end();
    this.#kept.close();
    this.#turns.close();
    await this.#attempt;
    await this.#driver.close();
  }

  /** AT, answered by OK. @throws DeviceError */
  probe(limits: JobLimits): Promise<void> {
    return this.#turns.shared('probe', limits, async (exchange) =>
      this.#kept.emptyOnFailure(async () => (await this.#ready(exchange)).probe(exchange)),
    );
  }

  /** The last good sample of an input while it is at most so old and nothing has failed since. */
  kept(input: UartInput, maxAgeMs: number): Outcome<UartReading> | undefined {
    return this.#kept.fresh([input], maxAgeMs)?.[0];
  }

  /**
   * The mean of samples of each of `inputs`, in their order; never throws for a failure of the device.
   *
   * @param maxAgeMs a single sample may be one that was observed so long before, milliseconds; 0: it is taken anew
   */
  async read(
    inputs: readonly UartInput[],
    { samples, delayMs }: SampleRequest,
    limits: JobLimits,
    maxAgeMs = 0,
  ): Promise<Outcome<UartReading>[]> {
    try {
      if (samples === 1) {
        const kept = this.#kept.fresh(inputs, maxAgeMs);
        if (kept) return kept;
        const key = `read ${inputs.join()}${maxAgeMs > 0 ? ` within ${maxAgeMs} ms` : ''}`;
        const take = async (exchange: Exchange) => {
          const sampled = await this.#sample(inputs, exchange);
          return inputs.map((input, index) => this.#outcome(input, [sampled[index]]));
        };
        // Whoever had the turn before may have taken what is wanted.
        return await this.#turns.shared(
          key,
          limits,
          async (exchange) =>
            this.#kept.fresh(inputs, maxAgeMs) ?? this.#kept.taking(inputs, () => take(exchange)),
        );
      }
      return await this.#turns.job(limits, (job) => this.#series(job, inputs, { samples, delayMs }));
    } catch (thrown) {
      return allFailed(thrown, inputs, UART_ADC);
    }
  }

  /** An input that failed once is not asked again: its mean could not be given. */
  async #series(
    job: Job,
    inputs: readonly UartInput[],
    { samples, delayMs }: SampleRequest,
  ): Promise<Outcome<UartReading>[]> {
    const taken = new Map(inputs.map((input): [UartInput, Sampled[]] => [input, []]));
    for (let index = 0; index < samples; index++) {
      if (index > 0 && delayMs > 0) await job.pause(delayMs);
      const asked = inputs.filter((input) => taken.get(input)?.at(-1)?.status !== 'rejected');
      if (asked.length === 0) break;
      const sampled = await job.turn((exchange) =>
        this.#kept.emptyOnFailure(() => this.#sample(asked, exchange)),
      );
      if (sampled.some(({ status }) => status === 'rejected')) this.#kept.empty();
      asked.forEach((input, at) => {
        const one = sampled[at];
        if (one) taken.get(input)?.push(one);
      });
    }
    return inputs.map((input) => this.#outcome(input, taken.get(input) ?? []));
  }

  async #sample(inputs: readonly UartInput[], exchange: Exchange): Promise<Sampled[]> {
    const driver = await this.#ready(exchange);
    const [first] = inputs;
    if (inputs.length === 1 && first !== undefined) return Promise.allSettled([driver.read(first, exchange)]);
    return driver.readBoth(exchange);
  }

  /** The driver of a port that was opened once; waits for an attempt under way. @throws DeviceError why it was not */
  async #ready({ deadlineMs = 0 }: Exchange): Promise<Dfr1184> {
    if (this.#isOpened) return this.#driver;
    const enough = new AbortController();
    const late = this.#clock.sleep(deadlineMs, enough.signal).catch(() => {});
    await Promise.race([this.#attempt, late]);
    enough.abort();
    if (this.#isOpened) return this.#driver;
    const cause = this.#opening.fault;
    const { endpoint } = this;
    if (cause instanceof DeviceError) throw cause;
    const why = cause === undefined ? 'is being opened; ask again' : messageOf(cause);
    const reason = cause instanceof LockHeldError ? cause.code : 'opening';
    const message = `${UART_ADC} on ${endpoint}: ${why}`;
    throw new DeviceError('device_unavailable', message, { device: UART_ADC, endpoint, reason, cause });
  }

  #outcome(input: UartInput, sampled: readonly (Sampled | undefined)[]): Outcome<UartReading> {
    const mean = new Mean();
    let isProven = true;
    for (const one of sampled) {
      if (one?.status === 'rejected') return { ok: false, error: this.#failure(one.reason) };
      if (one && !one.value.isProven) isProven = false;
      if (one) mean.add(one.value.raw, one.value.overRange, one.value.observedAt);
    }
    return {
      ok: true,
      reading: {
        channel: input,
        ...uartInput(input),
        raw_hundredth_millivolts: mean.raw,
        ...roundedVolts(mean.raw / 100_000),
        samples: mean.samples,
        over_range: mean.isAtLimit,
        ...(isProven ? {} : { verified: false as const }),
        transport: 'uart',
        endpoint: this.endpoint,
        observed_at: isoTime(mean.observedAt),
        simulated: false,
        bench: this.isBench,
      },
    };
  }

  #failure(thrown: unknown): CodedError {
    return asDeviceFailure(thrown, UART_ADC);
  }
}

const PROOFS: Record<SelectionProof, string> = {
  register: 'the selected input is read back before each sample',
  text: 'the module does not show its selected input: values are read in the text form, which names the input',
  none: 'the module neither shows its selected input nor has the text form: a lost selection would give the voltage of the other input; readings are marked "verified": false',
};

function noteProof(logger: Logger | undefined, endpoint: string, proof: SelectionProof): void {
  const line = `${UART_ADC}: ${PROOFS[proof]}`;
  const members = { device: UART_ADC, endpoint };
  if (proof === 'register') logger?.info(line, members);
  else logger?.warn(line, members);
}

export function uartInput(input: UartInput): InputNames {
  return { input_name: `AIN${input}`, adapter: UART_ADC, physical_input: `DFR1184.AIN${input}` };
}
