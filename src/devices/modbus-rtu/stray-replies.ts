import { isIndistinguishableFrom } from './reply.ts';
import type { ModbusRequest } from './request.ts';
import type { RtuTiming } from './timing.ts';

/** A second copy of a reply was seen up to 400 ms after the first (DEV-049). */
const COPY_MS = 700;

/**
 * How many replies can still arrive that belong to earlier requests and look like the reply to the next one (stray
 * replies). RTU has no sequence number, so a reading is used only when as many equal readings plus one were received:
 * each stray reply can stand for one reading only (`ModbusUnit.read`). Three kinds are counted:
 *
 * - the reply to a request that was never answered well: it may come for `strayMs`, out of order, once;
 * - a second copy of a good reply: it may come within the turnaround limit. Copies are expected only on a line that
 *   had a fault within `strayMs`; there one for each function is counted;
 * - the one reply that is owed to another process, which used this line before and was killed. Its request is not
 *   known. It is excluded as soon as two good replies in a row have different shapes: a device answers in order, so
 *   had the first been the owed one, its own would have been received in the place of the second, and refused there.
 *
 * On a line without faults all of this is nothing, and costs nothing.
 */
export class StrayReplies {
  readonly #now: () => number;
  readonly #timing: Pick<RtuTiming, 'turnaroundMs' | 'strayMs'>;
  #owed: { request: ModbusRequest; untilMs: number }[] = [];
  #suspectUntilMs = Number.NEGATIVE_INFINITY;
  /** When the last good reply of a unit and function came. */
  readonly #answeredAtMs = new Map<string, number>();
  /** Until then the other process's reply may come. */
  #settledAtMs: number | undefined;
  #isProven = false;
  #willProve = false;
  #last: ModbusRequest | undefined;

  /** @param options.now monotonic milliseconds */
  constructor(options: { now: () => number; timing: Pick<RtuTiming, 'turnaroundMs' | 'strayMs'> }) {
    this.#now = options.now;
    this.#timing = options.timing;
  }

  /** Another process may have used the line before the first opening; before the later ones it was this one. */
  opened(): void {
    this.#settledAtMs ??= this.#now() + this.#timing.strayMs;
  }

  sent(request: ModbusRequest): void {
    this.#willProve = !this.#mayBeOwedToAnother(request);
  }

  /** A good reply, or an exception, came to the request that was sent last. */
  answered(request: ModbusRequest): void {
    this.#isProven = this.#willProve;
    this.#last = request;
    this.#answeredAtMs.set(kindOf(request), this.#now());
  }

  /** The request was sent, and what came was not its reply, or nothing came: its reply may still come. */
  unanswered(request: ModbusRequest): void {
    const now = this.#now();
    this.#owed = this.#owed.filter(({ untilMs }) => untilMs > now);
    this.#owed.push({ request, untilMs: now + this.#timing.strayMs });
  }

  /**
   * The reply to an unanswered request came after all. Which of several alike it was cannot be seen: the oldest is
   * taken off, so that the count lasts as long as the youngest may still be answered. A copy of it may follow as of
   * any reply.
   */
  arrivedLate(request: ModbusRequest): void {
    const index = this.#owed.findIndex(
      (one) => one.request === request || isIndistinguishableFrom(one.request, request),
    );
    if (index >= 0) this.#owed.splice(index, 1);
    this.#answeredAtMs.set(kindOf(request), this.#now());
  }

  /** A line that had a fault not long ago: what comes may be a stray reply. */
  get isSuspect(): boolean {
    return this.#now() < this.#suspectUntilMs;
  }

  /** Something was received, or was missing, that a sound line does not show. */
  fault(): void {
    this.#suspectUntilMs = this.#now() + this.#timing.strayMs;
  }

  /** Stray replies that could be taken for the reply to `request`, sent now. Exceptions of its function included. */
  countFor(request: ModbusRequest): number {
    const now = this.#now();
    const kind = kindOf(request);
    const late = this.#owed.filter((one) => one.untilMs > now && kindOf(one.request) === kind).length;
    const answeredAtMs = this.#answeredAtMs.get(kind) ?? Number.NEGATIVE_INFINITY;
    const copyMs = Math.max(COPY_MS, this.#timing.turnaroundMs);
    const copies = this.isSuspect && now - answeredAtMs <= copyMs ? 1 : 0;
    return late + copies + (this.#mayBeOwedToAnother(request) ? 1 : 0);
  }

  #mayBeOwedToAnother(request: ModbusRequest): boolean {
    if (this.#isProven) return false;
    if (this.#settledAtMs !== undefined && this.#now() >= this.#settledAtMs) return false;
    return this.#last === undefined || isIndistinguishableFrom(this.#last, request);
  }
}

/** Replies of other lengths of one function count as alike: their exceptions are. */
const kindOf = ({ unit, function: code }: ModbusRequest): string => `${unit} ${code}`;
