import type { Clock } from '../../lib/clock/clock.ts';
import type { ByteTransport } from '../../transports/byte-transport.ts';
import { hexOf } from '../../transports/hex.ts';
import { Connection } from '../connection.ts';
import { DeviceError, namedError } from '../device-error.ts';
import { PROBE, PROBE_ANSWER } from './protocol.ts';
import { noStatistics, type UartStatistics } from './statistics.ts';
import { DEVICE, UartLine } from './uart-line.ts';

const RESYNC_SILENCE_MS = 100;
const RESYNC_TRIES = 3;

/**
 * Knows at any time whether requests and answers are in step:
 *
 * - a request puts them out of step, and only its whole, possible and lonely answer puts them back;
 * - a byte that comes without a request, and a port opened anew, put them out of step;
 * - out of step, no value is taken before a resync: silence, drain, AT, and exactly OK. The module does one thing
 *   after the other, so behind the OK no older answer can come.
 */
export class ModuleSession {
  readonly line: UartLine;
  readonly connection: Connection;
  readonly statistics: UartStatistics = noStatistics();
  /** What the running job has met so far: a better end at its deadline than the deadline itself. */
  fault: DeviceError | undefined;
  /** The opening of the port in which the last good answer came; -1 while out of step. */
  #inStepWith = -1;

  constructor(transport: ByteTransport, clock: Clock) {
    this.line = new UartLine(transport, clock);
    this.connection = new Connection({ transport, clock });
    this.connection.onState((state) => {
      if (state === 'absent') this.statistics.losses += 1;
      if (state === 'open') this.statistics.opens += 1;
    });
  }

  get #isInStep(): boolean {
    return this.#inStepWith === this.connection.generation && this.line.strays === 0;
  }

  /** Work in step with the module: a resync before it when need be; after a failure a resync and one repetition. */
  async proven<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#ready(signal);
    if (!this.#isInStep) await this.#resync(signal);
    try {
      return await this.#attempt(work);
    } catch (error) {
      if (!isWorthRepeating(error) || signal.aborted) throw error;
    }
    await this.#resync(signal);
    this.statistics.repeats += 1;
    return this.#attempt(work);
  }

  /** AT and OK: the module is there and in step. */
  async probe(signal: AbortSignal): Promise<void> {
    await this.#ready(signal);
    // A resync is a probe, and the better one.
    if (!this.#isInStep) return this.#resync(signal);
    try {
      await this.#attempt(() => this.#askOk(signal));
    } catch (error) {
      if (!isWorthRepeating(error) || signal.aborted) throw error;
      await this.#resync(signal);
    }
  }

  /** Out of step from here, and in step again only behind a good end within one opening of the port. */
  async #attempt<T>(work: () => Promise<T>): Promise<T> {
    const { generation } = this.connection;
    this.#inStepWith = -1;
    try {
      const result = await work();
      this.#inStepWith = generation;
      return result;
    } catch (error) {
      if (error instanceof DeviceError) this.#note(error);
      throw error;
    }
  }

  #note(error: DeviceError): void {
    if (!isWorthRepeating(error)) return;
    this.fault = error;
    if (error.code === 'corrupt_response') this.statistics.corrupt += 1;
    else {
      this.statistics.timeouts += 1;
      this.connection.reopen(error);
    }
  }

  /** @throws DeviceError what the last of three tries ended with; the port is opened anew then */
  async #resync(signal: AbortSignal): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      await this.#ready(signal);
      try {
        await this.#attempt(async () => {
          await this.line.untilSilent(RESYNC_SILENCE_MS, signal);
          await this.line.drain(signal);
          this.line.forgetStrays();
          await this.#askOk(signal);
        });
        this.statistics.resyncs += 1;
        return;
      } catch (error) {
        if (!isWorthRepeating(error) || signal.aborted) throw error;
        if (tries < RESYNC_TRIES) continue;
        this.connection.reopen(error);
        throw error;
      }
    }
  }

  async #askOk(signal: AbortSignal): Promise<void> {
    const { bytes } = await this.line.exchange(PROBE, PROBE_ANSWER.length, signal);
    if (bytes.every((byte, index) => byte === PROBE_ANSWER[index])) return;
    // Never `wrong_device`: AT is everybody's word, and no frame of another device can be distinguished from a spoilt OK.
    const message = `AT was answered with ${hexOf(bytes)} where only ${hexOf(PROBE_ANSWER)} (OK) is right; check that this port is the ADC module's`;
    throw this.line.fail('corrupt_response', message, { reason: 'not_ok', sent: true });
  }

  async #ready(signal: AbortSignal): Promise<void> {
    try {
      await this.connection.ready(signal);
    } catch (error) {
      throw error instanceof DeviceError ? namedError(error, DEVICE) : error;
    }
  }
}

/** Whether a resync can help: nothing, or nothing sensible, was heard of the module. */
const isWorthRepeating = (error: unknown): boolean =>
  error instanceof DeviceError && (error.code === 'device_timeout' || error.code === 'corrupt_response');
