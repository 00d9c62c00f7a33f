import type { Instruction } from '../../program/instruction.ts';
import { RunFault } from '../../rig/fault.ts';
import type { Command } from '../command.ts';
import { inUnit } from '../convert-reading.ts';
import { judgeBounds, unitOfBounds } from '../judge-bounds.ts';
import type { Measured } from '../measured.ts';
import { read } from '../readings.ts';
import type { RunContext } from '../run-context.ts';
import { setVariable } from '../set-variable.ts';
import { namesOf, type Target, targetOf } from '../target.ts';
import type { StoredVariable } from '../variables.ts';

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

/** GET, VAL */
export async function get(
  { subject, unit }: Extract<Instruction, { op: 'read' }>,
  command: Command,
): Promise<void> {
  const { run } = command;
  const target = targetOf(subject, run);
  command.about(...namesOf(target));
  await readAndJudge(target, unit?.includes('$') ? run.strictText(unit) : unit, command);
}

/** SAVE: never a placeholder (language specification, section 6.2). */
export async function save(
  { label, subject }: Extract<Instruction, { op: 'save' }>,
  command: Command,
): Promise<void> {
  const { run, goal } = command;
  const name = label.includes('$') ? run.strictText(label) : label;
  command.about(name);
  const target = targetOf(subject ?? { kind: 'unknown', name }, run);
  if (target.kind === 'variable' && (subject || run.variables.has(target.name))) {
    const variable = run.variables.get(target.name);
    if (!variable) throw new RunFault('SCN411', `SAVE ${name}: ${run.variables.whyUnset(target.name)}`);
    setVariable(name, variable, command);
    return;
  }
  const measured = await toSave(target, subject !== undefined, command);
  if (!measured)
    throw new RunFault(
      'SCN411',
      `SAVE ${name}: nothing was read in this goal; write GET before, or name a sensor`,
    );
  if (target.kind !== 'unknown') command.about(...namesOf(target));
  setVariable(name, variableOf(measured, run), command);
  function toSave(one: Target, named: boolean, by: Command): Promise<Measured> | Measured | undefined {
    if (one.kind === 'unknown' && !named) return goal.lastReading;
    return goal.last(one.key) ?? readAndJudge(one, undefined, by);
  }
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

/** SAVE_JSON: the last API body. @throws RunFault SCN411 without one */
export async function saveJson(
  { name }: Extract<Instruction, { op: 'save-json' }>,
  command: Command,
): Promise<void> {
  const { run } = command;
  const key = name.includes('$') ? run.strictText(name) : name;
  const answer = run.lastAnswer;
  if (!answer) throw new RunFault('SCN411', `SAVE_JSON ${key}: no API call was made yet`);
  const { body } = answer;
  const value =
    typeof body === 'object' && body !== null
      ? body
      : typeof body === 'number' || typeof body === 'boolean' || typeof body === 'string'
        ? body
        : JSON.stringify(body ?? null);
  setVariable(key, { value }, command);
}
