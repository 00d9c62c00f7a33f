export interface Received {
  id: string;
  event: string;
  data: Record<string, unknown>;
}

/** A reader of server-sent events that can be cut. */
export class EventReader {
  readonly received: Received[] = [];
  comments = 0;
  /** Data of the events `alive`, which are no events of the run. */
  readonly alive: Record<string, unknown>[] = [];
  retryMs: number | undefined;
  readonly status: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined;
  readonly #stop: AbortController;
  #rest = '';

  static async open(url: string, lastEventId?: string): Promise<EventReader> {
    const stop = new AbortController();
    const response = await fetch(url, {
      signal: stop.signal,
      headers: lastEventId === undefined ? {} : { 'last-event-id': lastEventId },
    });
    return new EventReader(response, stop);
  }

  private constructor(response: Response, stop: AbortController) {
    this.status = response.status;
    this.#reader = response.body?.getReader();
    this.#stop = stop;
  }

  /** Reads what comes next. @returns false at the end */
  async read(): Promise<boolean> {
    const next = await this.#reader?.read();
    if (!next || next.done) return false;
    this.#rest += Buffer.from(next.value).toString('utf8');
    const blocks = this.#rest.split('\n\n');
    this.#rest = blocks.pop() ?? '';
    for (const block of blocks) this.#take(block);
    return true;
  }

  async untilEnd(): Promise<void> {
    while (await this.read());
  }

  async until(type: string): Promise<void> {
    while (!this.received.some(({ event }) => event === type))
      if (!(await this.read())) throw new Error(`the stream ended without ${type}`);
  }

  /** Breaks the connection off. */
  cut(): void {
    this.#stop.abort();
  }

  #take(block: string): void {
    if (block.startsWith(':')) {
      this.comments += 1;
      return;
    }
    const fields = Object.fromEntries(
      block.split('\n').map((line) => {
        const at = line.indexOf(': ');
        return [line.slice(0, at), line.slice(at + 2)];
      }),
    );
    const { id = '', event = '', data = '', retry } = fields;
    if (retry !== undefined) this.retryMs = Number(retry);
    else if (event === 'alive') this.alive.push(JSON.parse(data));
    else this.received.push({ id, event, data: JSON.parse(data) });
  }
}
