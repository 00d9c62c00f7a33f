import * as z from 'zod';
import type { Clock } from '../../lib/clock/clock.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import { Knobs } from '../knobs.ts';
import type { TwinListener } from '../twin-event.ts';

/** The relay opens so long after the last edge. */
const HOLD_MS = 500;
/** A twin whose timer comes so late has not run: the edges of that time are still to be seen. */
const LATE_MS = 50;
/** In it at least one edge comes, where pulses go out. */
const GRACE_MS = 250;
/** A chattering contact opens once in this time. */
const CHATTER_EVERY_MS = 1000;

export const relayKnobsSchema = z.strictObject({
  /** The contact never opens. */
  welded: z.boolean(),
  /** The pulses do not reach the relay. */
  no_input: z.boolean(),
  /** Milliseconds for which the contact opens once a second; 0 never. */
  chatter_ms: z
    .number()
    .min(0)
    .max(CHATTER_EVERY_MS / 2),
});
const AT_REST = { welded: false, no_input: false, chatter_ms: 0 };

export interface RelayTwinOptions {
  clock: Clock;
  listener?: TwinListener;
  knobsChanged?: (patch: Record<string, unknown>) => void;
}

/** A watchdog relay: closed as long as its input changes, open 0.5 s after the last edge. A level that stays keeps nothing closed. */
export class RelayTwin {
  readonly knobs: Knobs<typeof relayKnobsSchema.shape>;
  readonly #options: RelayTwinOptions;
  /** Edges arrived within the hold time. */
  #isFed = false;
  #isChattering = false;
  #isClosed = false;
  #level: string | undefined;
  #cancelHold = () => {};
  #cancelChatter: (() => void) | undefined;

  constructor(options: RelayTwinOptions) {
    this.#options = options;
    this.knobs = new Knobs({
      device: 'relay',
      schema: relayKnobsSchema,
      atRest: AT_REST,
      changed: (patch) => {
        this.#follow();
        options.knobsChanged?.(patch);
      },
    });
  }

  /** Whether the supply passes. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /** The input as it is now; only a change counts as an edge. */
  input(level: string): void {
    const isEdge = this.#level !== undefined && this.#level !== level;
    this.#level = level;
    if (!isEdge || this.knobs.value.no_input) return;
    this.#isFed = true;
    this.#follow();
    this.#hold(HOLD_MS, true);
  }

  reset(): void {
    this.#cancelHold();
    this.#cancelChatter?.();
    this.#cancelChatter = undefined;
    this.#isFed = false;
    this.#isChattering = false;
    this.knobs.reset();
  }

  #hold(ms: Milliseconds, mayWait: boolean): void {
    const { clock } = this.#options;
    this.#cancelHold();
    const dueAt = clock.monotonic() + ms;
    this.#cancelHold = clock.after(ms, () => {
      if (mayWait && clock.monotonic() - dueAt > LATE_MS) return this.#hold(GRACE_MS, false);
      this.#isFed = false;
      this.#follow();
    });
  }

  #follow(): void {
    const { welded } = this.knobs.value;
    const isClosed = welded || (this.#isFed && !this.#isChattering);
    if (isClosed !== this.#isClosed) {
      this.#isClosed = isClosed;
      this.#options.listener?.({ kind: 'supply', closed: isClosed });
    }
    this.#chatter();
  }

  #chatter(): void {
    const { chatter_ms: openMs } = this.knobs.value;
    if (openMs === 0 || !this.#isFed) {
      this.#cancelChatter?.();
      this.#cancelChatter = undefined;
      this.#isChattering = false;
    } else this.#cancelChatter ??= this.#options.clock.after(CHATTER_EVERY_MS, () => this.#opens(openMs));
  }

  #opens(ms: Milliseconds): void {
    this.#isChattering = true;
    this.#cancelChatter = this.#options.clock.after(ms, () => {
      this.#cancelChatter = undefined;
      this.#isChattering = false;
      this.#follow();
    });
    this.#follow();
  }
}
