import { quote } from '../format/words.ts';
import { isOpen } from '../forms/args.ts';
import { unchanged } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import type { Token } from '../source/token.ts';
import { defineCommand } from './define-command.ts';

type When = 'pass' | 'fail';

declare module '../forms/form.ts' {
  interface Forms {
    'verdict-text': {
      readonly when: When;
      readonly name?: string;
      readonly text: string;
      readonly goTo?: string;
      readonly goToToken?: Token;
      readonly retry?: number;
    };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** Texts for the verdict of the goal or of one parameter; they decide nothing. */
    'verdict-text': {
      readonly when: When;
      readonly subject?: string;
      readonly message: string;
      readonly goTo?: string;
      readonly retry?: number;
    };
  }
}

/** `FAIL ['p'] 't' [GOTO 'g' | RETRY n]` */
export const verdictText = defineCommand({
  words: {
    PASS: {
      args: 'sensor:sensor? text:text',
      effect: 'message',
      doc: 'Text for a passed verdict of the goal or the parameter; decides nothing.',
      examples: ["PASS 'tight'"],
    },
    FAIL: {
      args: 'sensor:sensor? text:text then:rest?',
      effect: 'control',
      doc: 'Text for a failed verdict; at the end of a failed goal GOTO jumps and RETRY n runs it again.',
      examples: ["FAIL 'leaks'", "FAIL 'leaks' RETRY 2"],
    },
  },
  form: 'verdict-text',
  isProse: true,
  parse(args) {
    const when = args.command === 'PASS' ? 'pass' : 'fail';
    const tokens = args.rest();
    const at = tokens.findIndex(
      (token, i) => i > 0 && token.kind === 'bare' && /^(goto|retry)$/i.test(token.text),
    );
    const head = at < 0 ? tokens : tokens.slice(0, at);
    const [first, second, third] = head;
    if (!first) {
      args.missing('a text', `${args.command} 'tight'`);
      return undefined;
    }
    const isPair = second !== undefined && (first.kind !== 'bare' || second.kind !== 'bare');
    if (isPair && third) args.extra(head.slice(2), 'W');
    const texts = isPair
      ? { name: first.text, text: second.text }
      : { text: head.map((token) => token.text).join(' ') };
    if (at < 0) return { form: 'verdict-text', when, ...texts };
    const verb = tokens[at]!;
    const object = tokens[at + 1];
    if (when === 'pass' || !object) {
      args.report('SCN123', 'only FAIL takes GOTO and a goal, or RETRY and a number', verb.pos);
      return undefined;
    }
    if (/^goto$/i.test(verb.text)) {
      const goTo = tokens
        .slice(at + 1)
        .map((token) => token.text)
        .join(' ');
      return { form: 'verdict-text', when, ...texts, goTo, goToToken: object };
    }
    const retry = /^\d+$/.test(object.text) ? Number(object.text) : Number.NaN;
    if (!(retry >= 1 && retry <= 100)) {
      if (!isOpen(object.text))
        args.report('SCN125', `RETRY takes a whole number from 1 to 100, found "${object.text}"`, object.pos);
      return undefined;
    }
    args.extra(tokens.slice(at + 2));
    return { form: 'verdict-text', when, ...texts, retry };
  },
  print: ({ when, name, text, goTo, retry }) =>
    [
      when.toUpperCase(),
      ...(name === undefined ? [] : [quote(name)]),
      quote(text),
      ...(goTo === undefined ? [] : ['GOTO', quote(goTo)]),
      ...(retry === undefined ? [] : ['RETRY', String(retry)]),
    ].join(' '),
  compile({ when, name, text, goTo, goToToken, retry }, line) {
    line.body.noteText(text, line.pos);
    if (goTo !== undefined) line.body.noteGoal(goTo, goToToken?.pos ?? line.pos);
    line.push({
      op: 'verdict-text',
      when,
      message: text,
      ...(name === undefined ? {} : { subject: name }),
      ...(goTo === undefined ? {} : { goTo }),
      ...(retry === undefined ? {} : { retry }),
    });
  },
  operations: {
    'verdict-text': {
      plan: ({ when, subject, message, goTo, retry }) =>
        [
          `verdict-text ${when}`,
          ...(subject === undefined ? [] : [subject]),
          `'${message}'`,
          ...(goTo === undefined ? [] : [`goto '${goTo}'`]),
          ...(retry === undefined ? [] : [`retry ${retry}`]),
        ].join(' '),
      cost: noTime,
      effect: unchanged,
      async run(one, { goal }) {
        // Kept for the end of the goal.
        goal.verdictTexts.add(one);
      },
    },
  },
});
