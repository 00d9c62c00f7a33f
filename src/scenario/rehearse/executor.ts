import { CATALOGUE } from '../diagnostics/catalogue.ts';
import { replacedUnread } from '../program/compile/replaced-bounds.ts';
import type { Instruction } from '../program/instruction.ts';
import { endingRun, RunFault, toFault } from '../rig/fault.ts';
import type { Command, Flow } from '../run/command.ts';
import { endWindows } from '../run/complete-goal.ts';
import { executor as asSpecified, type Executor } from '../run/executor.ts';
import type { GoalContext } from '../run/goal-context.ts';
import { judgeBound, unitOfBounds } from '../run/judge-bounds.ts';
import { read } from '../run/readings.ts';
import { targetOf } from '../run/target.ts';
import { linkStatistics } from './derived.ts';
import { follow } from './follow.ts';
import type { Pass } from './pass.ts';

type Executable = Exclude<Instruction, { op: 'step' }>;

/**
 * How commands run in a rehearsal: as on a rig, but a command that only the configuration
 * of this rig rules out is skipped, a LOOP WHILE goes round once, and a bound that nothing has read gets a reading.
 */
export class RehearsalExecutor implements Executor {
  readonly #pass: Pass;

  constructor(pass: Pass) {
    this.#pass = pass;
  }

  async execute(instruction: Executable, command: Command): Promise<Flow> {
    this.#pass.enter(instruction, command.goal);
    const followUp = await this.#prepare(instruction, command);
    try {
      const flow = await this.#perform(instruction, command);
      followUp();
      return flow;
    } catch (thrown) {
      const fault = instruction.op === 'actuate' ? endingRun(toFault(thrown)) : toFault(thrown);
      if (CATALOGUE[fault.scn].severity !== 'R') throw fault;
      command.run.report(fault, command.place, instruction.stack, 'warning');
      if (!this.#isSkipped(fault, instruction, command)) throw fault;
      command.add('skipped', fault.message);
      return undefined;
    }
  }

  async #prepare(instruction: Executable, command: Command): Promise<() => void> {
    try {
      return await follow(instruction, this.#pass, command);
    } catch (thrown) {
      // The command itself reports what cannot be resolved.
      if (thrown instanceof RunFault) return () => {};
      throw thrown;
    }
  }

  async #perform(instruction: Executable, command: Command): Promise<Flow> {
    if (instruction.op === 'not-executable') {
      command.add('skipped', instruction.reason);
      return undefined;
    }
    const isWhile = instruction.op === 'loop' && instruction.condition;
    return asSpecified.execute(isWhile ? { ...instruction, times: 1 } : instruction, command);
  }

  /** Nothing is sent to an actuator that this rig does not have, or whose scale is too small. */
  #isSkipped({ scn }: RunFault, instruction: Executable, { run }: Command): boolean {
    if (instruction.op === 'unknown-target')
      return !run.registry.peripheral(this.#pass.fill(instruction.target));
    return instruction.op === 'actuate' && scn !== 'SCN227';
  }

  async complete(goal: GoalContext, flow: Flow): Promise<void> {
    const open = [...goal.samplers.values()].filter(({ running }) => running);
    await endWindows(goal);
    for (const sampler of open) linkStatistics(sampler, this.#pass, goal);
    if (flow?.to === 'end') return;
    const { run } = goal;
    for (const { instruction, subject } of goal.bounds.unjudged())
      run.diagnose('SCN241', replacedUnread(instruction.form, subject.name), goal.place(instruction.pos));
    for (const { instruction, subject, key } of goal.bounds.unmet()) {
      run.diagnose(
        'SCN241',
        `${instruction.form} ${subject.name} is not read in this goal, so it is never evaluated`,
        goal.place(instruction.pos),
      );
      this.#pass.enter(instruction, goal);
      const ask = { unit: unitOfBounds(key, goal), signal: goal.signal, pos: instruction.pos };
      const measured = await read(targetOf(subject, run), ask, goal);
      for (const other of goal.bounds.activeFor(key)) if (!other.met) judgeBound(other, measured, goal);
    }
  }
}
