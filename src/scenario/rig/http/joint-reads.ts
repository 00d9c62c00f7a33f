import type { Clock } from '../../../lib/clock/clock.ts';
import { RunFault } from '../fault.ts';
import { type Answer, type BridgeClient, parseJson } from './bridge-client.ts';
import { isRecord } from './rejection.ts';

/** Sensors that the bridge takes in one request. */
const MAX_SENSORS = 16;

export interface JointReadsOptions {
  readonly client: Pick<BridgeClient, 'send'>;
  readonly clock: Clock;
  /** Address of the bridge, without a slash at its end. */
  readonly base: string;
  readonly timeoutMs: number;
}

/**
 * Reads that are asked for in one turn of the event loop go to the bridge in one request, which answers each as soon as
 * it is there. 16 sensors at 100 Hz would be 1,600 requests a second, and a request costs more than all that is done with
 * its reading.
 */
export class JointReads {
  readonly #options: JointReadsOptions;
  #next: JointRequest | undefined;

  constructor(options: JointReadsOptions) {
    this.#options = options;
  }

  /**
   * What the route of the sensor alone would have answered.
   * @throws RunFault SCN406, 407 as that would, SCN402 when the answer leaves the sensor out; the signal's reason
   */
  read(id: string, signal: AbortSignal): Promise<Answer> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (!this.#next?.takes(id)) {
      const request = new JointRequest();
      this.#next = request;
      setImmediate(() => {
        if (this.#next === request) this.#next = undefined;
        void this.#send(request);
      });
    }
    return this.#next!.wait(id, signal);
  }

  async #send(request: JointRequest): Promise<void> {
    const { client, clock, base, timeoutMs } = this.#options;
    const { ids } = request;
    if (ids.length === 0) return;
    const names = ids.map(encodeURIComponent);
    const common = { method: 'GET', timeoutMs, signal: request.left, quiet: true } as const;
    const path = `${base}/api/v1/hardware`;
    try {
      if (names.length === 1) {
        request.settleAll(await client.send({ ...common, url: `${path}/sensor/${names[0]}` }));
        return;
      }
      const url = `${path}/sensors/each?sensor_ids=${names.join(',')}`;
      const sentAt = clock.monotonic();
      const onLine = (line: string) => {
        const said = parseJson(line);
        if (!isRecord(said) || typeof said.sensor !== 'string' || typeof said.status !== 'number') return;
        const { sensor, status, body } = said;
        const tookMs = clock.monotonic() - sentAt;
        request.settle(sensor, { status, json: body, text: line, location: null, sentAt, tookMs });
      };
      const whole = await client.send({ ...common, url, onLine });
      if (whole.status !== 200) request.settleAll(whole);
      else if (request.ids.length > 0)
        request.fail(new RunFault('SCN402', `${url}: the answer has no line for it`));
    } catch (thrown) {
      request.fail(thrown);
    }
  }
}

/** One that waits for its reading, until its signal aborts. */
class Waiting {
  readonly #signal: AbortSignal;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (reason: unknown) => void;
  readonly #leave: () => void;

  constructor(
    signal: AbortSignal,
    resolve: (answer: Answer) => void,
    reject: (reason: unknown) => void,
    leave: () => void,
  ) {
    this.#signal = signal;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#leave = leave;
    signal.addEventListener('abort', this);
  }

  settle(answer: Answer): void {
    this.#signal.removeEventListener('abort', this);
    this.#resolve(answer);
  }

  fail(thrown: unknown): void {
    this.#signal.removeEventListener('abort', this);
    this.#reject(thrown);
  }

  handleEvent(): void {
    this.#leave();
    this.fail(this.#signal.reason);
  }
}

/** The reads of one request that have no answer yet, by their sensors. */
class JointRequest {
  readonly #waiting = new Map<string, Waiting[]>();
  readonly #left = new AbortController();

  get ids(): string[] {
    return [...this.#waiting.keys()];
  }

  takes(id: string): boolean {
    return !this.left.aborted && (this.#waiting.size < MAX_SENSORS || this.#waiting.has(id));
  }

  /** Aborts when nobody waits any more. */
  get left(): AbortSignal {
    return this.#left.signal;
  }

  wait(id: string, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiting = new Waiting(signal, resolve, reject, () => this.#leave(id, waiting));
      const others = this.#waiting.get(id);
      if (others) others.push(waiting);
      else this.#waiting.set(id, [waiting]);
    });
  }

  #leave(id: string, gone: Waiting): void {
    const others = this.#waiting.get(id)?.filter((one) => one !== gone) ?? [];
    if (others.length > 0) this.#waiting.set(id, others);
    else this.#waiting.delete(id);
    if (this.#waiting.size === 0) this.#left.abort();
  }

  /** Ignores a sensor that nobody waits for, or that was answered already. */
  settle(id: string, answer: Answer): void {
    const waiting = this.#waiting.get(id) ?? [];
    this.#waiting.delete(id);
    for (const one of waiting) one.settle(answer);
  }

  settleAll(answer: Answer): void {
    for (const id of this.ids) this.settle(id, answer);
  }

  fail(thrown: unknown): void {
    for (const one of [...this.#waiting.values()].flat()) one.fail(thrown);
    this.#waiting.clear();
  }
}
