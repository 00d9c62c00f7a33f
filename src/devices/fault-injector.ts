/** Base of everything in a twin that answers requests and can inject faults into its answers. */
export abstract class FaultInjector<Fault extends object> {
  #once: Fault[] = [];
  #each: (() => Fault) | undefined;

  /** Injects faults into the answers to the next requests, one fault for each. */
  faultOnce(...faults: Fault[]): void {
    this.#once.push(...faults);
  }

  /** Injects the fault drawn by `draw` into every answer, until another source or undefined is given. */
  faultEach(draw: (() => Fault) | undefined): void {
    this.#each = draw;
  }

  /** The fault for the answer to the current request; a single fault overrides a drawn one. */
  protected drawnFault(): Partial<Fault> {
    return { ...this.#each?.(), ...this.#once.shift() };
  }

  protected forgetFaults(): void {
    this.#once = [];
    this.#each = undefined;
  }
}
