import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import { RunFault } from '../fault.ts';
import type { RigObserver } from '../observer.ts';
import type { Answer, BridgeClient } from './bridge-client.ts';
import { isRecord, rejectionOf } from './rejection.ts';

const TTL_MS = 5000;
/** The bridge reads all outputs back before it grants a lease, 1 s at most, and may make the rig safe first. */
const ACQUIRE_TIMEOUT_MS = 8000;
/** A safe state of the bridge takes 5 s at most; a lease asked for during one is worth waiting that long. */
const SAFE_STATE_PATIENCE_MS = 6000;
const PATIENCE_STEP_MS = 250;
/** Between two attempts to have the lease confirmed. */
const CONFIRM_PAUSE_MS = 100;
/** Before a broken line is made anew. */
const LINE_PAUSE_MS = 500;

/** The permission to actuate: taken, renewed every third of its time, given back. */
export class Lease {
  readonly #client: BridgeClient;
  readonly #clock: Clock;
  readonly #base: string;
  readonly #owner: string;
  readonly #observer: RigObserver;
  #id: string | undefined;
  #ttlMs = TTL_MS;
  /** Monotonic ms after which the bridge may have ended the lease. */
  #deadline = 0;
  #cancelRenewal = () => {};
  #stop = new AbortController();

  constructor(client: BridgeClient, clock: Clock, base: string, owner: string, observer: RigObserver) {
    this.#client = client;
    this.#clock = clock;
    this.#base = base;
    this.#owner = owner;
    this.#observer = observer;
  }

  /** Undefined while there is none. */
  get id(): string | undefined {
    return this.#id;
  }

  /** @throws RunFault SCN408; SCN406, SCN407 when the bridge does not answer */
  async acquire(): Promise<void> {
    const patience = this.#clock.monotonic() + SAFE_STATE_PATIENCE_MS;
    for (;;) {
      const answer = await this.#client.send({
        method: 'POST',
        url: `${this.#base}/api/v1/lease`,
        body: { owner: this.#owner, ttl_ms: TTL_MS },
        timeoutMs: ACQUIRE_TIMEOUT_MS,
      });
      const refusal = rejectionOf(answer);
      if (refusal === undefined) return this.#begin(answer);
      const { json } = answer;
      const code = isRecord(json) ? json.code : undefined;
      if (code !== 'safe_state_in_progress' || this.#clock.monotonic() >= patience)
        throw new RunFault('SCN408', `no lease: ${refusal}${describeHolder(json)}`, { scope: 'run' });
      await this.#clock.sleep(PATIENCE_STEP_MS);
    }
  }

