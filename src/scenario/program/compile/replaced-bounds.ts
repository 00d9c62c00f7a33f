import type { Instruction } from '../instruction.ts';
import type { Value } from '../operand.ts';
import { forChildren, walk } from '../walk.ts';
import { holdsNothing } from './limit-checks.ts';
import type { Site } from './scope.ts';
import { forSubjects, keyOf } from './subject-key.ts';

type Bound = Extract<Instruction, { op: 'bound' }>;

export const replacedUnread = (form: string, name: string): string =>
  `${form} ${name} was replaced before its sensor was read, so it was never evaluated; add GET ${name} after it, or remove it`;

/**
 * SCN241: bounds on a sensor that a later one replaces before it is read. A bound also judges the last reading before
 * it, so a sensor that was read once is no concern any more.
 */
export function checkReplacedBounds(instructions: readonly Instruction[], site: Site): void {
  const read = new Set<string>();
  const inForce = new Map<string, Bound>();
  for (const instruction of instructions) {
    if (instruction.op === 'bound') {
      const { subject } = instruction;
      if (subject.kind !== 'sensor' || read.has(subject.id) || holdsNothing(instruction)) continue;
      for (const side of ['low', 'high'] as const) {
        const value = instruction[side];
        if (!value || isOpen(value)) continue;
        const place = `${side} ${subject.id}`;
        const earlier = inForce.get(place);
        inForce.set(place, instruction);
        const old = earlier?.[side];
        if (old && !isSame(old, value))
          site.report('SCN241', replacedUnread(earlier.form, subject.name), earlier.pos);
      }
      continue;
    }
    forSubjects(instruction, (subject) => read.add(keyOf(subject)));
    forChildren(instruction, (body) => {
      // What comes before the body may have read something, and what comes after it too.
      if (inForce.size === 0 && read.size === 0) checkReplacedBounds(body, site);
      for (const one of walk(body)) {
        if (one.op === 'bound') read.add(keyOf(one.subject));
        forSubjects(one, (subject) => read.add(keyOf(subject)));
      }
    });
  }
}

const isOpen = (value: Value): boolean => value.kind === 'infinity';

const isSame = (a: Value, b: Value): boolean =>
  a.kind === 'quantity' && b.kind === 'quantity' && a.value === b.value && a.unit === b.unit;
