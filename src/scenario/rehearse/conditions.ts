import type { Instruction } from '../program/instruction.ts';
import { decidesByError } from '../program/judgement.ts';
import type { Operand } from '../program/operand.ts';
import type { Command } from '../run/command.ts';
import { inverse, mirrored } from '../run/compare.ts';
import { operationsOf, type Probe, resolveLeaf, type Side } from '../run/condition/leaf.ts';
import { numberOf } from '../run/limit.ts';
import type { Constraint } from './choose-value.ts';
import type { Chosen } from './chosen.ts';
import { referenceNode, windowNode } from './derived.ts';
import { constant, type Node } from './node.ts';
import type { Pass } from './pass.ts';
import { amountOf, type Relation } from './relation.ts';
import { type WantedLeaf, wantedBy } from './wanted.ts';

/** Chooses the readings of a condition so that it becomes true, or false, as wanted. */
export async function prepareCondition(pass: Pass, command: Command): Promise<void> {
  const relations: Relation[] = [];
  const open = new Map<Node, Chosen>();
  for (const wanted of wantedBy(command.instruction))
    relations.push(...(await relationsOf(wanted, open, pass, command)));
  // What is compared with another reading is chosen after that one.
  const isLater = (node: Node) => relations.some(({ left, right }) => left === node && open.has(right));
  for (const chosen of [...open.values()].sort(
    (a, b) => Number(isLater(a.point)) - Number(isLater(b.point)),
  )) {
    chosen.constraints = relations.flatMap(({ left, operator, right }) => {
      if (left === chosen.point && !open.has(right)) return constraintFor(operator, right);
      return right === chosen.point && !open.has(left) ? constraintFor(mirrored(operator), left) : [];
    });
    open.delete(chosen.point);
  }
  const isOptional = isBranch(command.instruction);
  for (const one of relations) pass.require({ ...one, isOptional });
}

/** The condition decides only which branch is taken. */
const isBranch = (instruction: Instruction): boolean =>
  instruction.op === 'loop' || (instruction.op === 'if' && !decidesByError(instruction));

function constraintFor(operator: Constraint['operator'], node: Node): Constraint[] {
  const amount = amountOf(node);
  return amount ? [{ operator, value: amount.value, unit: amount.unit }] : [];
}

async function relationsOf(
  [leaf, truth]: WantedLeaf,
  open: Map<Node, Chosen>,
  pass: Pass,
  command: Command,
): Promise<Relation[]> {
  const resolved = resolveLeaf(leaf, new Map(), command.goal);
  const probes = [resolved.left, ...resolved.right].flatMap((side) => ('probe' in side ? [side.probe] : []));
  const ownUnit = probes.find((probe) => probe.ownUnit !== undefined)?.ownUnit;
  /** Undefined for a text. */
  const nodeOf = async (side: Side, operand: Operand): Promise<Node | undefined> => {
    if ('probe' in side) return nodeOfProbe(side.probe, open, pass, command);
    const { constant: fixed } = side;
    if (fixed.kind === 'text') return undefined;
    return referenceNode(operand, pass, command) ?? constant({ ...fixed, unit: fixed.unit ?? ownUnit });
  };
  const [subject, ...limits] =
    leaf.kind === 'range' ? [leaf.subject, leaf.low, leaf.high] : [leaf.left, leaf.right];
  const left = await nodeOf(resolved.left, subject!);
  const relations: Relation[] = [];
  for (const [i, { operator, side }] of operationsOf(resolved).entries()) {
    const right = await nodeOf(side, limits[i]!);
    if (left && right) relations.push({ left, operator: truth ? operator : inverse(operator), right });
  }
  // A range is false as soon as one of its sides is.
  return truth ? relations : relations.slice(-1);
}

async function nodeOfProbe(
  { target, change, unit, ownUnit }: Probe,
  open: Map<Node, Chosen>,
  pass: Pass,
  { goal }: Command,
): Promise<Node | undefined> {
  if (target.kind === 'variable') {
    const variable = goal.run.variables.get(target.name);
    const number = variable && numberOf(variable);
    return pass.nodeOf(variable) ?? (number && constant(number));
  }
  if (change) {
    const sampler = goal.samplers.get(target.key);
    await sampler?.settle();
    return sampler && windowNode(pass, sampler, 'delta');
  }
  const given = pass.memory.given.of(target.name);
  if (given) return constant({ ...given, unit: given.unit ?? unit ?? ownUnit });
  const chosen = pass.choice(target.key, unit ?? ownUnit, ownUnit);
  open.set(chosen.point, chosen);
  return chosen.point;
}