  #begin(answer: Answer): void {
    const body = isRecord(answer.json) ? answer.json : {};
    if (typeof body.lease_id !== 'string' || body.lease_id === '')
      throw new RunFault('SCN408', "no lease: the bridge's answer has no lease_id", { scope: 'run' });
    this.#id = body.lease_id;
    this.#ttlMs = typeof body.ttl_ms === 'number' && body.ttl_ms > 0 ? body.ttl_ms : TTL_MS;
    this.#deadline = answer.sentAt + this.#ttlMs;
    this.#stop = new AbortController();
    this.#observer.event({ type: 'lease', action: 'acquire', leaseId: this.#id, ttlMs: this.#ttlMs });
    this.#renewAt(answer.sentAt + this.#ttlMs / 3);
    if (typeof body.line === 'string') void this.#keepLine(this.#base + body.line);
  }

  /**
   * A connection that the kernel closes when this process dies: the bridge then ends the lease sooner. When it breaks
   * while we live, the lease is renewed at once and the connection made anew.
   */
  async #keepLine(url: string): Promise<void> {
    const id = this.#id;
    const { signal } = this.#stop;
    while (this.#id === id && !signal.aborted) {
      if (!(await this.#client.listen(url, signal))) return;
      if (this.#id !== id || signal.aborted) return;
      this.#renewAt(this.#clock.monotonic());
      await this.#clock.sleep(LINE_PAUSE_MS, signal).catch(() => {});
    }
  }

  #renewAt(due: number): void {
    this.#cancelRenewal = this.#clock.after(Math.max(0, due - this.#clock.monotonic()), () => {
      void this.#renew();
    });
  }

  async #renew(signal = this.#stop.signal): Promise<void> {
    const id = this.#id;
    const now = this.#clock.monotonic();
    if (id === undefined) return;
    const left = this.#deadline - now;
    if (left <= 0) return this.#lost(leaseLost('it could not be renewed in time'));
    try {
      const answer = await this.#client.send({
        method: 'POST',
        url: `${this.#base}/api/v1/lease/${encodeURIComponent(id)}/renew`,
        timeoutMs: Math.min(this.#ttlMs / 3, left),
        signal,
        quiet: true,
      });
      if (this.#id !== id) return;
      const refusal = rejectionOf(answer);
      // A refusal is an answer: the bridge does not know the lease any more, or is not able to keep it.
      if (refusal !== undefined && answer.status < 500) return this.#lost(leaseLost(refusal, answer));
      if (refusal === undefined) {
        this.#deadline = answer.sentAt + this.#ttlMs;
        this.#observer.event({ type: 'lease', action: 'renew', leaseId: id, ttlMs: this.#ttlMs });
        this.#renewAt(answer.sentAt + this.#ttlMs / 3);
        return;
      }
    } catch (thrown) {
      if (this.#id !== id || signal.aborted) return;
      if (!(thrown instanceof RunFault)) return this.#lost(leaseLost(messageOf(thrown)));
    }
    // No answer yet: again soon, for as long as the bridge keeps the lease.
    this.#renewAt(Math.min(this.#clock.monotonic() + this.#ttlMs / 12, this.#deadline));
  }

  /**
   * Renews the lease now, and again until the bridge answers or its time is over; also once `stopRenewal` was
   * called. Never rejects.
   * @returns whether the bridge has confirmed that the lease is held; otherwise it is lost
   */
  async confirm(): Promise<boolean> {
    const id = this.#id;
    for (let before = this.#deadline; id !== undefined && this.#id === id; before = this.#deadline) {
      this.#cancelRenewal();
      await this.#renew(new AbortController().signal);
      if (this.#id !== id) return false;
      if (this.#stop.signal.aborted) this.#cancelRenewal();
      if (this.#deadline > before) return true;
      await this.#clock.sleep(CONFIRM_PAUSE_MS);
    }
    return false;
  }

  /**
   * The bridge has refused a call as not covered by a lease. @returns why, which ends the run; the loss is reported
   * once
   */
  refused(refusal: string, answer: Answer): RunFault {
    const fault = leaseLost(refusal, answer);
    this.#lost(fault);
    return fault;
  }

  /** The lease is gone: reported once. */
  #lost(fault: RunFault): void {
    const id = this.#id;
    if (id === undefined) return;
    this.#end();
    this.#observer.event({ type: 'lease', action: 'lost', leaseId: id, ttlMs: null });
    this.#observer.leaseLost(fault);
  }

  /** Renews no more: the safe state, which ends the lease, follows. */
  stopRenewal(): void {
    this.#cancelRenewal();
    this.#stop.abort();
  }

  #end(): void {
    this.#id = undefined;
    this.stopRenewal();
  }

  /** Gives the lease back. Never rejects: the bridge ends a lease that no one renews by itself. */
  async release(asIs: boolean): Promise<void> {
    const id = this.#id;
    if (id === undefined) return;
    this.#end();
    try {
      await this.#client.send({
        method: 'DELETE',
        url: `${this.#base}/api/v1/lease/${encodeURIComponent(id)}${asIs ? '?safe=false' : ''}`,
        timeoutMs: asIs ? 2000 : 6000,
      });
    } catch (thrown) {
      this.#observer.warning(`the lease could not be released: ${messageOf(thrown)}; it will expire`);
    }
    this.#observer.event({ type: 'lease', action: 'release', leaseId: id, ttlMs: null });
  }
}

/** Why nothing more is actuated: an operator's stop aborts the run, anything else is an error of it. */
function leaseLost(reason: string, answer?: Answer): RunFault {
  const stop = isRecord(answer?.json) ? answer.json.operator_stop : undefined;
  const options = { scope: 'run', leaseLost: true } as const;
  if (!isRecord(stop))
    return new RunFault('SCN408', `the lease was lost: ${reason}; no further command is sent`, options);
  const why = `${stop.by} stopped the rig at ${stop.at} (${stop.reason})`;
  return new RunFault('SCN412', `the run was aborted: ${why}; no further command is sent`, options);
}

function holderOf(json: unknown): string | undefined {
  const owner = isRecord(json) ? (json.owner ?? json.holder) : undefined;
  return typeof owner === 'string' ? owner : undefined;
}

function describeHolder(json: unknown): string {
  const owner = holderOf(json);
  if (owner === undefined || !isRecord(json)) return '';
  const left = typeof json.expires_in_ms === 'number' ? `, for ${Math.ceil(json.expires_in_ms)} ms more` : '';
  return ` (held by ${owner}${left})`;
}
