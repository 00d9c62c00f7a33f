import type { Clock } from '../lib/clock/clock.ts';

/** Runs the stages of a build one after the other and prints how long each took. */
export class Stages {
  readonly #clock: Clock;
  readonly #print: (line: string) => void;

  constructor(clock: Clock, print: (line: string) => void) {
    this.#clock = clock;
    this.#print = print;
  }

  /** @param name what the stage makes, for the person who waits */
  async run<Made>(name: string, make: () => Promise<Made>): Promise<Made> {
    const startedAt = this.#clock.monotonic();
    const made = await make();
    const seconds = ((this.#clock.monotonic() - startedAt) / 1000).toFixed(1);
    this.#print(`${seconds.padStart(7)} s  ${name}`);
    return made;
  }
}
