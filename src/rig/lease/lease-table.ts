import type { Clock } from '../../lib/clock/clock.ts';
import { Expiry } from '../../lib/clock/expiry.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import { LeaseError } from './lease-error.ts';

export interface Lease {
  /** 128 random bits, hexadecimal. Only the holder knows it. */
  id: string;
  owner: string;
  ttlMs: Milliseconds;
  expiresInMs: Milliseconds;
}

export interface LeaseTableOptions {
  clock: Clock;
  /** 128 random bits as 32 hexadecimal digits. */
  randomId: () => string;
  /** The lease ended because it was not renewed. Called once per expiry. */
  onExpired: (owner: string) => void;
}

const REMEMBERED = 64;

interface Held {
  id: string;
  owner: string;
  ttlMs: Milliseconds;
  /** Aborts when the lease ends, whatever the reason. */
  end: AbortController;
}

interface Ended {
  /** For people. */
  why: string;
  members: Readonly<Record<string, unknown>>;
}

/** At most one lease at a time. */
export class LeaseTable {
  readonly #options: LeaseTableOptions;
  readonly #expiry: Expiry;
  #held: Held | undefined;
  /** Ids that once were good, and why they are not: their holders learn `lease_lost` and not `lease_held`. */
  readonly #ended = new Map<string, Ended>();

  constructor(options: LeaseTableOptions) {
    this.#options = options;
    this.#expiry = new Expiry({
      clock: options.clock,
      onExpired: () => {
        const owner = this.#held?.owner ?? '';
        this.revoke('it was not renewed in time');
        options.onExpired(owner);
      },
    });
  }

  /** @param ttlMs 1000..60000. @throws LeaseError `lease_held` */
  take(owner: string, ttlMs: Milliseconds): Lease {
    this.mustBeFree();
    this.#expiry.renew(ttlMs);
    this.#held = { id: this.#options.randomId(), owner, ttlMs, end: new AbortController() };
    return this.#view(this.#held);
  }

  /** @throws LeaseError `lease_held` */
  mustBeFree(): void {
    const held = this.#current;
    if (held) throw this.#heldError(held);
  }

  /** @throws LeaseError `lease_gone` */
  renew(id: string): Lease {
    const held = this.#mustHold(id);
    this.#expiry.renew(held.ttlMs);
    return this.#view(held);
  }

  /** Its holder may be gone: unless it is renewed it ends after this time, if not sooner. @param ms milliseconds */
  shorten(id: string, ms: Milliseconds): void {
    if (this.#held?.id === id) this.#expiry.shorten(ms);
  }

  /** The lease with this id. @throws LeaseError `lease_gone` */
  of(id: string): Lease {
    return this.#view(this.#mustHold(id));
  }

  /** Whether this is the lease that is held. */
  holds(id: string): boolean {
    return this.#current?.id === id;
  }

  /** Ends a lease on its holder's wish; `onExpired` is not called. @throws LeaseError `lease_gone` */
  release(id: string): void {
    this.#mustHold(id);
    this.revoke('its holder gave it back');
  }

  /** Aborts when this lease ends, for whatever reason. @throws LeaseError `lease_gone` */
  endOf(id: string): AbortSignal {
    return this.#mustHold(id).end.signal;
  }

  /**
   * Ends the lease of any holder. `onExpired` is not called.
   * @param why for its holder @param members the same for its program
   */
  revoke(why: string, members: Readonly<Record<string, unknown>> = {}): void {
    this.#expiry.clear();
    if (!this.#held) return;
    const { id, end } = this.#held;
    this.#ended.set(id, { why, members });
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
    this.#held = undefined;
    end.abort();
  }

  current(): Lease | undefined {
    const held = this.#current;
    return held && this.#view(held);
  }

  /**
   * Whether an actuation may go on.
   * @param id the caller's lease id; undefined when it sent none
   * @returns `leased`, or `manual` when no lease is held and none was named
   * @throws LeaseError `lease_held`, `lease_lost`
   */
  authorize(id: string | undefined): 'leased' | 'manual' {
    const held = this.#current;
    if (held && id === held.id) return 'leased';
    const lost = id !== undefined && (!held || this.#ended.has(id));
    if (lost) {
      // A caller that names a lease depends on it: without it the actuation must not become a manual one.
      throw new LeaseError(
        'lease_lost',
        `the lease named by X-Lease-Id has ended${this.#whyEnded(id)}; take a new one`,
        held && { owner: held.owner, expiresInMs: this.#view(held).expiresInMs },
        this.#ended.get(id)?.members,
      );
    }
    if (held) throw this.#heldError(held);
    return 'manual';
  }

  #heldError(held: Held): LeaseError {
    const { expiresInMs } = this.#view(held);
    const message = `the rig is leased to ${held.owner} for another ${expiresInMs} ms; wait, or end the other run (svcctl lease shows the holder)`;
    return new LeaseError('lease_held', message, { owner: held.owner, expiresInMs });
  }

  #mustHold(id: string): Held {
    const held = this.#current;
    if (held?.id === id) return held;
    const message = this.#ended.has(id)
      ? `the lease has ended${this.#whyEnded(id)}; take a new one`
      : 'unknown lease id; take a new one';
    throw new LeaseError('lease_gone', message, undefined, this.#ended.get(id)?.members);
  }

  #whyEnded(id: string): string {
    const ended = this.#ended.get(id);
    return ended === undefined ? '' : `: ${ended.why}`;
  }

  #view({ id, owner, ttlMs }: Held): Lease {
    return { id, owner, ttlMs, expiresInMs: this.#expiry.remainingMs ?? 0 };
  }

  /** The lease that is held; one that is over ends here. */
  get #current(): Held | undefined {
    return this.#expiry.active ? this.#held : undefined;
  }
}
