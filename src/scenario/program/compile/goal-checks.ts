import { convert } from '../../../rig/units/units.ts';
import type { Pos } from '../../source/position.ts';
import { formatDuration } from '../../values/duration.ts';
import { formatNumber } from '../../values/number.ts';
import type { Instruction } from '../instruction.ts';
import { hasSureCheck, judgementOf } from '../judgement.ts';
import type { Condition, Operand, Subject, Value } from '../operand.ts';
import type { ProgramBlock } from '../program.ts';
import { forChildren, walk } from '../walk.ts';
import type { Site } from './scope.ts';
import { checkWindows } from './window-check.ts';

/** Default goal time-out (language specification, section 5.3). */
const GOAL_TIMEOUT_MS = 15 * 60_000;

/** Findings about a block as a whole: SCN241, 243, 244, 245, 247, 279. */
export function checkBlock(
  block: ProgramBlock,
  instructions: readonly Instruction[],
  header: Pos,
  site: Site,
): void {
  const read = new Set<string>();
  const bounds: Extract<Instruction, { op: 'bound' }>[] = [];
  const note = (subject: Subject): void => void read.add(keyOf(subject));
  const visit = (body: readonly Instruction[]): void => {
    for (const instruction of body) {
      if (instruction.op === 'bound') bounds.push(instruction);
      else forSubjects(instruction, note);
      forChildren(instruction, visit);
    }
  };
  visit(instructions);
  const judgement = block.kind === 'GOAL' ? judgementOf(instructions) : undefined;
  if (judgement === 'none' && instructions.length > 0)
    site.report(
      'SCN244',
      `the goal "${block.name}" checks nothing and passes whatever happens; add a CHECK or a bound`,
      header,
    );
  if (judgement === 'checks' && !block.marks.optional && !hasSureCheck(instructions))
    site.report(
      'SCN279',
      `every check of the goal "${block.name}" stands behind a condition; when none of them runs, the goal is inconclusive. Add a check that always runs, or mark the goal OPTIONAL`,
      header,
    );
  for (const bound of bounds)
    if (!read.has(keyOf(bound.subject)) && !bound.subject.name.includes('$'))
      site.report(
        'SCN241',
        `${bound.form} ${bound.subject.name} is never read in this goal, so it judges nothing; add GET ${bound.subject.name} or SAMPLE`,
        bound.pos,
      );
  if (bounds.length > 0) checkLimits(bounds, instructions, site);
  checkSampling(instructions, new Map(), site);
  checkWindows(instructions, site);
  checkTime(block.name, instructions, header, site);
}

const keyOf = (subject: Subject): string => (subject.kind === 'sensor' ? subject.id : subject.name);

type Visit = (subject: Subject) => void;

/** What an instruction reads. */
function forSubjects(instruction: Instruction, visit: Visit): void {
  switch (instruction.op) {
    case 'read':
    case 'sample':
    case 'delta':
    case 'assert-sensor':
      return visit(instruction.subject);
    case 'save':
      if (instruction.subject) visit(instruction.subject);
      return;
    case 'check':
    case 'wait-until':
    case 'gate':
      return forSubjectsIn(instruction.condition, visit);
    case 'loop':
      if (instruction.condition) forSubjectsIn(instruction.condition, visit);
      return;
    default:
  }
}

function forSubjectsIn(condition: Condition, visit: Visit): void {
  if (condition.kind === 'all' || condition.kind === 'any') {
    for (const part of condition.parts) forSubjectsIn(part, visit);
  } else if (condition.kind === 'range') forSubjectOf(condition.subject, visit);
  else {
    forSubjectOf(condition.left, visit);
    forSubjectOf(condition.right, visit);
  }
}

function forSubjectOf(operand: Operand, visit: Visit): void {
  if (operand.kind === 'subject' || operand.kind === 'change') visit(operand.subject);
}

interface Limits {
  low?: Extract<Value, { kind: 'quantity' }>;
  high?: Extract<Value, { kind: 'quantity' }>;
}

