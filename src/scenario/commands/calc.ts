import { ArithmeticError, calculate } from '../../rig/units/arithmetic.ts';
import { printName, quote } from '../format/words.ts';
import { type Args, isOpen } from '../forms/args.ts';
import type { Form } from '../forms/form.ts';
import { defineVariable } from '../program/compile/define-variable.ts';
import type { CalcFunction, InstructionOf } from '../program/instruction.ts';
import type { Value } from '../program/operand.ts';
import { renderValue } from '../program/render-values.ts';
import { RunFault } from '../rig/fault.ts';
import type { Command } from '../run/command.ts';
import { amountIn, type RunAmount, unitsFault } from '../run/convert-amount.ts';
import { numberOf, resolve } from '../run/limit.ts';
import { variableOf } from '../run/read-and-judge.ts';
import { setVariable } from '../run/set-variable.ts';
import type { StoredVariable } from '../run/variables.ts';
import { assign } from '../safety/assign.ts';
import { calculateRanges } from '../safety/calculate.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import type { Pos } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { formatNumber } from '../values/number.ts';
import { parseQuantity } from '../values/quantity.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    calc: {
      readonly name: string;
      readonly fn: CalcFunction;
      readonly args: readonly Value[];
      readonly token: Token;
    };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    calc: { readonly name: string; readonly fn: CalcFunction; readonly args: readonly Value[] };
  }
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'AVG',
  'SUM',
  'MIN',
  'MAX',
  'SUB',
  'MUL',
  'DIV',
  'ADD',
  'COUNT',
  'STDDEV',
]);

/** `CALC 'v' = 'AVG' 'a, b'` */
export function parseCalc(args: Args): Form | undefined {
  const example = "CALC 'v' = 'AVG' 'a, b'";
  const name = args.need('a name', example);
  if (name && args.peek()?.text === '=') args.take();
  const fn = name && args.need('a function', example);
  if (!name || !fn) return undefined;
  const word = fn.text.toUpperCase();
  if (!FUNCTIONS.has(word)) {
    args.report(
      'SCN123',
      `"${fn.text}" is not a CALC function; use one of ${[...FUNCTIONS].join(', ')}`,
      fn.pos,
    );
    return undefined;
  }
  const parts = args
    .rest()
    .flatMap((token) => token.text.split(/[,;](?!\d)|[,;]\s+/).map((text) => text.trim()));
  const values = parts.filter((text) => text !== '');
  if (values.length === 0) {
    args.missing('the values to compute with', example);
    return undefined;
  }
  return {
    form: 'calc',
    name: name.text,
    fn: word as CalcFunction,
    token: name,
    args: values.map((text) => {
      reportUnclearComma(text, args, name.pos);
      const quantity = parseQuantity(text);
      if (quantity) return args.quantity(quantity.value, quantity.unit, name.pos);
      return isOpen(text) ? { kind: 'template', text } : { kind: 'variable', name: text };
    }),
  };
}

export const calc = defineCommand({
  words: {
    CALC: {
      aliases: ['FUN'],
      legacy: true,
      since: 2,
      args: 'name:variable function:word arguments:rest',
      effect: 'variable',
      doc: 'Computes AVG, SUM, MIN, MAX, SUB, MUL, DIV, ADD, COUNT or STDDEV.',
      examples: ["VAR a = '1'\nVAR b = '2'\nCALC 'v' = 'AVG' 'a, b'"],
    },
  },
  form: 'calc',
  defines: ({ defined }, first) => defined.add(first),
  parse(args) {
    args.report('SCN301', 'CALC is old syntax; write FUNC', args.tokens[0]!.pos);
    return parseCalc(args);
  },
  print: ({ name, fn, args }, command) =>
    `${command} ${printName(name)} = ${fn} ${quote(args.map(printArgument).join(', '))}`,
  compile({ name, fn, args: written }, line) {
    // A single sampled sensor is named directly.
    const args = written.map((one) =>
      one.kind === 'variable' && line.scope.registry.sensor(one.name) ? one : line.value(one),
    );
    defineVariable(name, line.pos, line.scope, line.site);
    line.push({ op: 'calc', name, fn, args });
  },
  operations: {
    calc: {
      plan: ({ name, fn, args }) => `calc ${name} = ${fn} ${args.map(renderValue).join(', ')}`,
      cost: noTime,
      effect: (one, state, walk) =>
        moveNothing(one, state, walk, (variables) =>
          assign(
            one.name,
            calculateRanges(one.fn, one.args, variables, walk.analysis.options.registry),
            variables,
          ),
        ),
      sets: ({ name }) => ({ name, isLiteral: false }),
      run: compute,
    },
  },
});

/** In a list the comma separates, so that `2,5` may be two values: the smaller of them is not 2.5. */
function reportUnclearComma(text: string, args: Args, pos: Pos): void {
  const [, whole, fraction] = /^(.*\d),(\d.*)$/.exec(text) ?? [];
  if (args.badNumber(text, pos) || whole === undefined) return;
  args.report(
    'SCN125',
    `"${text}" may be one number or two; write ${whole}.${fraction}, or ${whole}, ${fraction}`,
    pos,
  );
}

function printArgument(value: Value): string {
  switch (value.kind) {
    case 'quantity':
      return formatNumber(value.value) + (value.unit === undefined ? '' : ` ${value.unit}`);
    case 'variable':
      return value.name;
    case 'infinity':
      return 'inf';
    default:
      return value.text;
  }
}

interface Operand extends RunAmount {
  readonly simulated: boolean;
}

/** CALC. Units are kept: other units of the dimension are converted to the first one. */
async function compute({ name, fn, args }: InstructionOf<'calc'>, command: Command): Promise<void> {
  const { run } = command;
  const key = name.includes('$') ? run.strictText(name) : name;
  command.about(key);
  const operands = operandsOf(args, command);
  const what = `CALC ${key} = ${fn}`;
  const { value, unit, measure } = calculated(what, fn, operands);
  const simulated = operands.some((one) => one.simulated);
  // In another dimension, the result is computed from the operands in that dimension.
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

/** A single sampled sensor means its samples. */
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
    throw new RunFault('SCN411', `CALC: ${name} has not been read in this goal; add GET or SAMPLE before it`);
  const resolved = resolve(value, run);
  if (resolved.kind === 'text')
    throw new RunFault('SCN411', `CALC: "${resolved.text}" is not a number and is not set`);
  return { ...resolved, simulated: resolved.simulated === true };
}

function operandOfVariable(variable: StoredVariable): Operand | undefined {
  const number = numberOf(variable);
  return number && { ...number, simulated: variable.simulated === true };
}
