import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import type { Milliseconds } from '../../lib/quantity.ts';

/** A guard that lives has ended the bridge by then. */
export const REHEARSAL_MS = 8000;

const CAME_BETWEEN = 'a safe state came between';

export interface RehearsalOptions {
  clock: Clock;
  log: (line: string) => void;
  /** Someone may count on the rig, or nothing would be measured. */
  whyNot: () => string | undefined;
  /** Closes the relay with nothing wired to it and reads it back; without it nothing is closed. @throws Error */
  closeTestCoil?: () => Promise<void>;
  /** Never rejects. */
  makeSafe: (reason: string) => Promise<unknown>;
  /** To the guard. */
  tell: (line: JsonLine) => void;
  /** Shows to the guard what a bridge that stands still would show. */
  fallSilent: (ms: Milliseconds) => void;
}

/**
 * The bridge's part in a rehearsal of the guard: keeps all clients out, closes the test coil, and acts as if it stood still
 * until the guard ends it. Where anything comes between, the rig is made safe instead, the test coil with it.
 */
export class Rehearsal {
  readonly #options: RehearsalOptions;
  #isRunning = false;
  #isInterrupted = false;
  #isSilent = false;
  #cancelEnd = () => {};

  constructor(options: RehearsalOptions) {
    this.#options = options;
  }

  /** Nothing may move but into the safe state. */
  get isRunning(): boolean {
    return this.#isRunning;
  }

  async begin(): Promise<void> {
    const { clock, log, whyNot, closeTestCoil, makeSafe, tell, fallSilent } = this.#options;
    if (this.#isRunning) return;
    const why = whyNot();
    if (why !== undefined) return tell({ rehearsing: false, tried: false, why });
    this.#isRunning = true;
    this.#isInterrupted = false;
    const fault = await closeTestCoil?.().then(() => this.#cameBetween(), messageOf);
    if (fault !== undefined) {
      this.#isRunning = false;
      log(`rehearsal: the test coil could not be closed: ${fault}`);
      tell({ rehearsing: false, tried: true, why: fault });
      // What was sent may have had an effect.
      await makeSafe('rehearsal_failed');
      return;
    }
    log('rehearsal: from now on this bridge acts as if it stood still, until the guard ends it');
    tell({ rehearsing: true, tried: true, why: null });
    fallSilent(REHEARSAL_MS);
    this.#isSilent = true;
    this.#cancelEnd = clock.after(REHEARSAL_MS, () => this.#notEnded());
  }

  /**
   * A safe state or a stop begins: a coil that is being closed now says nothing about the guard any more, and a guard that
   * is about to end this bridge has to hear of the stop first.
   */
  interrupt(): void {
    this.#isInterrupted = true;
    if (!this.#isSilent) return;
    const { tell, fallSilent } = this.#options;
    this.#cancelEnd();
    this.#isSilent = false;
    this.#isRunning = false;
    fallSilent(0);
    tell({ rehearsing: false, tried: true, why: CAME_BETWEEN });
  }

  close(): void {
    this.#cancelEnd();
  }

  #cameBetween(): string | undefined {
    return this.#isInterrupted ? CAME_BETWEEN : undefined;
  }

  #notEnded(): void {
    const { log, makeSafe } = this.#options;
    this.#isRunning = false;
    this.#isSilent = false;
    log(`rehearsal: no guard has ended this bridge within ${REHEARSAL_MS / 1000} s; it goes on`);
    void makeSafe('rehearsal_not_ended');
  }
}
