import { operationOf } from '../commands/table.ts';
import type { Outcome } from '../events/event.ts';
import type { Instruction } from '../program/instruction.ts';
import { endingRun, type RunFault, toFault } from '../rig/fault.ts';
import { type BodyEnd, Command, type Flow } from './command.ts';
import type { GoalContext } from './goal-context.ts';
import { worse } from './outcome.ts';

/** Commands after which others have their turn: a loop of commands that wait for nothing would keep them from it. */
const TURN_EVERY = 200;

/** Runs instructions one after the other. @throws RunFault, after the command that met it was told */
export async function runBody(instructions: readonly Instruction[], goal: GoalContext): Promise<BodyEnd> {
  let outcome: Outcome = 'passed';
  for (const instruction of instructions) {
    goal.run.place = goal.place(instruction.pos);
    if (instruction.op === 'step') {
      await operationOf(instruction).run(instruction, new Command(instruction, goal, runBody));
      continue;
    }
    const { outcome: one, flow } = await runCommand(instruction, goal);
    outcome = worse(outcome, one);
    if (flow) return { outcome, flow };
  }
  return { outcome, flow: undefined };
}

async function runCommand(
  instruction: Exclude<Instruction, { op: 'step' }>,
  goal: GoalContext,
): Promise<{ outcome: Outcome; flow: Flow }> {
  const { run } = goal;
  const { command: name, text, pos } = instruction;
  const command = new Command(instruction, goal, runBody);
  const place = goal.place(pos);
  goal.signal.throwIfAborted();
  if (++run.commands % TURN_EVERY === 0) await new Promise<void>((resolve) => setImmediate(resolve));
  run.emit({ type: 'command.start', command: name, text }, place);
  const startedAt = run.clock.monotonic();
  let flow: Flow;
  let fault: RunFault | undefined;
  try {
    flow = await run.executor.execute(instruction, command);
    goal.signal.throwIfAborted();
  } catch (thrown) {
    fault = faultOf(thrown, instruction);
    command.add(fault.aborted ? 'aborted' : 'error', fault.message);
    if (!fault.aborted) for (const one of command.names) run.erred.add(one);
  }
  run.place = place;
  if (command.outcome === 'failed') for (const one of command.names) goal.failures.add(one);
  run.emit(
    {
      type: 'command.end',
      command: name,
      text,
      outcome: command.outcome,
      durationMs: Math.round((run.clock.monotonic() - startedAt) * 1000) / 1000,
      code: fault?.scn ?? null,
      message: command.message ?? null,
    },
    place,
  );
  if (!fault) return { outcome: command.outcome, flow };
  run.report(fault, place, instruction.stack);
  throw fault;
}

function faultOf(thrown: unknown, instruction: Instruction): RunFault {
  const fault = toFault(thrown);
  return operationOf(instruction).endsRun ? endingRun(fault) : fault;
}
