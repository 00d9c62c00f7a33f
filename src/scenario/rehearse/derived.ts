import type { Instruction } from '../program/instruction.ts';
import type { Operand, Value } from '../program/operand.ts';
import type { Command } from '../run/command.ts';
import type { GoalContext } from '../run/goal-context.ts';
import { numberOf, resolve } from '../run/limit.ts';
import { asAmount } from '../run/measured.ts';
import type { Sampler } from '../run/sampler.ts';
import { variableKey } from '../run/target.ts';
import { STATISTICS } from '../run/variables.ts';
import { referenceAmount } from '../values/reference-amount.ts';
import { calculationOf, constant, type Node, negated, type Statistic, statisticOf } from './node.ts';
import type { Pass } from './pass.ts';

/** Notes what a variable follows from that was just set, and judged by the bounds of the goal. */
export function linkVariable(name: string, node: Node | undefined, pass: Pass, { run }: GoalContext): void {
  const variable = run.variables.get(name);
  if (!node || !variable) return;
  pass.link(variable, node);
  pass.requireBounds(node, variableKey(name, run));
}

/** What a value follows from; undefined when from nothing that was chosen. */
export function referenceNode(value: Operand, pass: Pass, { run }: Command): Node | undefined {
  if (value.kind === 'variable') return pass.nodeOf(run.variables.get(value.name));
  const reference = value.kind === 'template' ? referenceAmount(value.text) : undefined;
  const node = reference && pass.nodeOf(run.variables.get(reference.name));
  return node && reference.isNegative ? negated(node) : node;
}

/** A statistic of the last `intervals` of a window, or of all its points so far. */
export function windowNode(
  pass: Pass,
  { target, window }: Sampler,
  statistic: Statistic,
  intervals = Number.POSITIVE_INFINITY,
): Node | undefined {
  const chosen = pass.windows.get(target.key);
  const last = window.readings().length - 1;
  return chosen && last >= 0
    ? statisticOf(chosen, statistic, Math.max(0, last - intervals), last)
    : undefined;
}

/** Notes what the statistics of a window follow from that has ended. */
export function linkStatistics(sampler: Sampler, pass: Pass, goal: GoalContext): void {
  for (const statistic of STATISTICS)
    linkVariable(`${sampler.target.name}.${statistic}`, windowNode(pass, sampler, statistic), pass, goal);
}

type Calc = Extract<Instruction, { op: 'calc' }>;

const OVER_SAMPLES: Partial<Record<Calc['fn'], Statistic>> = {
  AVG: 'avg',
  MIN: 'min',
  MAX: 'max',
  STDDEV: 'stddev',
};

/** What CALC calculates; undefined when nothing in it was chosen. */
export function calculatedNode({ fn, args }: Calc, pass: Pass, command: Command): Node | undefined {
  const { registry } = command.run;
  const sampled = args.length === 1 ? registry.sensor(nameOf(args[0]!))?.id : undefined;
  const sampler = command.goal.samplers.get(sampled ?? '');
  if (sampler) return OVER_SAMPLES[fn] && windowNode(pass, sampler, OVER_SAMPLES[fn]);
  const operands = args.map((arg) => operandOf(arg, pass, command));
  return operands.every(({ isFixed }) => isFixed) ? undefined : calculationOf(fn, operands);
}

const nameOf = (value: Value): string =>
  value.kind === 'variable' ? value.name : value.kind === 'text' ? value.text : '';

/** A variable, the last reading of a sensor, or a number. */
function operandOf(value: Value, pass: Pass, command: Command): Node {
  const { run, goal } = command;
  const variable = run.variables.get(nameOf(value));
  if (variable) return pass.nodeOf(variable) ?? constant(numberOf(variable) ?? NO_NUMBER);
  const last = goal.last(run.registry.sensor(nameOf(value))?.id ?? '');
  if (last) return pass.nodeOf(last.recompute) ?? constant(asAmount(last));
  const resolved = resolve(value, run);
  return referenceNode(value, pass, command) ?? constant(resolved.kind === 'number' ? resolved : NO_NUMBER);
}

const NO_NUMBER = { value: Number.NaN };
