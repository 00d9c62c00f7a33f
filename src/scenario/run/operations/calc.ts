import { convert } from '../../../rig/units/units.ts';
import type { CalcFunction, Instruction } from '../../program/instruction.ts';
import type { Value } from '../../program/operand.ts';
import { RunFault } from '../../rig/fault.ts';
import type { Command } from '../command.ts';
import { numberOf, resolve } from '../limit.ts';
import { setVariable } from '../set-variable.ts';

interface Amount {
  readonly value: number;
  readonly unit: string | undefined;
  readonly simulated: boolean;
  /** Dry-run: chosen; a value given by option or written down is not. */
  readonly free: boolean;
  readonly fixedSimulated: boolean;
}

/** CALC. Units are kept: other units of the dimension are converted to the first one. */
export async function calc(
  { name, fn, args }: Extract<Instruction, { op: 'calc' }>,
  command: Command,
): Promise<void> {
  const { run } = command;
  const key = name.includes('$') ? run.strictText(name) : name;
  command.about(key);
  const amounts = amountsOf(args, command);
  const fail = (why: string) => new RunFault('SCN411', `CALC ${key} = ${fn}: ${why}`);
  if (amounts.length === 0) throw fail('nothing to calculate with');
  const { value, unit } = calculate(fn, amounts, fail);
  if (!Number.isFinite(value)) throw fail('the result is no finite number');
  const simulated = amounts.some((one) => one.simulated);
  const free = amounts.some((one) => one.free) && !amounts.some((one) => one.fixedSimulated);
  setVariable(
    key,
    { value, ...(unit === undefined ? {} : { unit }), ...(simulated ? { simulated } : {}), free },
    command,
  );
}

function amountsOf(args: readonly Value[], command: Command): Amount[] {
  const only = args.length === 1 ? args[0] : undefined;
  return (only && samplesOf(only, command)) ?? args.map((arg) => amountOf(arg, command));
}

const nameOf = (value: Value): string | undefined =>
  value.kind === 'variable' ? value.name : value.kind === 'text' ? value.text : undefined;

/** One sampled sensor stands for its samples. */
function samplesOf(value: Value, { run, goal }: Command): Amount[] | undefined {
  const name = nameOf(value);
  const sensor = name === undefined ? undefined : run.registry.sensor(name);
  const sampler = sensor && goal.samplers.get(sensor.id);
  if (!sampler) return undefined;
  const { free, simulated } = sampler;
  const unit = sampler.unit ?? undefined;
  const fixedSimulated = simulated && !free;
  return sampler.values().map((one) => ({ value: one, unit, free, simulated, fixedSimulated }));
}

function amountOf(value: Value, { run, goal }: Command): Amount {
  const name = nameOf(value);
  const variable = name === undefined ? undefined : run.variables.get(name);
  if (name !== undefined && variable) {
    const number = numberOf(variable);
    if (!number) throw new RunFault('SCN411', `CALC: ${name} is a text, not a number`);
    const simulated = variable.simulated === true;
    return {
      value: number.value,
      unit: number.unit,
      simulated,
      free: variable.free,
      fixedSimulated: simulated && !variable.free,
    };
  }
  const sensor = name === undefined ? undefined : run.registry.sensor(name);
  const last = sensor && goal.last(sensor.id);
  if (last)
    return {
      value: last.value,
      unit: last.unit ?? undefined,
      simulated: last.simulated,
      free: last.free,
      fixedSimulated: last.simulated && !last.free,
    };
  if (sensor)
    throw new RunFault('SCN411', `CALC: ${name} was not read in this goal; write GET or SAMPLE before`);
  const resolved = resolve(value, run);
  if (resolved.kind === 'text')
    throw new RunFault('SCN411', `CALC: "${resolved.text}" is no number and is not set`);
  const simulated = resolved.simulated === true;
  return { value: resolved.value, unit: resolved.unit, simulated, free: false, fixedSimulated: simulated };
}

type Fail = (why: string) => RunFault;

function calculate(
  fn: CalcFunction,
  amounts: readonly Amount[],
  fail: Fail,
): { value: number; unit?: string } {
  if (fn === 'COUNT') return { value: amounts.length };
  if (fn === 'MUL' || fn === 'DIV') return scale(fn, amounts, fail);
  const unit = amounts.find((one) => one.unit !== undefined)?.unit;
  const values = amounts.map((one) => inUnit(one, unit, fail));
  const sum = () => values.reduce((a, b) => a + b, 0);
  const withUnit = (value: number) => ({ value, ...(unit === undefined ? {} : { unit }) });
  switch (fn) {
    case 'AVG':
      return withUnit(sum() / values.length);
    case 'SUM':
    case 'ADD':
      return withUnit(sum());
    case 'SUB':
      return withUnit(values.reduce((a, b) => a - b));
    case 'MIN':
      return withUnit(values.reduce((a, b) => Math.min(a, b)));
    case 'MAX':
      return withUnit(values.reduce((a, b) => Math.max(a, b)));
    case 'STDDEV': {
      if (values.length < 2) throw fail('a standard deviation needs at least two values');
      const mean = sum() / values.length;
      const squares = values.reduce((a, b) => a + (b - mean) ** 2, 0);
      return withUnit(Math.sqrt(squares / (values.length - 1)));
    }
  }
}

/** A number without unit has that of the others. */
function inUnit({ value, unit: from }: Amount, unit: string | undefined, fail: Fail): number {
  if (from === undefined || unit === undefined) return value;
  const converted = convert(value, from, unit);
  if (converted === undefined) throw fail(`${from} and ${unit} cannot be put together`);
  return converted;
}

function scale(fn: 'MUL' | 'DIV', amounts: readonly Amount[], fail: Fail): { value: number; unit?: string } {
  const [first, ...rest] = amounts;
  let { value, unit } = first!;
  for (const next of rest) {
    if (fn === 'MUL') {
      value *= next.value;
      unit = unit === undefined ? next.unit : next.unit === undefined ? unit : `${unit}·${next.unit}`;
      continue;
    }
    const sameKind =
      unit !== undefined && next.unit !== undefined ? convert(next.value, next.unit, unit) : undefined;
    const divisor = sameKind ?? next.value;
    if (divisor === 0) throw fail('division by zero');
    value /= divisor;
    if (sameKind !== undefined) unit = undefined;
    else if (next.unit !== undefined) unit = unit === undefined ? `1/${next.unit}` : `${unit}/${next.unit}`;
  }
  return { value, ...(unit === undefined ? {} : { unit }) };
}
