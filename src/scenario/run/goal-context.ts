import type { EventBody, Outcome } from '../events/event.ts';
import type { Instruction } from '../program/instruction.ts';
import type { ProgramBlock } from '../program/program.ts';
import { walk } from '../program/walk.ts';
import type { RunFault } from '../rig/fault.ts';
import type { Pos } from '../source/position.ts';
import { BoundBook } from './bounds.ts';
import { CheckNames } from './check-names.ts';
import type { Place } from './event-log.ts';
import type { Measured } from './measured.ts';
import { worse } from './outcome.ts';
import type { RunContext } from './run-context.ts';
import type { Sampler } from './sampler.ts';
import { fixedKeyOf } from './target.ts';

export type VerdictText = Extract<Instruction, { op: 'verdict-text' }>;

/** The result of one check, as its event reports it. */
export type CheckResult = Omit<Extract<EventBody, { type: 'check' }>, 'type'>;

/** One attempt at one block: its clock, its readings, its bounds, its verdict. */
export class GoalContext {
  readonly run: RunContext;
  readonly block: ProgramBlock;
  readonly attempt: number;
  readonly signal: AbortSignal;
  /** Ends the goal with a fault found in the background. */
  readonly abort: (fault: RunFault) => void;
  /** Monotonic ms. */
  readonly startedAt: number;
  readonly bounds: BoundBook;
  /** Running and ended windows by key of the sampled thing; the last one counts. */
  readonly samplers = new Map<string, Sampler>();
  /** Names of commands that failed or erred in this goal. */
  readonly failures = new Set<string>();
  readonly verdictTexts = new Set<VerdictText>();
  /** Verdict of each parameter that was checked, by the names it goes by. */
  readonly verdicts = new Map<string, Outcome>();
  #timerStartedAt: number;
  #checkNames: CheckNames | undefined;
  readonly #lastByKey = new Map<string, Measured>();
  lastReading: Measured | undefined;
  outcome: Outcome = 'passed';
  message: string | undefined;
  checks = 0;
  failedChecks = 0;
  /** A prompt that a person answered with no, or not in time: without a check it leaves no verdict. */
  declined: string | undefined;
  /** Times an IF was evaluated that has a branch ending in ERROR. */
  errorConditions = 0;

  constructor(
    run: RunContext,
    block: ProgramBlock,
    attempt: number,
    signal: AbortSignal,
    abort: (fault: RunFault) => void,
  ) {
    this.run = run;
    this.block = block;
    this.attempt = attempt;
    this.signal = signal;
    this.abort = abort;
    this.startedAt = run.clock.monotonic();
    this.#timerStartedAt = this.startedAt;
    const planned = [...walk(block.instructions)].filter((one) => one.op === 'bound');
    this.bounds = new BoundBook(planned, ({ subject }) => fixedKeyOf(subject, run));
  }

  place(pos: Pos | null): Place {
    return { goal: this.block.index, pos };
  }

  /** Moment of the monotonic clock at which `Timer` shows 0: the start of the goal, or the last SET timer. */
  get timerStartedAt(): number {
    return this.#timerStartedAt;
  }

  /** Milliseconds that `Timer` shows. */
  timerMs(): number {
    return this.run.clock.monotonic() - this.#timerStartedAt;
  }

  resetTimer(): void {
    this.#timerStartedAt = this.run.clock.monotonic();
  }

  /** The last reading of a parameter in this goal. */
  last(key: string): Measured | undefined {
    return this.#lastByKey.get(key);
  }

  /** @param background a sample point: it is the last of its sensor, but not what SAVE without a name means */
  remember(measured: Measured, background = false): void {
    this.#lastByKey.set(measured.key, measured);
    if (!background) this.lastReading = measured;
  }

  /** Counts a check of an instruction of this block and reports it. */
  judge(result: CheckResult, instruction: Instruction, names: readonly string[]): void {
    this.checks++;
    if (result.outcome === 'failed') this.failedChecks++;
    this.add(result.outcome, result.message);
    for (const name of names)
      this.verdicts.set(name, worse(this.verdicts.get(name) ?? 'passed', result.outcome));
    this.#checkNames ??= new CheckNames(this.block.instructions);
    const name = this.#checkNames.of(instruction);
    const place = this.place(instruction.pos);
    this.run.emit({ type: 'check', ...(name === undefined ? {} : { name }), ...result }, place);
  }

  /** Takes the outcome of a part; the message of the first of the worst parts is kept. */
  add(outcome: Outcome, message?: string): void {
    const next = worse(this.outcome, outcome);
    if (next !== this.outcome && message !== undefined) this.message = message;
    this.outcome = next;
  }
}
