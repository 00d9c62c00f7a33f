import { RequestError, request } from '../../api/request.ts';
import type { ConnectionState } from '../../live/connection.ts';
import { connection } from '../../live/state.ts';

/** The lease lasts 3 s. */
const RENEW_MS = 1000;

/** The lease had ended before it was given back: the bridge has made the rig safe, or reports that it could not. */
const OVER: ReadonlySet<string> = new Set(['lease_gone', 'lease_lost']);

/** Manual control: a lease that is renewed for as long as somebody sees what it does, and ends with the view. */
export class ManualLease {
  readonly id: string;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #leave = () => this.#end();
  #unwatch = () => {};
  #isOver = false;
  /** What was switched on here: a valve by its id, or the pump. */
  #on: { valve: string } | 'pump' | undefined;
  /** Commands to switch off, counted: one takes back each command to switch on that is not sent yet. */
  #offs = 0;

  /** @param onLost the lease ended without being given back @throws RequestError */
  static async take(by: string, onLost: (fault: unknown) => void): Promise<ManualLease> {
    const { lease_id: id } = await request<{ lease_id: string }>('/api/manual', { body: { by } });
    const lease = new ManualLease(id, onLost);
    const unseen = unseenBy(connection.value);
    if (unseen) {
      lease.#end();
      throw unseen;
    }
    lease.#unwatch = connection.subscribe((state) => {
      const fault = unseenBy(state);
      if (!fault) return;
      lease.#end();
      onLost(fault);
    });
    return lease;
  }

  private constructor(id: string, onLost: (fault: unknown) => void) {
    this.id = id;
    this.#timer = setInterval(() => {
      request(this.#path('renew'), { method: 'POST', timeoutMs: 2000 }).catch((fault: unknown) => {
        if (this.#isOver) return;
        this.#close();
        onLost(fault);
      });
    }, RENEW_MS);
    addEventListener('pagehide', this.#leave);
  }

  /** What was on before is switched off first. @throws RequestError */
  async valve(id: string, open: boolean): Promise<void> {
    if (open) {
      if (!(await this.#switchOff(id))) return;
    } else this.#offs += 1;
    // It counts as on from here: whether a command that failed has acted is not known.
    if (open) this.#on = { valve: id };
    await this.#setValve(id, open);
    if (!open && typeof this.#on === 'object' && this.#on.valve === id) this.#on = undefined;
  }

  /** What was on before is switched off first. @param percent 0..100 @throws RequestError */
  async pump(percent: number): Promise<void> {
    if (percent > 0) {
      if (!(await this.#switchOff('pump'))) return;
    } else this.#offs += 1;
    if (percent > 0) this.#on = 'pump';
    await this.#setPump(percent);
    if (percent === 0 && this.#on === 'pump') this.#on = undefined;
  }

  /** @param next what shall be on @returns false when something was switched off by a command meanwhile */
  async #switchOff(next: string): Promise<boolean> {
    const on = this.#on;
    if (on === undefined || on === next || (typeof on === 'object' && on.valve === next)) return true;
    const offs = this.#offs;
    if (on === 'pump') await this.#setPump(0);
    else await this.#setValve(on.valve, false);
    this.#on = undefined;
    return offs === this.#offs;
  }

  async #setValve(id: string, open: boolean): Promise<void> {
    await request(`${this.#path('valve')}/${encodeURIComponent(id)}?open=${open}`, { method: 'POST' });
  }

  async #setPump(percent: number): Promise<void> {
    await request(`${this.#path('pump')}?power_pct=${percent}`, { method: 'POST' });
  }

  /**
   * Gives the lease back: the rig is made safe. Without an answer the lease ends by itself after 3 s.
   * @throws RequestError also where the safe state is not proven
   */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#close();
    await request(this.#path('end'), { method: 'POST' }).catch((fault: unknown) => {
      if (!(fault instanceof RequestError && OVER.has(fault.code))) throw fault;
    });
  }

  /** When the page is left: the request outlives it. */
  #end(): void {
    if (this.#isOver) return;
    this.#close();
    void fetch(this.#path('end'), { method: 'POST', keepalive: true }).catch(() => {});
  }

  #close(): void {
    this.#isOver = true;
    clearInterval(this.#timer);
    removeEventListener('pagehide', this.#leave);
    this.#unwatch();
  }

  #path(what: string): string {
    return `/api/manual/${encodeURIComponent(this.id)}/${what}`;
  }
}

/** A hidden tab has no stream: without one nobody sees on this page what the rig does. */
function unseenBy({ kind }: ConnectionState): RequestError | undefined {
  if (kind === 'paused') return new RequestError('lease_unseen', 'this page was hidden');
  return kind === 'lost' ? new RequestError('lease_unseen', 'the connection to the rig was lost') : undefined;
}
