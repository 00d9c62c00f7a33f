import { VirtualClock } from '../../lib/clock/virtual-clock.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * A clock and a fetch for execute runs on a real bridge: time stands still while a request is on its way, so that what
 * happens at which moment does not depend on how busy the machine is.
 */
export class RequestPausedClock extends VirtualClock {
  override readonly isVirtual = false;
  #underWay = 0;

  constructor() {
    super(Date.UTC(2025, 0, 1));
  }

  readonly fetch = async (url: string, init?: RequestInit): Promise<Response> => {
    // Held open as long as the lease: no answer to wait for.
    if (url.endsWith('/line')) return globalThis.fetch(url, init);
    this.#underWay++;
    try {
      const { status, headers, ...response } = await this.#whole(url, init);
      return new Response(response.text === '' ? null : response.text, { status, headers });
    } finally {
      this.#underWay--;
    }
  };

  async #whole(url: string, init?: RequestInit) {
    const response = await globalThis.fetch(url, init);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  override async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    do await turn();
    while (this.#underWay > 0);
    await super.sleep(ms, signal);
  }
}

/** Options of a run under such a clock. */
export function patiently(): { clock: RequestPausedClock; fetch: RequestPausedClock['fetch'] } {
  const clock = new RequestPausedClock();
  return { clock, fetch: clock.fetch };
}
