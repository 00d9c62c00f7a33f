import type { Instruction } from '../instruction.ts';
import type { Value } from '../operand.ts';
import { walk } from '../walk.ts';
import { type Box, boxesOf, type Interval, intervalOf, meet } from './intervals.ts';
import type { Site } from './scope.ts';
import { keyOf } from './subject-key.ts';

interface Limits {
  low?: Interval | undefined;
  high?: Interval | undefined;
}

/**
 * SCN243: bounds of one goal, or a bound and a check, that no value can meet together. A later bound replaces an
 * earlier one on its side, unless it is open there, and judges the reading of the check before it.
 */
export function checkLimits(instructions: readonly Instruction[], site: Site): void {
  const limits = new Map<string, Limits>();
  /** Checks of the last reading, by what they read. */
  const checks = new Map<string, readonly Box[]>();
  for (const instruction of walk(instructions)) {
    if (instruction.op === 'bound') {
      const key = keyOf(instruction.subject);
      // A range that holds nothing by itself is an error of its own (SCN242).
      if (holdsNothing(instruction)) continue;
      const entry = limits.get(key) ?? {};
      limits.set(key, Object.assign(entry, sidesOf(instruction)));
      const { name } = instruction.subject;
      if (!boundsBox(key, entry))
        site.report('SCN243', `the bounds of ${name} exclude every value; correct them`, instruction.pos);
      else if (contradicts(checks.get(key), key, entry)) reportCheck(name, instruction, site);
    } else if (instruction.op === 'read') checks.delete(keyOf(instruction.subject));
    else {
      const boxes = judgedBoxes(instruction);
      for (const key of new Set(boxes?.flatMap((box) => [...box.keys()]))) {
        checks.set(key, boxes!);
        const entry = limits.get(key);
        if (entry && boundsBox(key, entry) && contradicts(boxes, key, entry))
          reportCheck(key, instruction, site);
      }
    }
  }
}

const reportCheck = (name: string, { pos }: Instruction, site: Site): void =>
  site.report(
    'SCN243',
    `this check and the bounds of the goal exclude every value of ${name}, so one of them always fails; correct the limits`,
    pos,
  );

/** The values that pass a check which fails the goal; undefined for other instructions. */
function judgedBoxes(instruction: Instruction): readonly Box[] | undefined {
  if (instruction.op === 'check')
    return instruction.texts.onFalse === 'error' ? boxesOf(instruction.condition) : undefined;
  if (instruction.op === 'wait-until') return boxesOf(instruction.condition);
  if (instruction.op !== 'assert-sensor') return undefined;
  const { subject, operator, threshold } = instruction;
  return boxesOf({ kind: 'comparison', left: { kind: 'subject', subject }, operator, right: threshold });
}

const sidesOf = ({ low, high }: Extract<Instruction, { op: 'bound' }>): Limits => ({
  ...(low && low.kind !== 'infinity' ? { low: sideOf('>=', low) } : {}),
  ...(high && high.kind !== 'infinity' ? { high: sideOf('<=', high) } : {}),
});

const sideOf = (operator: '>=' | '<=', value: Value): Interval | undefined =>
  value.kind === 'quantity' ? intervalOf(operator, value) : undefined;

/** A range that no value meets. */
export const holdsNothing = (bound: Extract<Instruction, { op: 'bound' }>): boolean =>
  !boundsBox(keyOf(bound.subject), sidesOf(bound));

/** The values within the bounds; undefined when there are none. */
function boundsBox(key: string, { low, high }: Limits): Box | undefined {
  const box = (interval: Interval | undefined): Box => new Map(interval ? [[key, interval]] : []);
  return meet(box(low), box(high));
}

function contradicts(boxes: readonly Box[] | undefined, key: string, entry: Limits): boolean {
  const bounds = boundsBox(key, entry);
  return (
    boxes !== undefined &&
    boxes.length > 0 &&
    bounds !== undefined &&
    boxes.every((box) => !meet(box, bounds))
  );
}
