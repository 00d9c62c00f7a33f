import type { Clock } from '../../../../lib/clock/clock.ts';
import { messageOf } from '../../../../lib/errors/coded-error.ts';
import { type LungAnswer, statusAnswer } from './lung-answers.ts';
import type { ServiceClient } from './service-client.ts';

/** Seconds that a motion goes on without being renewed (services specification, sections 8 and 9). */
export const HOLD_S = 10;
const RENEW_MS = 3000;

export interface LungRenewalOptions {
  client: ServiceClient;
  clock: Clock;
  /** The motion is no longer under command. Called at most once for each motion. */
  onLost: (why: string) => void;
}

/** Goes on renewing the hold of one motion until it has ended. */
export class LungRenewal {
  readonly #options: LungRenewalOptions;
  #motion: AbortController | undefined;

  constructor(options: LungRenewalOptions) {
    this.#options = options;
  }

  /** @param started the answer to the start */
  begin({ startedAt }: LungAnswer): void {
    this.end();
    const motion = new AbortController();
    this.#motion = motion;
    void this.#renew(startedAt, motion.signal);
  }

  /** Nothing is renewed any more: what still moves stops when its hold ends. */
  end(): void {
    this.#motion?.abort();
    this.#motion = undefined;
  }

  async #renew(startedAt: string, signal: AbortSignal): Promise<void> {
    const { client, clock, onLost } = this.#options;
    try {
      for (;;) {
        await clock.sleep(RENEW_MS, signal);
        const answer = await client.post('/api/hold', { hold_s: HOLD_S }, { signal });
        const told = statusAnswer(client, '/api/hold', answer);
        if (told.startedAt !== startedAt) throw new Error('svc-lung was restarted');
        if (!told.reading.moving) return;
      }
    } catch (thrown) {
      if (signal.aborted) return;
      this.end();
      onLost(`the lung is no longer under command: ${messageOf(thrown)}`);
    }
  }
}
