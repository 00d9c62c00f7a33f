import type { Command } from './command.ts';
import { inUnit } from './convert-reading.ts';
import { judgeBounds, unitOfBounds } from './judge-bounds.ts';
import type { Measured } from './measured.ts';
import { read } from './readings.ts';
import type { RunContext } from './run-context.ts';
import type { Target } from './target.ts';
import type { StoredVariable } from './variables.ts';

/** A fresh reading, judged by the bounds of the goal. */
export async function readAndJudge(
  target: Target,
  unit: string | undefined,
  command: Command,
): Promise<Measured> {
  const { goal } = command;
  const asked = unit ?? unitOfBounds(target.key, goal);
  const measured = await command.timed((signal) =>
    read(target, { unit: asked, signal, pos: command.pos }, goal),
  );
  if (!judgeBounds(measured, goal)) command.add('failed', goal.message);
  return measured;
}

/** A reading as a variable. It keeps its raw value, so that it can be asked in every unit that the sensor can. */
export function variableOf(measured: Measured, run: RunContext): StoredVariable {
  const { value, unit, simulated, measure } = measured;
  const sensor = run.registry.sensor(measured.key);
  const scale = run.scaleOf(sensor);
  const recompute = scale ? (asked: string) => inUnit(measured, asked, scale).value : measured.recompute;
  return {
    value,
    ...(unit === null ? {} : { unit }),
    ...(simulated ? { simulated } : {}),
    measure,
    recompute,
  };
}
