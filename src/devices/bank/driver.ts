import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { JobQueue } from '../../lib/queue/job-queue.ts';
import { getJson } from '../../transports/http/get-json.ts';
import { TransportError } from '../../transports/transport-error.ts';
import { DeviceError, failureOf, namedError } from '../device-error.ts';
import type { Exchange } from '../exchange.ts';
import { queueEnd } from '../queue-end.ts';
import {
  BANK_CHANNELS,
  BANK_MAX_BYTES,
  BANK_PATH,
  BANK_TIMEOUT_MS,
  type BankChannel,
  type BankIdentity,
  identityOf,
  type JudgedSample,
  judgeSample,
} from './protocol.ts';

export type { Exchange } from '../exchange.ts';
export type { BankChannel } from './protocol.ts';

const DEVICE = 'bank';

const REMEDIES = {
  bank_unreachable: 'check the bank and its network',
  bank_sample_missing: 'check that the input is fitted and the channel map is right',
  bank_identity_mismatch: 'check BANK_ADC_URL, BANK_ADC_ID and the channel map',
  bank_sample_stale: 'check that the bank goes on sampling',
  bank_saturated: 'check the input voltage and wiring',
  bank_out_of_range: 'check the input voltage and wiring',
} as const;

export interface BankSample extends JudgedSample {
  /** Wall clock at the bank's measurement: arrival less the reported age; milliseconds since the Unix epoch. */
  observedAt: number;
  bootId: string | null;
  /** The bank says that it is a twin. */
  bench: boolean;
}

export interface BankChange {
  from: string;
  to: string;
}

export interface BankAdcOptions {
  /** `BANK_ADC_URL`, without the path. */
  url: string;
  /** `BANK_ADC_ID`: the only bank whose samples are taken. */
  bankId?: string;
  clock?: Clock;
  /** The bank was started anew: its `boot_id` is another one. For the log. */
  onBootIdChanged?: (change: BankChange) => void;
  /** Another bank answers at the same address: the source of the samples has changed. */
  onBankIdChanged?: (change: BankChange) => void;
}

/** A remote ADC bank. Every reading is asked for anew; nothing is kept or filled in. */
export class BankAdc {
  /** What is asked, for errors and data; without what is secret in it. */
  readonly endpoint: string;
  readonly #address: string;
  readonly #bankId: string | undefined;
  readonly #clock: Clock;
  readonly #queue: JobQueue;
  readonly #fail: ReturnType<typeof failureOf>;
  readonly #options: BankAdcOptions;
  #last: BankIdentity | undefined;

  /** @throws DeviceError `setting_refused` for an address that is not an http or https URL */
  constructor(options: BankAdcOptions) {
    const parsed = URL.canParse(options.url) ? new URL(options.url) : undefined;
    if (parsed?.protocol !== 'http:' && parsed?.protocol !== 'https:') {
      const message = `${DEVICE}: BANK_ADC_URL is "${options.url}"; write http://<host>[:<port>]`;
      throw new DeviceError('setting_refused', message, {
        device: DEVICE,
        endpoint: options.url,
        reason: 'url',
      });
    }
    parsed.pathname = `${parsed.pathname.replace(/\/+$/, '')}${BANK_PATH}`;
    this.#address = parsed.href;
    parsed.username = '';
    parsed.password = '';
    this.endpoint = parsed.href;
    this.#fail = failureOf(DEVICE, this.endpoint, `${DEVICE} at ${this.endpoint}`);
    this.#bankId = options.bankId === '' ? undefined : options.bankId;
    this.#clock = options.clock ?? systemClock;
    this.#options = options;
    this.#queue = new JobQueue({
      clock: this.#clock,
      limit: 16,
      deadlineMs: 2500,
      describe: (end, cause) => namedError(queueEnd(end, this.endpoint, cause), DEVICE),
    });
  }

  /** Who answered last; undefined before the first answer. */
  get identity(): BankIdentity | undefined {
    return this.#last;
  }

  /**
   * Asks once, and judges each of `channels` for itself; the results are in their order. A bank that cannot be
   * reached fails each of them with `bank_unreachable`.
   *
   * @param channels 0..2
   * @throws DeviceError `value_out_of_range` for another channel, and those of the queue. In the results:
   *   `bank_unreachable`, `bank_sample_missing`, `bank_identity_mismatch`, `bank_sample_stale`, `bank_saturated`,
   *   `bank_out_of_range`
   */
  async read(
    channels: readonly BankChannel[],
    options: Exchange = {},
  ): Promise<PromiseSettledResult<BankSample>[]> {
    const unknown = channels.find((channel) => !BANK_CHANNELS.includes(channel));
    if (unknown !== undefined) throw this.#fail('value_out_of_range', `channel ${unknown} is not 0 to 2`);
    return this.#queue.run((signal) => this.#read(channels, signal), options);
  }

  /** Ends all work, waiting and running, and takes no more. */
  close(): void {
    this.#queue.close();
  }

  async #read(
    channels: readonly BankChannel[],
    signal: AbortSignal,
  ): Promise<PromiseSettledResult<BankSample>[]> {
    let body: unknown;
    try {
      body = await getJson(this.#address, {
        timeoutMs: BANK_TIMEOUT_MS,
        maxBytes: BANK_MAX_BYTES,
        clock: this.#clock,
        signal,
      });
    } catch (cause) {
      signal.throwIfAborted();
      const reason = cause instanceof TransportError ? (cause.reason ?? cause.code) : 'port_failed';
      const error = this.#fail('bank_unreachable', messageOf(cause), { reason, cause });
      return channels.map(() => ({ status: 'rejected', reason: error }));
    }
    const arrivedAt = this.#clock.monotonic();
    const arrivedAtWall = this.#clock.now();
    const identity = identityOf(body);
    this.#noteChanges(identity);
    return channels.map((channel) => {
      const sinceArrivalMs = this.#clock.monotonic() - arrivedAt;
      const verdict = judgeSample(body, { channel, bankId: this.#bankId, sinceArrivalMs });
      if ('code' in verdict) {
        const message = `channel ${channel}: ${verdict.message}; ${REMEDIES[verdict.code]}`;
        return { status: 'rejected', reason: this.#fail(verdict.code, message) };
      }
      const { sample } = verdict;
      const observedAt = arrivedAtWall - (sample.ageMs - sinceArrivalMs);
      const { bootId, bench } = identity;
      return { status: 'fulfilled', value: { ...sample, observedAt, bootId, bench } };
    });
  }

  #noteChanges(now: BankIdentity): void {
    const before = this.#last;
    // What is not said this time does not wipe out what is known.
    this.#last = {
      bankId: now.bankId ?? before?.bankId ?? null,
      bootId: now.bootId ?? before?.bootId ?? null,
      bench: now.bench,
    };
    if (before?.bankId && now.bankId && before.bankId !== now.bankId)
      this.#options.onBankIdChanged?.({ from: before.bankId, to: now.bankId });
    if (before?.bootId && now.bootId && before.bootId !== now.bootId)
      this.#options.onBootIdChanged?.({ from: before.bootId, to: now.bootId });
  }
}