/** SCN243: bounds of one goal, or a bound and a check, that no value can meet together. */
function checkLimits(
  bounds: readonly Extract<Instruction, { op: 'bound' }>[],
  instructions: readonly Instruction[],
  site: Site,
): void {
  const limits = new Map<string, Limits>();
  for (const bound of bounds) {
    const key = keyOf(bound.subject);
    const entry = limits.get(key) ?? {};
    if (bound.low?.kind === 'quantity') entry.low = bound.low;
    if (bound.high?.kind === 'quantity') entry.high = bound.high;
    limits.set(key, entry);
    if (isAbove(entry.low, entry.high))
      site.report(
        'SCN243',
        `no value of ${bound.subject.name} lies above ${show(entry.low!)} and below ${show(entry.high!)}`,
        bound.pos,
      );
  }
  for (const instruction of walk(instructions)) {
    if (instruction.op !== 'check' || instruction.condition.kind !== 'range') continue;
    const { subject, low, high } = instruction.condition;
    if (subject.kind !== 'subject') continue;
    const entry = limits.get(keyOf(subject.subject));
    if (!entry) continue;
    const lowest = low.kind === 'quantity' ? low : undefined;
    const highest = high.kind === 'quantity' ? high : undefined;
    if (isAbove(lowest, entry.high) || isAbove(entry.low, highest))
      site.report(
        'SCN243',
        `this check and the bounds of the goal leave no value for ${subject.subject.name}`,
        instruction.pos,
      );
  }
}

const show = (value: Extract<Value, { kind: 'quantity' }>): string =>
  `${formatNumber(value.value)}${value.unit === undefined ? '' : ` ${value.unit}`}`;

function isAbove(low: Limits['low'], high: Limits['high']): boolean {
  if (!low || !high) return false;
  const converted =
    low.unit !== undefined && high.unit !== undefined ? convert(high.value, high.unit, low.unit) : high.value;
  return converted !== undefined && low.value > converted;
}

/** SCN245: STOP of what was never started, START of what runs already. */
function checkSampling(instructions: readonly Instruction[], running: Map<string, Pos>, site: Site): void {
  for (const instruction of instructions) {
    if (instruction.op === 'sample') {
      const key = keyOf(instruction.subject);
      const { name } = instruction.subject;
      if (instruction.action === 'start') {
        if (running.has(key))
          site.report(
            'SCN245',
            `SAMPLE ${name} runs already; stop it before it is started again`,
            instruction.pos,
          );
        running.set(key, instruction.pos);
      } else if (!running.delete(key))
        site.report(
          'SCN245',
          `SAMPLE ${name} was not started in this goal; write SAMPLE ${name} START before`,
          instruction.pos,
        );
    } else if (instruction.op === 'gate') {
      // Which branch runs is not known: what one of them starts or stops is not held against the lines after.
      checkSampling(instruction.then, new Map(running), site);
      checkSampling(instruction.otherwise, new Map(running), site);
      for (const branch of [instruction.then, instruction.otherwise]) forgetTouched(branch, running);
    } else forChildren(instruction, (body) => checkSampling(body, running, site));
  }
}

function forgetTouched(instructions: readonly Instruction[], running: Map<string, Pos>): void {
  for (const instruction of walk(instructions))
    if (instruction.op === 'sample') {
      const key = keyOf(instruction.subject);
      if (instruction.action === 'start') running.set(key, instruction.pos);
    }
}

/** SCN247: the pauses alone take longer than a goal may. */
function checkTime(name: string, instructions: readonly Instruction[], header: Pos, site: Site): void {
  const pauses = pausesOf(instructions);
  if (pauses > GOAL_TIMEOUT_MS)
    site.report(
      'SCN247',
      `the pauses of "${name}" add up to ${formatDuration(pauses)}, more than the goal time-out of ${formatDuration(GOAL_TIMEOUT_MS)}; split the goal or raise --timeout-goal`,
      header,
    );
}

function pausesOf(instructions: readonly Instruction[]): number {
  let sum = 0;
  for (const instruction of instructions) {
    if (instruction.op === 'wait' && typeof instruction.durationMs === 'number')
      sum += instruction.durationMs;
    else if (instruction.op === 'repeat') sum += instruction.count * pausesOf(instruction.body);
    else if (instruction.op === 'loop')
      sum += (typeof instruction.times === 'number' ? instruction.times : 1) * pausesOf(instruction.body);
    else if (instruction.op === 'gate')
      sum += Math.max(pausesOf(instruction.then), pausesOf(instruction.otherwise));
    else
      forChildren(instruction, (body) => {
        sum += pausesOf(body);
      });
  }
  return sum;
}
