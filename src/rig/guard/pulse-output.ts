import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import type { PulseLine } from './pulse-led.ts';

/** The relay opens 0.5 s after the last pulse: a longer gap than this counts as an interruption of the supply. */
export const LONGEST_GAP_MS = 300;
/** Two pulses, and the time in which a relay closes. */
const CLOSING_MS = 250;
/** After a fault of output or contact. */
const RETRY_MS = 5000;
/** A contact that is still closed so long after the last pulse, or still open so long after the first, is faulty. */
const CONTACT_LIMIT_MS = 1500;

export interface PulseOutputOptions {
  line: PulseLine;
  /** Pulses a second. */
  hz: number;
  clock: Clock;
  /** Asked before each edge. */
  mayPulse: () => boolean;
  /**
   * The supply was interrupted: asks for a safe state, once for each bridge. @returns whether one that began after the interruption is
   * proven
   */
  isProvenSafe: () => boolean;
  /** An interruption begins: what was proven before counts no more. */
  onInterrupted: () => void;
  /** The supply is on, or why it is not, has changed. */
  onChange: () => void;
  log: (line: string) => void;
}

/**
 * Feeds the watchdog relay that carries the supply of valves, pump and lung. Each edge is a write of the event loop that also watches the
 * bridge: whatever holds up or ends this process ends the pulses. After an interruption what was on before would be on again with the
 * supply, so that pulses begin only after a safe state that began later. Where the contact is wired it must have opened in between.
 */
export class PulseOutput {
  readonly #options: PulseOutputOptions;
  readonly #halfMs: Milliseconds;
  #isHigh = false;
  /** Monotonic, milliseconds. */
  #edgeAt = Number.NEGATIVE_INFINITY;
  /** First edge since the last interruption; undefined while the supply is interrupted. */
  #begunAt: number | undefined;
  /** Since then no pulse goes out. */
  #interruptedAt: number;
  #wasOn = false;
  /** The contact was open before the first pulse of this stretch. */
  #hasOpened = false;
  /** Wall clock, milliseconds. */
  #testedAt: number | undefined;
  /** What is wrong with output or contact. */
  #fault: string | undefined;
  #retryAt = Number.NEGATIVE_INFINITY;
  #why: string | undefined = 'the guard has just started';
  #cancel = () => {};

  constructor(options: PulseOutputOptions) {
    this.#options = options;
    this.#halfMs = 1000 / (2 * options.hz);
    this.#interruptedAt = options.clock.monotonic();
  }

  /** Undefined while the supply is on; else why it is not, for people. */
  get whyOff(): string | undefined {
    return this.#why;
  }

  /** When the contact was last seen to open without pulses and to close with them, wall clock; undefined: not by this guard. */
  get testedAt(): number | undefined {
    return this.#testedAt;
  }

  /** @param suppliedUntil another guard has pulsed until then, monotonic milliseconds */
  start(suppliedUntil?: number): void {
    if (suppliedUntil !== undefined) {
      this.#edgeAt = suppliedUntil;
      this.#begunAt = Number.NEGATIVE_INFINITY;
      this.#wasOn = true;
      this.#takeLevel();
    }
    this.#tick();
  }

  stop(): void {
    this.#cancel();
  }

  /** The level that the other guard has left: the first write here has to be an edge. */
  #takeLevel(): void {
    try {
      this.#isHigh = this.#options.line.isHigh();
    } catch (fault) {
      this.#report(messageOf(fault));
      this.#interrupt(this.#options.clock.monotonic());
    }
  }

  #tick(): void {
    const { clock } = this.#options;
    const now = clock.monotonic();
    if (now >= this.#retryAt)
      try {
        this.#step(now);
        this.#fault = undefined;
      } catch (fault) {
        this.#retryAt = now + RETRY_MS;
        this.#report(messageOf(fault));
        this.#interrupt(now);
      }
    this.#judge();
    this.#cancel = clock.after(this.#halfMs, () => this.#tick());
  }

  #step(now: number): void {
    const { line, mayPulse, isProvenSafe } = this.#options;
    if (this.#begunAt !== undefined && now - this.#edgeAt > LONGEST_GAP_MS) this.#interrupt(now);
    const isClosed = line.isClosed();
    if (this.#wasOn && isClosed === false) {
      this.#options.log('the contact of the relay has opened although pulses go out');
      this.#interrupt(now);
    }
    if (!mayPulse()) return;
    if (this.#begunAt === undefined) {
      if (isClosed === true) return this.#refuseWelded(now);
      if (!isProvenSafe()) return;
      this.#begunAt = now;
      this.#hasOpened = isClosed === false;
    }
    if (isClosed === false && now - this.#begunAt >= CONTACT_LIMIT_MS)
      throw new Error(
        'the contact of the relay stays open although pulses go out: check its supply, its pulse input and the wire of the contact',
      );
    line.set(!this.#isHigh);
    this.#isHigh = !this.#isHigh;
    this.#edgeAt = now;
    if (isClosed === false || now - this.#begunAt < CLOSING_MS) return;
    this.#wasOn = true;
    if (this.#hasOpened && isClosed) this.#testedAt = this.#options.clock.now();
    this.#hasOpened = false;
  }

  /** The relay could not cut the supply in an emergency either. */
  #refuseWelded(now: number): void {
    if (now - Math.max(this.#edgeAt, this.#interruptedAt) < CONTACT_LIMIT_MS) return;
    throw new Error(
      'the contact of the relay stays closed without pulses: it is welded or bridged; disconnect the supply and replace the relay',
    );
  }

  #interrupt(now: number): void {
    if (this.#begunAt === undefined) return;
    this.#begunAt = undefined;
    this.#wasOn = false;
    this.#interruptedAt = now;
    this.#options.onInterrupted();
  }

  /** A fault is logged once, until it has gone. */
  #report(fault: string): void {
    if (this.#fault !== fault) this.#options.log(fault);
    this.#fault = fault;
  }

  #judge(): void {
    const before = this.#why;
    this.#why = this.#wasOn ? undefined : (this.#fault ?? 'no pulses go out until the rig is proven safe');
    if (this.#why !== before) this.#options.onChange();
  }
}
