import { printCondition, printWord } from '../format/words.ts';
import { isOpen } from '../forms/args.ts';
import { atomize } from '../forms/atoms.ts';
import { readCondition } from '../forms/condition.ts';
import { resolveCondition } from '../program/compile/conditions.ts';
import type { Condition } from '../program/operand.ts';
import { renderCondition } from '../program/render-values.ts';
import { noTime, readsMs } from '../safety/costs.ts';
import { walkLoop } from '../safety/loops.ts';
import { defineCommand } from './define-command.ts';

type Times = number | { readonly template: string };

declare module '../forms/form.ts' {
  interface Forms {
    loop: { readonly times?: Times; readonly condition?: Condition };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** LOOP n TIMES or LOOP WHILE: ITER counts from 0; WHILE past 1000 rounds is `error`. */
    loop: {
      readonly times?: Times;
      readonly condition?: Condition;
      readonly body: readonly Instruction[];
    };
  }
}

/** `LOOP n TIMES`, `LOOP WHILE cond` */
export const loop = defineCommand({
  words: {
    LOOP: {
      since: 2,
      legacy: true,
      args: 'kind:rest',
      effect: 'control',
      doc: 'LOOP n TIMES or LOOP WHILE condition, up to ENDLOOP.',
      examples: ['LOOP 2 TIMES\n  WAIT 10\nENDLOOP'],
    },
  },
  form: 'loop',
  defines: ({ defined }) => defined.add('ITER'),
  parse(args) {
    const first = args.peek();
    args.report('SCN301', 'LOOP is a form of version 2; write REPEAT n:', args.pos);
    if (first && /^while$/i.test(first.text)) {
      args.take();
      const condition = readCondition(atomize(args.rest()), args);
      return condition && { form: 'loop', condition };
    }
    if (first && isOpen(first.text)) {
      args.take();
      if (/^times:?$/i.test(args.peek()?.text ?? '')) args.take();
      args.end();
      return { form: 'loop', times: { template: first.text } };
    }
    const times = args.integer('number of rounds', 'LOOP 3 TIMES', 1, 1000);
    if (/^times:?$/i.test(args.peek()?.text ?? '')) args.take();
    args.end();
    return times === undefined ? undefined : { form: 'loop', times };
  },
  print({ condition, times }) {
    if (condition) return `LOOP WHILE ${printCondition(condition, 'chain')}`;
    return `LOOP ${typeof times === 'object' ? printWord(times.template) : times} TIMES`;
  },
  compile({ times, condition: written }, line) {
    const { scope, site } = line;
    const condition = written && resolveCondition(written, line.pos, scope, site);
    scope.names.define('ITER');
    if (!site.definition) scope.names.reach('ITER');
    line.push({
      op: 'loop',
      ...(times === undefined ? {} : { times }),
      ...(condition ? { condition } : {}),
      body: line.body.nested(line.statement.body),
    });
  },
  operations: {
    loop: {
      plan({ times, condition, body }, nested) {
        const count = typeof times === 'number' ? ` ${times}` : times ? ` \`${times.template}\`` : '';
        return [`loop${count}${condition ? ` while ${renderCondition(condition)}` : ''}`, ...nested(body)];
      },
      cost: ({ condition }, timeouts) => (condition ? readsMs(condition, timeouts) : noTime()),
      effect: walkLoop,
      sets: () => ({ name: 'ITER', isLiteral: false }),
    },
  },
});
