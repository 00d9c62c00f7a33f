/** Transfers one after the other, in order of the calls. One that is given up before its turn is left out. */
export class TransferTurns {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(transfer: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = this.#last.then(() => {
      signal?.throwIfAborted();
      return transfer();
    });
    this.#last = turn.catch(() => {});
    return turn;
  }
}
