/** What several users hold at once: made for the first of them, ended when the last one lets go, and never two at a time. */
export class Shared<T> {
  readonly #make: () => Promise<T>;
  readonly #end: (value: T) => Promise<void>;
  #current: { users: number; value: Promise<T> } | undefined;
  #ending: Promise<void> = Promise.resolve();

  constructor(make: () => Promise<T>, end: (value: T) => Promise<void>) {
    this.#make = make;
    this.#end = end;
  }

  /** @param release to be called once by each user. @throws whatever making it throws; the next user has it made anew */
  async take(): Promise<{ value: T; release: () => Promise<void> }> {
    this.#current ??= { users: 0, value: this.#ending.then(this.#make) };
    const one = this.#current;
    one.users += 1;
    const release = async () => {
      one.users -= 1;
      if (one.users > 0) return;
      if (this.#current === one) this.#current = undefined;
      this.#ending = one.value.then(this.#end).catch(() => {});
      await this.#ending;
    };
    try {
      return { value: await one.value, release };
    } catch (fault) {
      // Whoever comes now must not meet the failure of before.
      if (this.#current === one) this.#current = undefined;
      await release();
      throw fault;
    }
  }
}
