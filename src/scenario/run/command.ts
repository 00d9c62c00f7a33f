import type { EventBody, Outcome } from '../events/event.ts';
import type { Instruction } from '../program/instruction.ts';
import { RunFault } from '../rig/fault.ts';
import type { Pos } from '../source/position.ts';
import type { Place } from './event-log.ts';
import type { GoalContext } from './goal-context.ts';
import { worse } from './outcome.ts';
import type { RunContext } from './run-context.ts';
import { TimeLimit } from './time-limit.ts';

/** Where a goal goes on after a command; undefined for the next one. */
export type Flow = { readonly to: 'end' } | { readonly to: 'goal'; readonly goal: string } | undefined;

/** Runs a list of instructions inside a command. */
export type RunBody = (instructions: readonly Instruction[], goal: GoalContext) => Promise<BodyEnd>;

export interface BodyEnd {
  readonly outcome: Outcome;
  readonly flow: Flow;
}

/** One execution of one instruction. */
export class Command {
  readonly instruction: Instruction;
  readonly goal: GoalContext;
  readonly runBody: RunBody;
  outcome: Outcome = 'passed';
  message: string | undefined;

  constructor(instruction: Instruction, goal: GoalContext, runBody: RunBody) {
    this.instruction = instruction;
    this.goal = goal;
    this.runBody = runBody;
  }

  get run(): RunContext {
    return this.goal.run;
  }

  get pos(): Pos {
    return this.instruction.pos;
  }

  get place(): Place {
    return this.goal.place(this.pos);
  }

  emit(body: EventBody): void {
    this.run.emit(body, this.place);
  }

  /** Takes the outcome of a part of this command. */
  add(outcome: Outcome, message?: string): void {
    const next = worse(this.outcome, outcome);
    if (next !== this.outcome && message !== undefined) this.message = message;
    this.outcome = next;
  }

  /** Notes what this command was about, for IF_FAIL. */
  about(...names: readonly string[]): void {
    for (const name of names) this.names.add(name);
  }

  readonly names = new Set<string>();

  /** Work under the command time-out (SCN407), or until the goal is ended. */
  async timed<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { clock, settings } = this.run;
    const ms = settings.timeouts.commandMs;
    const reason = () =>
      new RunFault('SCN407', `${this.instruction.command} took more than the command time-out of ${ms} ms`);
    const limit = new TimeLimit([this.goal.signal], clock, ms, reason);
    try {
      return await work(limit.signal);
    } finally {
      limit.end();
    }
  }

  /** Runs a body inside this command. */
  async body(instructions: readonly Instruction[]): Promise<Flow> {
    const { outcome, flow } = await this.runBody(instructions, this.goal);
    this.outcome = worse(this.outcome, outcome);
    return flow;
  }
}
