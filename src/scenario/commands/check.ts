import { printCondition } from '../format/words.ts';
import { atomize } from '../forms/atoms.ts';
import { readCondition } from '../forms/condition.ts';
import { resolveCondition } from '../program/compile/conditions.ts';
import type { Condition } from '../program/operand.ts';
import { renderCheck, renderCondition } from '../program/render-values.ts';
import { conclude, evaluateHere, judgementOf, judgeReadings } from '../run/conclude.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { readsMs } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    check: { readonly condition: Condition };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** Immediate check: CHECK, IF, bracket condition. */
    check: {
      readonly form: 'CHECK' | 'IF' | 'CONDITION';
      readonly condition: Condition;
      readonly texts: CheckTexts;
    };
  }
}

/** `CHECK 6 <= p <= 8 bar`, `CHECK p <= 8 bar`, `CHECK p 6 .. 8 bar` */
export const check = defineCommand({
  words: {
    CHECK: {
      since: 3,
      args: 'condition:condition',
      effect: 'check',
      doc: 'Takes a fresh reading and judges it immediately.',
      examples: ['CHECK 0 <= AI01 <= 4 V', 'CHECK AI01 <= 4 V', 'CHECK AI01 0 .. 4 V'],
    },
  },
  form: 'check',
  takesTexts: true,
  parse(args) {
    const condition = readCondition(atomize(args.rest()), args);
    return condition && { form: 'check', condition };
  },
  print: ({ condition }) => `CHECK ${printCondition(condition, isMixedRange(condition) ? 'dots' : 'chain')}`,
  compile(form, line) {
    const condition = resolveCondition(form.condition, line.pos, line.scope, line.site);
    line.push({ op: 'check', form: 'CHECK', condition, texts: line.body.open(line.pos, condition) });
  },
  operations: {
    check: {
      plan: ({ condition, texts }) => renderCheck(`check ${renderCondition(condition)}`, texts),
      cost: ({ condition }, timeouts) => readsMs(condition, timeouts),
      effect: moveNothing,
      async run({ condition, form, texts }, command) {
        const evaluation = await evaluateHere(condition, command);
        const flow = conclude(judgementOf(form, evaluation), texts, command);
        judgeReadings(evaluation, command);
        return flow;
      },
    },
  },
});

/** A joined condition that contains a range needs the dots: a chain binds to its neighbours. */
const isMixedRange = (condition: Condition): boolean =>
  (condition.kind === 'all' || condition.kind === 'any') &&
  condition.parts.every((part) => part.kind !== 'range' || (part.lowInclusive && part.highInclusive));
