/** What the converter of a twin gave last, for the fault of one that stands still while its device goes on answering. */
export class FrozenCodes<T> {
  readonly #last = new Map<number, T>();

  /** @param measure the true code @returns that of before while it is frozen, where there is one */
  code(channel: number, isFrozen: boolean, measure: () => T): T {
    const last = this.#last.get(channel);
    if (isFrozen && last !== undefined) return last;
    const code = measure();
    this.#last.set(channel, code);
    return code;
  }
}
