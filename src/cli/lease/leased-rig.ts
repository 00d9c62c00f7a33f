import { messageOf } from '../../lib/errors/coded-error.ts';
import { CliError } from '../errors/cli-error.ts';
import { EXIT } from '../errors/exit-code.ts';
import type { JsonObject } from '../io/call-service.ts';
import type { Io } from '../io/io.ts';
import type { BridgeCalls } from './bridge-calls.ts';

/** Milliseconds until the bridge makes the rig safe when this process stops renewing. */
const LEASE_TTL_MS = 5000;

/** The rig under a lease that is renewed until `end`, which makes the rig safe. */
export class LeasedRig {
  readonly #bridge: BridgeCalls;
  readonly #leaseId: string;
  readonly #ending = new AbortController();
  readonly #lost = new AbortController();
  readonly #renewing: Promise<void>;

  /**
   * @throws CliError `guard_absent`: a bench may be used without a guard, a rig may not (SVC-053); the codes of the bridge
   */
  static async take(bridge: BridgeCalls, owner: string, io: Pick<Io, 'clock'>): Promise<LeasedRig> {
    const { mode, bench, guard } = await bridge.health();
    const isWatched = (guard as { watching?: unknown } | undefined)?.watching === true;
    if (mode === 'real' && bench !== true && !isWatched)
      throw new CliError(
        'guard_absent',
        'no guard watches the bridge, and nothing is switched on without one: start svc-guard (svcctl services --adopt)',
        EXIT.error,
      );
    const { lease_id: id } = await bridge.call('POST', 'lease', { owner, ttl_ms: LEASE_TTL_MS });
    return new LeasedRig(bridge, String(id), io);
  }

  private constructor(bridge: BridgeCalls, leaseId: string, { clock }: Pick<Io, 'clock'>) {
    this.#bridge = bridge;
    this.#leaseId = leaseId;
    this.#renewing = (async () => {
      for (;;) {
        await clock.sleep(LEASE_TTL_MS / 4, this.#ending.signal).catch(() => {});
        if (this.#ending.signal.aborted) return;
        await bridge.call('POST', `lease/${leaseId}/renew`);
      }
    })().catch((cause: unknown) => {
      const message = `the lease was lost: ${messageOf(cause)}`;
      this.#lost.abort(new CliError('lease_lost', message, EXIT.error, { cause }));
    });
  }

  /** Aborts with the reason when the lease is lost. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /** @param path below `hardware/`. @throws CliError of the bridge */
  command(path: string): Promise<JsonObject> {
    return this.#bridge.call('POST', `hardware/${path}`, undefined, this.#leaseId);
  }

  /** Ends the lease, and with it the rig becomes safe. @returns the report of the safe state. @throws CliError when it is not proven */
  async end(): Promise<JsonObject> {
    this.#ending.abort();
    await this.#renewing;
    return this.#bridge.call('DELETE', `lease/${this.#leaseId}`);
  }
}
