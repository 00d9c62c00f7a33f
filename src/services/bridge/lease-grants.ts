import { bounded } from '../../lib/clock/bounded.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import { RigError } from '../../rig/hardware/rig-error.ts';
import type { Lease } from '../../rig/lease/lease-table.ts';
import type { Bridge } from './bridge.ts';
import type { OutputDevice } from './read-back.ts';
import { notSafe } from './refusal.ts';

/** A healthy device is read back in a tenth of it; together with a safe state it is less than who asks waits. */
const READ_BACK_MS = 1000;
/** Someone may switch something on by hand while the outputs are read. */
const ATTEMPTS = 3;

/**
 * Grants leases, one after the other: only when every output of the rig reads off, so that a run begins with nothing
 * that it has not switched on itself (SVC-051). What is on, or cannot be read, is made safe first.
 */
export class LeaseGrants {
  readonly #bridge: Bridge;
  #last: Promise<unknown> = Promise.resolve();

  constructor(bridge: Bridge) {
    this.#bridge = bridge;
  }

  /**
   * @param ttlMs 1000..60000
   * @param signal aborts when no caller waits for the lease any more
   * @throws LeaseError `lease_held`, HttpError `safe_state_in_progress`, `not_safe`
   */
  grant(owner: string, ttlMs: Milliseconds, signal: AbortSignal): Promise<Lease> {
    const granted = this.#last.then(() => this.#grant(owner, ttlMs, signal));
    this.#last = granted.catch(() => {});
    return granted;
  }

  async #grant(owner: string, ttlMs: Milliseconds, signal: AbortSignal): Promise<Lease> {
    const bridge = this.#bridge;
    this.#admit(signal);
    const isOn = () => (bridge.rules.isAnythingOn ? 'it is being used by hand' : undefined);
    let why = (await this.#whyNotOff()) ?? isOn();
    for (let attempt = 1; why !== undefined; attempt++) {
      this.#admit(signal);
      if (attempt === ATTEMPTS) throw notSafe(why, bridge.silent);
      bridge.log(`the rig is made safe before ${owner} gets the lease: ${why}`);
      await bridge.makeSafe('lease_requested');
      if (bridge.safeState.notSafe !== null) throw notSafe(bridge.safeState.notSafe, bridge.silent);
      // A safe state has read everything back.
      why = isOn();
    }
    this.#admit(signal);
    const lease = bridge.leases.take(owner, ttlMs);
    bridge.leaseTaken();
    return lease;
  }

  /** @throws as `grant` */
  #admit(signal: AbortSignal): void {
    signal.throwIfAborted();
    this.#bridge.refuseDuringSafeState();
    this.#bridge.leases.mustBeFree();
  }

  /** Why the outputs are not all known to be off, for people; undefined when they are. */
  async #whyNotOff(): Promise<string | undefined> {
    const { readBack, safeState } = this.#bridge;
    if (safeState.notSafe !== null) return safeState.notSafe;
    const found = await Promise.all(readBack.devices.map((device) => this.#whyOn(device)));
    const faults = found.filter((one) => one !== undefined);
    return faults.length === 0 ? undefined : faults.join('; ');
  }

  async #whyOn({ plugin, look }: OutputDevice): Promise<string | undefined> {
    const { clock } = this.#bridge;
    const late = () => new RigError('device_timeout', plugin, `not read back within ${READ_BACK_MS} ms`);
    try {
      const on = await bounded(look, { clock, limitMs: READ_BACK_MS, late });
      return on.length === 0 ? undefined : `${on.join(', ')} ${on.length === 1 ? 'is' : 'are'} on`;
    } catch (thrown) {
      return messageOf(thrown);
    }
  }
}
