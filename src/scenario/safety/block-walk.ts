import { operationOf } from '../commands/table.ts';
import type { Instruction } from '../program/instruction.ts';
import type { ProgramBlock } from '../program/program.ts';
import { walk } from '../program/walk.ts';
import { formatDuration } from '../values/duration.ts';
import type { Analysis } from './analysis.ts';
import { takingTurn } from './rig-states.ts';
import { join, mapRigStates, type Reached, type State } from './state.ts';

/** How a block may be left. */
export interface BlockExits {
  /** By its end, or by ERROR alone: its verdict decides how the run goes on. */
  readonly ended: Reached;
  /** By an error, which ends the goal and not the run. */
  readonly failed: Reached;
  /** By GOTO, by the goal as written. */
  readonly jumps: ReadonlyMap<string, State>;
  /** Longest time of one attempt, ms. */
  readonly longestMs: number;
}

/** For the point that is on its way, ms. */
const SAMPLING_END_MS = 10_000;

type WalkBody = (body: readonly Instruction[], start: Reached, walk: BlockWalk) => Reached;

/** One attempt at a block: what the walk through its instructions gathers on the way. */
export class BlockWalk {
  readonly analysis: Analysis;
  readonly block: ProgramBlock;
  #ended: Reached;
  #failed: Reached;
  readonly #jumps = new Map<string, State>();
  readonly #limitMs: number;
  readonly #walkBody: WalkBody;
  #longestMs = 0;
  /** SET timer stands in the block: the timer may show less than the time gone by. */
  readonly resetsTimer: boolean;

  /** @param limitMs the time-out that ends the block */
  constructor(analysis: Analysis, block: ProgramBlock, limitMs: number, walkBody: WalkBody) {
    this.analysis = analysis;
    this.block = block;
    this.#limitMs = limitMs;
    this.#walkBody = walkBody;
    this.resetsTimer = walk(block.instructions).some(({ op }) => op === 'reset-timer');
  }

  /** What follows from running a body inside an instruction. */
  body(body: readonly Instruction[], start: Reached): Reached {
    return this.#walkBody(body, start, this);
  }

  /** The rest of the block is left out: ERROR alone, or its end. */
  end(state: Reached): void {
    this.#ended = join(this.#ended, state);
  }

  /**
   * An error that ends the goal; in a CONFIG block before the goals it ends the run. A teardown block ends with any
   * error, and the next one follows.
   */
  fail(state: State, turn: string): void {
    const there = mapRigStates(state, takingTurn(turn));
    if (this.block.kind === 'CONFIG' && !this.block.teardown) this.analysis.cut(there);
    else this.#failed = join(this.#failed, there);
  }

  /** An error that ends the run, or in the teardown the block. */
  failRun(state: State, turn: string): void {
    if (this.block.teardown) this.fail(state, turn);
    else this.analysis.cut(mapRigStates(state, takingTurn(turn)));
  }

  jump(goal: string, state: State): void {
    const joined = join(this.#jumps.get(goal), state);
    if (joined) this.#jumps.set(goal, joined);
  }

  /** Time goes by: `state` after it, noting that the goal time-out may fire. */
  spend(state: State, ms: number, instruction: Instruction): State {
    const elapsedMs = state.elapsedMs + ms;
    this.#longestMs = Math.max(this.#longestMs, elapsedMs);
    if (elapsedMs >= this.#limitMs) this.#timeOut(state, instruction);
    return ms === 0 ? state : { ...state, elapsedMs };
  }

  /** Before an instruction: a fault of a sampling may have ended the goal meanwhile. */
  enter(state: State, instruction: Instruction): void {
    if (state.sampling)
      this.fail(
        state,
        `the sampling fails before ${this.analysis.placeOf(instruction)} and ends ${this.name}`,
      );
  }

  /** An instruction that may end in an error, after which nothing of it is known to have happened. */
  mayFail(state: State, instruction: Instruction): void {
    this.fail(state, `${this.analysis.placeOf(instruction)} ends in an error and ends ${this.name}`);
  }

  ownMs(instruction: Instruction): number {
    return instruction.op === 'step' ? 0 : operationOf(instruction).cost(instruction, this.analysis.timeouts);
  }

  placeOf(instruction: Instruction): string {
    return this.analysis.placeOf(instruction);
  }

  get name(): string {
    return `"${this.block.name}"`;
  }

  /** Longest time since the block began, ms, anywhere in what was walked through so far. */
  get longestMs(): number {
    return this.#longestMs;
  }

  /** After the last instruction the samplings that still run are ended. */
  finish(state: State): void {
    if (state.sampling) {
      this.#longestMs += SAMPLING_END_MS;
      this.fail(state, `the sampling fails at the end of ${this.name}`);
    }
    this.end(state);
  }

  exits(): BlockExits {
    return { ended: this.#ended, failed: this.#failed, jumps: this.#jumps, longestMs: this.#longestMs };
  }

  #timeOut(state: State, instruction: Instruction): void {
    const limit = formatDuration(this.#limitMs);
    this.fail(state, `a time-out of ${limit} ends ${this.name} at ${this.analysis.placeOf(instruction)}`);
  }
}
