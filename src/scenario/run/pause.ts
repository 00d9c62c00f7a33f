import type { Command } from './command.ts';
import { sleepUntil } from './sleep-until.ts';

/** Waits until a moment of the monotonic clock, reported as an event. */
export async function pauseUntil(deadline: number, command: Command): Promise<void> {
  const { run, goal } = command;
  const ms = Math.max(0, Math.round((deadline - run.clock.monotonic()) * 1000) / 1000);
  command.emit({ type: 'wait', ms, virtual: run.clock.isVirtual === true });
  await sleepUntil(run.clock, deadline, goal.signal);
}
