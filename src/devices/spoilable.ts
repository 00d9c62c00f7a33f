/** Whatever answers in a twin and can be told to spoil its answers. */
export abstract class Spoilable<Fault extends object> {
  #once: Fault[] = [];
  #each: (() => Fault) | undefined;

  /** Spoils the answers to the next requests, one fault for each. */
  faultOnce(...faults: Fault[]): void {
    this.#once.push(...faults);
  }

  /** Spoils every answer as `draw` says, until another source or undefined is given. */
  faultEach(draw: (() => Fault) | undefined): void {
    this.#each = draw;
  }

  /** What is to be done to the answer to a request that has just come: of both kinds, the single one counts more. */
  protected drawnFault(): Partial<Fault> {
    return { ...this.#each?.(), ...this.#once.shift() };
  }

  protected forgetFaults(): void {
    this.#once = [];
    this.#each = undefined;
  }
}
