import type { Command } from './command.ts';
import { sleepUntil } from './sleep-until.ts';

/** Waits until a moment of the monotonic clock, told as an event; virtual in a dry-run. */
export async function pauseUntil(deadline: number, command: Command): Promise<void> {
  const { run, goal } = command;
  const ms = Math.max(0, Math.round((deadline - run.clock.monotonic()) * 1000) / 1000);
  command.emit({ type: 'wait', ms, virtual: run.dry });
  await quietPauseUntil(deadline, command, goal.signal);
}

/** The same without an event. */
export async function quietPauseUntil(
  deadline: number,
  command: Command,
  signal: AbortSignal,
): Promise<void> {
  const { clock, dry } = command.run;
  if (!dry) await sleepUntil(clock, deadline, signal);
  else await clock.sleep(Math.max(0, deadline - clock.monotonic()), signal);
}
