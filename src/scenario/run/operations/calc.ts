import { ArithmeticError, calculate } from '../../../rig/units/arithmetic.ts';
import type { CalcFunction, Instruction } from '../../program/instruction.ts';
import type { Value } from '../../program/operand.ts';
import { RunFault } from '../../rig/fault.ts';
import type { Command } from '../command.ts';
import { amountIn, type RunAmount, unitsFault } from '../convert-amount.ts';
import { numberOf, resolve } from '../limit.ts';
import { setVariable } from '../set-variable.ts';
import type { StoredVariable } from '../variables.ts';
import { variableOf } from './read.ts';

interface Operand extends RunAmount {
  readonly simulated: boolean;
}

/** CALC. Units are kept: other units of the dimension are converted to the first one. */
export async function calc(
  { name, fn, args }: Extract<Instruction, { op: 'calc' }>,
  command: Command,
): Promise<void> {
  const { run } = command;
  const key = name.includes('$') ? run.strictText(name) : name;
  command.about(key);
  const operands = operandsOf(args, command);
  const what = `CALC ${key} = ${fn}`;
  const { value, unit, measure } = calculated(what, fn, operands);
  const simulated = operands.some((one) => one.simulated);
  // In another dimension the result is that of the operands there.
  const isConvertible = unit !== undefined && operands.some(({ recompute }) => recompute);
  const recompute = (asked: string): number => {
    const converted = operands.map((one): RunAmount => {
      const there = amountIn(one, asked);
      if (there === undefined) throw unitsFault(what, one.unit ?? 'no unit', asked);
      return { ...one, value: there, ...(one.unit === undefined ? {} : { unit: asked }) };
    });
    const result = calculated(what, fn, converted);
    if (result.unit !== asked) throw unitsFault(what, result.unit ?? 'no unit', asked);
    return result.value;
  };
  setVariable(
    key,
    {
      value,
      ...(unit === undefined ? {} : { unit }),
      ...(simulated ? { simulated } : {}),
      measure,
      ...(isConvertible ? { recompute } : {}),
    },
    command,
  );
}

/** @throws RunFault SCN411, SCN240 */
function calculated(what: string, fn: CalcFunction, amounts: readonly RunAmount[]) {
  try {
    return calculate(fn, amounts);
  } catch (thrown) {
    if (!(thrown instanceof ArithmeticError)) throw thrown;
    throw new RunFault(thrown.isUnits ? 'SCN240' : 'SCN411', `${what}: ${thrown.message}`, { cause: thrown });
  }
}

function operandsOf(args: readonly Value[], command: Command): Operand[] {
  const only = args.length === 1 ? args[0] : undefined;
  return (only && samplesOf(only, command)) ?? args.map((arg) => operandOf(arg, command));
}

const nameOf = (value: Value): string | undefined =>
  value.kind === 'variable' ? value.name : value.kind === 'text' ? value.text : undefined;

/** One sampled sensor stands for its samples. */
function samplesOf(value: Value, { run, goal }: Command): Operand[] | undefined {
  const name = nameOf(value);
  const sensor = name === undefined ? undefined : run.registry.sensor(name);
  const sampler = sensor && goal.samplers.get(sensor.id);
  if (!sampler) return undefined;
  sampler.window.requireGood();
  return sampler.window.readings().map((one) => operandOfVariable(variableOf(one, run))!);
}

function operandOf(value: Value, { run, goal }: Command): Operand {
  const name = nameOf(value);
  const variable = name === undefined ? undefined : run.variables.get(name);
  if (name !== undefined && variable) {
    const operand = operandOfVariable(variable);
    if (!operand) throw new RunFault('SCN411', `CALC: ${name} is a text, not a number`);
    return operand;
  }
  const sensor = name === undefined ? undefined : run.registry.sensor(name);
  const last = sensor && goal.last(sensor.id);
  if (last) return operandOfVariable(variableOf(last, run))!;
  if (sensor)
    throw new RunFault('SCN411', `CALC: ${name} was not read in this goal; write GET or SAMPLE before`);
  const resolved = resolve(value, run);
  if (resolved.kind === 'text')
    throw new RunFault('SCN411', `CALC: "${resolved.text}" is no number and is not set`);
  return { ...resolved, simulated: resolved.simulated === true };
}

function operandOfVariable(variable: StoredVariable): Operand | undefined {
  const number = numberOf(variable);
  return number && { ...number, simulated: variable.simulated === true };
}
