/** A connection as far as its place among the others is concerned. */
export interface Admitted {
  /** Ends it; it then leaves its pools. */
  shed(): void;
}

/**
 * Connections that share one limit. Those that have no request under way are ordered by how long they have had none: they
 * make room for new ones, first those that never sent a whole head, then those that only wait for another one.
 */
export class ConnectionPool<C extends Admitted> {
  readonly limit: number;
  readonly #all = new Set<C>();
  readonly #headless = new Set<C>();
  readonly #kept = new Set<C>();

  /** @param limit connections at once */
  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.#all.size;
  }

  add(connection: C): void {
    this.#all.add(connection);
    this.#headless.add(connection);
  }

  delete(connection: C): void {
    this.#all.delete(connection);
    this.#headless.delete(connection);
    this.#kept.delete(connection);
  }

  /** A request of it is under way, or the last one was answered. */
  noteBusy(connection: C, isBusy: boolean): void {
    this.#headless.delete(connection);
    this.#kept.delete(connection);
    if (!isBusy && this.#all.has(connection)) this.#kept.add(connection);
  }

  /** Makes room for one more. @returns false when all are busy and as many as may be */
  makeRoom(): boolean {
    if (this.#all.size < this.limit) return true;
    const [oldest = this.#kept.values().next().value] = this.#headless;
    if (!oldest) return false;
    oldest.shed();
    return true;
  }
}
