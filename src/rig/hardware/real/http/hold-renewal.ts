import type { Clock } from '../../../../lib/clock/clock.ts';
import { messageOf } from '../../../../lib/errors/coded-error.ts';
import type { JsonObject } from './service-client.ts';

/** Seconds that an actuator goes on without being renewed, and how often that is done. */
export const HOLD_S = 10;
const RENEW_MS = 3000;

export interface HoldRenewalOptions<A> {
  clock: Clock;
  /** Asks the service to renew; resolves with what it says of the device. */
  renew: (body: JsonObject, signal: AbortSignal) => Promise<A>;
  /** The actuator is no longer under command. Called at most once for each command. @param why for people */
  onLost: (why: string) => void;
}

/** What an answer to a renewal says of the command: it goes on, has come to its end, or is no longer ours. */
export type Standing = 'held' | 'ended' | { lost: string };

/** Goes on renewing the hold of one command until it has ended. */
export class HoldRenewal<A> {
  readonly #options: HoldRenewalOptions<A>;
  #command: AbortController | undefined;
  #isUrgent = false;
  #wake = () => {};

  constructor(options: HoldRenewalOptions<A>) {
    this.#options = options;
  }

  /** @param judge of each answer */
  begin(judge: (answer: A) => Standing): void {
    this.end();
    const command = new AbortController();
    this.#command = command;
    void this.#goOn(judge, command.signal);
  }

  /** Nothing is renewed any more: what still acts stops when its hold ends. */
  end(): void {
    this.#command?.abort();
    this.#command = undefined;
  }

  /** Renews at once, and once more when that is under way: something speaks against the command. */
  now(): void {
    this.#isUrgent = true;
    this.#wake();
  }

  async #goOn(judge: (answer: A) => Standing, signal: AbortSignal): Promise<void> {
    let standing: Standing = 'held';
    while (standing === 'held') {
      try {
        await this.#rest(signal);
        standing = judge(await this.#options.renew({ hold_s: HOLD_S }, signal));
      } catch (thrown) {
        standing = { lost: `its hold could not be renewed: ${messageOf(thrown)}` };
      }
      if (signal.aborted) return;
    }
    if (standing === 'ended') return;
    this.end();
    this.#options.onLost(standing.lost);
  }

  /** Until the next renewal is due. @throws the signal's reason */
  async #rest(signal: AbortSignal): Promise<void> {
    const pause = new AbortController();
    const wake = () => pause.abort();
    this.#wake = wake;
    // Not AbortSignal.any: it keeps something of each pause for as long as the command lasts, which may be days.
    signal.addEventListener('abort', wake);
    if (!this.#isUrgent) await this.#options.clock.sleep(RENEW_MS, pause.signal).catch(() => {});
    signal.removeEventListener('abort', wake);
    // What was heard while a command was on its way counts for the next one.
    signal.throwIfAborted();
    this.#isUrgent = false;
  }
}
