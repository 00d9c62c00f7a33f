import type { Pos } from '../../source/position.ts';
import { formatDuration } from '../../values/duration.ts';
import type { Instruction } from '../instruction.ts';
import { hasSureCheck, judgementOf } from '../judgement.ts';
import type { Subject } from '../operand.ts';
import type { ProgramBlock } from '../program.ts';
import { forChildren, walk } from '../walk.ts';
import { checkCondition } from './condition-checks.ts';
import { checkLimits } from './limit-checks.ts';
import { checkReplacedBounds } from './replaced-bounds.ts';
import { type Scope, type Site, STATISTICS } from './scope.ts';
import { forSubjects, keyOf } from './subject-key.ts';
import { checkWindows } from './window-check.ts';

/** Default goal time-out. */
const GOAL_TIMEOUT_MS = 15 * 60_000;

/** Findings about a block as a whole: SCN241, 243, 244, 245, 247, 255 to 257, 259, 279. */
export function checkBlock(
  block: ProgramBlock,
  instructions: readonly Instruction[],
  header: Pos,
  scope: Scope,
  site: Site,
): void {
  let hasReading = false;
  const read = new Set<string>();
  const bounds: Extract<Instruction, { op: 'bound' }>[] = [];
  const note = (subject: Subject): void => void read.add(keyOf(subject));
  /** Keys of sampled things: the end of a window reads its statistics. */
  const sampled = new Set<string>();
  const isRead = (subject: Subject): boolean => {
    const window = subject.name.replace(STATISTICS, '');
    return (
      read.has(keyOf(subject)) ||
      (window !== subject.name && sampled.has(scope.registry.sensor(window)?.id ?? window))
    );
  };
  const visit = (body: readonly Instruction[]): void => {
    for (const instruction of body) {
      checkCondition(instruction, scope.names, site);
      hasReading ||= takesReading(instruction);
      if (!hasReading && scope.savesReading.has(instruction)) reportNothingToSave(instruction, site);
      if (instruction.op === 'bound') bounds.push(instruction);
      else forSubjects(instruction, note);
      if (instruction.op === 'sample') sampled.add(keyOf(instruction.subject));
      forChildren(instruction, visit);
    }
  };
  visit(instructions);
  const judgement = block.kind === 'GOAL' ? judgementOf(instructions) : undefined;
  if (judgement === 'none' && instructions.length > 0)
    site.report(
      'SCN244',
      `the goal "${block.name}" checks nothing and always passes; add a CHECK or a bound`,
      header,
    );
  if (judgement === 'checks' && !block.marks.optional && !hasSureCheck(instructions))
    site.report(
      'SCN279',
      `every check of the goal "${block.name}" depends on a condition; if none runs, the goal is inconclusive. Add a check that always runs, or mark the goal OPTIONAL`,
      header,
    );
  for (const bound of bounds)
    if (!isRead(bound.subject) && !bound.subject.name.includes('$'))
      site.report(
        'SCN241',
        `${bound.form} ${bound.subject.name} is not read in this goal, so it is never evaluated; add GET ${bound.subject.name} or SAMPLE`,
        bound.pos,
      );
  if (bounds.length > 0) {
    checkLimits(instructions, site);
    checkReplacedBounds(instructions, site);
  }
  if (block.kind === 'GOAL') checkAlwaysFails(instructions, site);
  checkSampling(instructions, new Map(), site);
  checkWindows(instructions, site);
  checkTime(block.name, instructions, header, site);
}

/** True when there is a reading afterwards that SAVE can store; sample points are none. */
function takesReading(instruction: Instruction): boolean {
  if (instruction.op === 'sample' || instruction.op === 'delta') return false;
  let found = false;
  forSubjects(instruction, (subject) => {
    // `Timer ≤ 8 s | WAIT` pauses and reads nothing.
    found ||= instruction.op !== 'wait-until' || keyOf(subject) !== 'timer';
  });
  return found;
}

function reportNothingToSave(instruction: Instruction, site: Site): void {
  const label = instruction.op === 'save' ? instruction.label : '';
  site.report(
    'SCN259',
    `SAVE ${label}: this goal reads nothing before this line; add GET before it, or SAVE <sensor> ${label}`,
    instruction.pos,
  );
}

/** SCN255: ERROR that runs in any case. A jump before it may lead past it. */
function checkAlwaysFails(instructions: readonly Instruction[], site: Site): boolean {
  for (const instruction of instructions) {
    if (instruction.op === 'fail-goal') {
      site.report(
        'SCN255',
        'this ERROR depends on no check, so the goal always fails; indent it below its IF',
        instruction.pos,
      );
      return true;
    }
    const runsBody =
      instruction.op === 'call' ||
      instruction.op === 'repeat' ||
      (instruction.op === 'loop' && typeof instruction.times === 'number');
    if (runsBody ? checkAlwaysFails(instruction.body, site) : mayJump(instruction)) return true;
  }
  return false;
}

const mayJump = (instruction: Instruction): boolean =>
  walk([instruction]).some(
    (one) => one.op === 'goto' || ('texts' in one && one.texts.elseGoal !== undefined),
  );

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
            `SAMPLE ${name} is already running; stop it before restarting it`,
            instruction.pos,
          );
        running.set(key, instruction.pos);
      } else if (!running.delete(key))
        site.report(
          'SCN245',
          `SAMPLE ${name} was not started in this goal; add SAMPLE ${name} START before it`,
          instruction.pos,
        );
    } else if (instruction.op === 'if') {
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
    else if (instruction.op === 'if')
      sum += Math.max(pausesOf(instruction.then), pausesOf(instruction.otherwise));
    else
      forChildren(instruction, (body) => {
        sum += pausesOf(body);
      });
  }
  return sum;
}
