import type { Instruction } from '../program/instruction.ts';
import { changeOperator } from '../run/change-operator.ts';
import type { Command } from '../run/command.ts';
import { durationMs } from '../run/duration-ms.ts';
import type { GoalContext } from '../run/goal-context.ts';
import { unitOfBounds } from '../run/judge-bounds.ts';
import { limitOf } from '../run/limit.ts';
import { type Target, targetOf } from '../run/target.ts';
import { prepareCondition } from './conditions.ts';
import { calculatedNode, linkStatistics, linkVariable, referenceNode, windowNode } from './derived.ts';
import { constant, type Node, statisticOf } from './node.ts';
import type { Pass } from './pass.ts';

/**
 * Chooses what a command is about to read.
 * @returns to be called when it has run: notes what its variables follow from
 * @throws RunFault when something in it cannot be resolved
 */
export async function follow(instruction: Instruction, pass: Pass, command: Command): Promise<() => void> {
  const { goal, run } = command;
  const link = (name: string, node: Node | undefined) => linkVariable(pass.fill(name), node, pass, goal);
  switch (instruction.op) {
    case 'check':
    case 'wait-until':
    case 'if':
    case 'loop':
    case 'assert-sensor':
      await prepareCondition(pass, command);
      break;
    case 'bound':
      return () => noteBound(instruction, pass, command);
    case 'save':
      return followSave(instruction, pass, command);
    case 'calc': {
      const node = calculatedNode(instruction, pass, command);
      return () => link(instruction.name, node);
    }
    case 'set-variable': {
      const node = referenceNode(instruction.value, pass, command);
      return () => link(instruction.name, node);
    }
    case 'prompt': {
      const { name, asks } = instruction;
      if (name === undefined) break;
      const node = asks === 'value' ? pass.choice('prompt', undefined).point : undefined;
      return () => {
        markSimulated(name, pass, command);
        link(name, node);
      };
    }
    case 'save-json':
      return () => markSimulated(instruction.name, pass, command);
    case 'sample': {
      const target = targetOf(instruction.subject, run);
      if (instruction.action === 'stop')
        return () => linkStatistics(goal.samplers.get(target.key)!, pass, goal);
      openWindow(target, pass, goal);
      break;
    }
    case 'delta': {
      const target = targetOf(instruction.subject, run);
      if (!goal.samplers.has(target.key)) openWindow(target, pass, goal);
      return () => noteChange(instruction, target, pass, command);
    }
  }
  return () => {};
}

const ownUnitOf = (target: Target): string | undefined =>
  target.kind === 'sensor' ? target.sensor.unit : target.kind === 'timer' ? 's' : undefined;

/** A bound judges the last reading too. */
function noteBound(
  { subject }: Extract<Instruction, { op: 'bound' }>,
  pass: Pass,
  { goal, run }: Command,
): void {
  const target = targetOf(subject, run);
  const last = pass.nodeOf(goal.last(target.key)?.recompute);
  const node = target.kind === 'variable' ? pass.nodeOf(run.variables.get(target.name)) : last;
  if (node) pass.requireBounds(node, target.key, { ownUnit: ownUnitOf(target) });
}

/** SAVE copies a variable, or takes a reading. */
function followSave(
  { label, subject }: Extract<Instruction, { op: 'save' }>,
  pass: Pass,
  { goal, run }: Command,
) {
  const name = pass.fill(label);
  const before = run.variables.get(name);
  const target = targetOf(subject ?? { kind: 'unknown', name }, run);
  const source = subject && target.kind === 'variable' ? run.variables.get(target.name) : undefined;
  return () => {
    const saved = run.variables.get(name);
    const isLast = !subject && (target.kind === 'unknown' || saved?.isSavedReading === true);
    const reading = isLast ? goal.lastReading : goal.last(target.key);
    if (saved !== before)
      linkVariable(
        name,
        pass.nodeOf(saved) ?? pass.nodeOf(source) ?? pass.nodeOf(reading?.recompute),
        pass,
        goal,
      );
  };
}

function openWindow(target: Target, pass: Pass, goal: GoalContext): void {
  const own = ownUnitOf(target);
  pass.windows.set(target.key, pass.choose(target.key, unitOfBounds(target.key, goal) ?? own, own));
}

/** No person gave this answer, or no API. */
function markSimulated(name: string, pass: Pass, { run }: Command): void {
  const key = pass.fill(name);
  const variable = run.variables.get(key);
  if (variable) run.variables.set(key, { ...variable, simulated: true });
}

type Delta = Extract<Instruction, { op: 'delta' }>;

function noteChange(
  { direction, threshold, windowMs }: Delta,
  target: Target,
  pass: Pass,
  { goal, run }: Command,
): void {
  const limit = limitOf(threshold, run);
  const sampler = goal.samplers.get(target.key);
  const own = pass.windows.get(target.key);
  const node = sampler
    ? windowNode(pass, sampler, 'delta', Math.round(durationMs(windowMs, run) / sampler.intervalMs))
    : own && own.taken > 0
      ? statisticOf(own, 'delta', 0, own.taken - 1)
      : undefined;
  if (node)
    pass.require({
      left: node,
      operator: changeOperator(direction, limit.value),
      right: constant({ ...limit, unit: limit.unit ?? ownUnitOf(target) }),
    });
}
