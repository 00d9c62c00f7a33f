import type { ServerResponse } from 'node:http';

/** The requests of one service that are not answered yet, so that it can stop in order. */
export class RunningRequests {
  readonly #responses = new Set<ServerResponse>();
  readonly #streams = new Map<ServerResponse, () => void>();
  #onEmpty: (() => void) | undefined;
  #stopping = false;

  /** From here on connections are closed with the answer they wait for. */
  get stopping(): boolean {
    return this.#stopping;
  }

  add(response: ServerResponse): void {
    this.#responses.add(response);
  }

  /** An answer without end: it is ended by a signal. */
  addStream(response: ServerResponse, end: () => void): void {
    if (this.#stopping) end();
    else if (this.#responses.has(response)) this.#streams.set(response, end);
  }

  delete(response: ServerResponse): void {
    this.#responses.delete(response);
    this.#streams.delete(response);
    if (this.#responses.size === 0) this.#onEmpty?.();
  }

  /** Ends the streams; the other requests go on. */
  stop(): void {
    this.#stopping = true;
    for (const end of [...this.#streams.values()]) end();
  }

  /** Resolves when every answer is out. */
  async finished(): Promise<void> {
    if (this.#responses.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#onEmpty = resolve;
    });
  }
}
