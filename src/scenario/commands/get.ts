import { printName } from '../format/words.ts';
import { type Args, mayBeUnit } from '../forms/args.ts';
import type { Form } from '../forms/form.ts';
import { checkSubjectUnit } from '../program/compile/limits.ts';
import type { Subject } from '../program/operand.ts';
import { renderSubject } from '../program/render-values.ts';
import { readAndJudge } from '../run/read-and-judge.ts';
import { namesOf, targetOf } from '../run/target.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { readMs } from '../safety/costs.ts';
import type { Token } from '../source/token.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    get: { readonly name: string; readonly token: Token; readonly unit?: string };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** A fresh reading, in `unit` when given. */
    read: { readonly subject: Subject; readonly unit?: string };
  }
}

export function parseGet(args: Args): Form | undefined {
  const token = args.need('a sensor', 'GET AI01');
  if (!token) return undefined;
  const next = args.peek();
  if (!next || !mayBeUnit(next.text)) {
    args.end();
    return { form: 'get', name: token.text, token };
  }
  args.take();
  args.checkUnit(next.text, next.pos);
  args.end();
  return { form: 'get', name: token.text, token, unit: next.text };
}

export const get = defineCommand({
  words: {
    GET: {
      aliases: ['READ', 'GET_SENSOR'],
      args: 'sensor:sensor unit:unit?',
      effect: 'read',
      doc: 'Takes a fresh reading, optionally in a given unit.',
      examples: ['GET AI01', 'GET AI01 V'],
    },
    VAL: {
      since: 2,
      args: 'sensor:sensor unit:unit?',
      effect: 'read',
      doc: 'Takes a fresh reading in that unit.',
      examples: ["VAL 'AI02' 'V'"],
    },
  },
  form: 'get',
  parse: parseGet,
  print: ({ name, unit }, command) =>
    `${command === 'VAL' || command === 'SET' ? 'VAL' : 'GET'} ${printName(name)}${unit === undefined ? '' : ` ${unit}`}`,
  compile({ name, token, unit }, line) {
    const subject = line.subjectNow(name, token.pos);
    if (unit === undefined) return line.push({ op: 'read', subject });
    checkSubjectUnit(subject, unit, token.pos, line.scope, line.site);
    line.push({ op: 'read', subject, unit });
  },
  operations: {
    read: {
      plan: ({ subject, unit }) => `read ${renderSubject(subject)}${unit === undefined ? '' : ` in ${unit}`}`,
      cost: readMs,
      effect: moveNothing,
      async run({ subject, unit }, command) {
        const { run } = command;
        const target = targetOf(subject, run);
        command.about(...namesOf(target));
        await readAndJudge(target, unit?.includes('$') ? run.strictText(unit) : unit, command);
      },
    },
  },
});
