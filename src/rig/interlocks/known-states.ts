import type { StateOf } from './interlock.ts';

/** What a read-back contradicts: `lost` is off although it was commanded on, `unexpected` is on without a command. */
export type Deviation = 'lost' | 'unexpected';

/**
 * What is known of the actuators: the last confirmed command or read-back. A command under way makes its actuator
 * unknown, and so does one that failed, for it may have had an effect.
 */
export class KnownStates {
  readonly #states = new Map<string, boolean>();
  /** What a command has confirmed, as long as nothing else was seen. */
  readonly #commanded = new Map<string, boolean>();
  /** Changes with every begin and end of a command, so that nothing older can overwrite what came later. */
  readonly #marks = new Map<string, number>();
  readonly #underWay = new Set<string>();
  /** A command to switch it on was not confirmed: the next read-back shows its result. */
  readonly #doubtful = new Set<string>();

  /** True is on, open or moving; undefined is unknown. */
  readonly of: StateOf = (id) => this.#states.get(id);

  /** On by a command, and not seen to be off since. */
  isHeldOn(id: string): boolean {
    return this.#commanded.get(id) === true;
  }

  /** On by a command, or a command is being sent that may switch it on. */
  mayBeOn(id: string): boolean {
    return this.isHeldOn(id) || this.#underWay.has(id);
  }

  /**
   * A command is being sent.
   * @param wanted true for one that switches on
   * @returns to be called once with what was confirmed; undefined when nothing was
   */
  begin(id: string, wanted: boolean): (state: boolean | undefined) => void {
    const wasOn = this.isHeldOn(id);
    const mark = this.#mark(id);
    this.#states.delete(id);
    this.#commanded.delete(id);
    this.#doubtful.delete(id);
    this.#underWay.add(id);
    return (state) => {
      if (this.#marks.get(id) !== mark) return;
      this.confirm(id, state);
      if (state !== undefined || !wanted) return;
      // It may be as it was before, or as it was wanted: on is not a surprise.
      if (wasOn) this.#commanded.set(id, true);
      else this.#doubtful.add(id);
    };
  }

  /** The state is known from elsewhere, for example the safe state; undefined when it is not known any more. */
  confirm(id: string, state: boolean | undefined): void {
    this.#mark(id);
    this.#underWay.delete(id);
    this.#doubtful.delete(id);
    for (const known of [this.#states, this.#commanded]) {
      if (state === undefined) known.delete(id);
      else known.set(id, state);
    }
  }

  /**
   * A read-back is being asked for.
   * @returns takes what was read, unless a command came between, and returns what is wrong with it. `lost` is returned
   *   once; `unexpected` as long as it is read on and no command is confirmed
   */
  reading(id: string): (state: boolean) => Deviation | undefined {
    const mark = this.#marks.get(id);
    return (state) => {
      if (this.#marks.get(id) !== mark || this.#underWay.has(id)) return undefined;
      const wasOn = this.isHeldOn(id);
      this.#states.set(id, state);
      if (this.#doubtful.delete(id) && state) {
        this.#commanded.set(id, true);
        return undefined;
      }
      if (wasOn === state) return undefined;
      this.#commanded.delete(id);
      return wasOn ? 'lost' : 'unexpected';
    };
  }

  #mark(id: string): number {
    const mark = (this.#marks.get(id) ?? 0) + 1;
    this.#marks.set(id, mark);
    return mark;
  }
}
