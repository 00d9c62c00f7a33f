import type { ProgramBlock } from '../program/program.ts';
import { edgesOf, reachable } from './block-graph.ts';
import { join, type Reached, type State, sameState } from './state.ts';

/** Visits of a block after which variables that still grow are widened. */
const WIDENING_AFTER_VISITS = 20;

/** A block that may be entered in a way that was not looked at yet. */
export interface Entry {
  readonly index: number;
  readonly block: ProgramBlock;
  readonly state: State;
  /** What may be true when it is entered not for the first time. */
  readonly again: Reached;
}

/** In which states the blocks of a run may be entered, and which of them are still to be walked through. */
export class Entries {
  readonly #blocks: readonly ProgramBlock[];
  readonly #after: ReadonlyMap<number, ReadonlySet<number>>;
  readonly #states = new Map<number, State>();
  readonly #again = new Map<number, State>();
  readonly #visits = new Map<number, number>();
  readonly #open: number[] = [];

  constructor(blocks: readonly ProgramBlock[]) {
    this.#blocks = blocks;
    this.#after = reachable(edgesOf(blocks));
  }

  /** True for a block that the run may come back to by GOTO. */
  isInCircle(index: number): boolean {
    return this.#after.get(index)?.has(index) === true;
  }

  /** @param from the block that leads there; -1 for the start */
  add(index: number, state: State, from: number): void {
    const isNew = this.#grow(this.#states, index, state);
    const comesAgain = this.#after.get(index)?.has(from) === true && this.isInCircle(index);
    const isNewAgain = comesAgain && this.#grow(this.#again, index, state);
    if ((isNew || isNewAgain) && !this.#open.includes(index)) this.#open.push(index);
  }

  next(): Entry | undefined {
    const index = this.#open.shift();
    if (index === undefined) return undefined;
    const block = this.#blocks[index];
    const state = this.#states.get(index);
    if (!block || !state) return this.next();
    this.#visits.set(index, (this.#visits.get(index) ?? 0) + 1);
    return { index, block, state, again: this.#again.get(index) };
  }

  /** @returns false when nothing was added */
  #grow(states: Map<number, State>, index: number, state: State): boolean {
    const known = states.get(index);
    const joined = join(known, state) ?? state;
    const isWidened = (this.#visits.get(index) ?? 0) >= WIDENING_AFTER_VISITS;
    const variables = known && isWidened ? known.variables.widen(joined.variables) : joined.variables;
    const grown = { ...joined, variables };
    if (known && sameState(known, grown)) return false;
    states.set(index, grown);
    return true;
  }
}
