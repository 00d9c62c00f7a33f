import { request } from '../../api/request.ts';

/** The lease lasts 3 s. */
const RENEW_MS = 1000;

/** Manual control: a lease that is renewed for as long as the view is open, and ends with it. */
export class ManualLease {
  readonly id: string;
  readonly #timer: ReturnType<typeof setInterval>;
  readonly #leave = () => this.#end();
  #isOver = false;
  /** What was switched on here: a valve by its id, or the pump. */
  #on: { valve: string } | 'pump' | undefined;

  /** @param onLost the lease ended without being given back @throws RequestError */
  static async take(by: string, onLost: (fault: unknown) => void): Promise<ManualLease> {
    const { lease_id: id } = await request<{ lease_id: string }>('/api/manual', { body: { by } });
    return new ManualLease(id, onLost);
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
    if (open) await this.#switchOff(id);
    // It counts as on from here: whether a command that failed has acted is not known.
    if (open) this.#on = { valve: id };
    await this.#setValve(id, open);
    if (!open && typeof this.#on === 'object' && this.#on.valve === id) this.#on = undefined;
  }

  /** What was on before is switched off first. @param percent 0..100 @throws RequestError */
  async pump(percent: number): Promise<void> {
    if (percent > 0) await this.#switchOff('pump');
    if (percent > 0) this.#on = 'pump';
    await this.#setPump(percent);
    if (percent === 0 && this.#on === 'pump') this.#on = undefined;
  }

  /** @param next what shall be on */
  async #switchOff(next: string): Promise<void> {
    const on = this.#on;
    if (on === undefined || on === next || (typeof on === 'object' && on.valve === next)) return;
    if (on === 'pump') await this.#setPump(0);
    else await this.#setValve(on.valve, false);
    this.#on = undefined;
  }

  async #setValve(id: string, open: boolean): Promise<void> {
    await request(`${this.#path('valve')}/${encodeURIComponent(id)}?open=${open}`, { method: 'POST' });
  }

  async #setPump(percent: number): Promise<void> {
    await request(`${this.#path('pump')}?power_pct=${percent}`, { method: 'POST' });
  }

  /** Gives the lease back: the rig is made safe. Never rejects; without an answer the lease ends by itself after 3 s. */
  async end(): Promise<void> {
    if (this.#isOver) return;
    this.#close();
    await request(this.#path('end'), { method: 'POST' }).catch(() => {});
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
  }

  #path(what: string): string {
    return `/api/manual/${encodeURIComponent(this.id)}/${what}`;
  }
}
