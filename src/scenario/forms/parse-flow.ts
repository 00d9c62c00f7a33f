import { type Args, isOpen } from './args.ts';
import { atomize } from './atoms.ts';
import { readCondition } from './condition.ts';
import type { Form } from './form.ts';

/** PASS, FAIL: `FAIL ['p'] 't' [GOTO 'g' | RETRY n]` */
export function parseVerdictText(args: Args, when: 'pass' | 'fail'): Form | undefined {
  const word = when.toUpperCase();
  const tokens = args.rest();
  const at = tokens.findIndex(
    (token, i) => i > 0 && token.kind === 'bare' && /^(goto|retry)$/i.test(token.text),
  );
  const head = at < 0 ? tokens : tokens.slice(0, at);
  const [first, second, third] = head;
  if (!first) {
    args.missing('a text', `${word} 'tight'`);
    return undefined;
  }
  const isPair = second !== undefined && (first.kind !== 'bare' || second.kind !== 'bare');
  if (isPair && third)
    args.report('SCN124', `"${third.text}" is more than ${word} takes and is not used`, third.pos);
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
  return { form: 'verdict-text', when, ...texts, retry };
}

/** CALL and FUNC. `FUNC: m` is the loose form: an unknown macro is a warning when read. */
export function parseCall(args: Args): Form | undefined {
  const word = args.tokens[0]!;
  const joined = /^func:(.+)$/i.exec(word.text)?.[1];
  if (joined) return { form: 'call', macro: joined, token: word, args: args.rest(), loose: true };
  const token = args.need('a macro', 'CALL hold 2 500ms');
  return (
    token && { form: 'call', macro: token.text, token, args: args.rest(), loose: word.text.endsWith(':') }
  );
}

export function parseRepeat(args: Args): Form | undefined {
  if (args.left === 0 || /^STOP:?$/i.test(args.peek()!.text)) {
    args.take();
    args.end();
    return { form: 'close' };
  }
  const count = args.integer('number of rounds', 'REPEAT 3:', 1, 1000);
  if (args.peek()?.text === ':') args.take();
  args.end();
  return count === undefined ? undefined : { form: 'repeat', count };
}

/** `LOOP n TIMES`, `LOOP WHILE cond` */
export function parseLoop(args: Args): Form | undefined {
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
  const times = args.integer('number of rounds', 'LOOP 3 TIMES', 0, 1000);
  if (/^times:?$/i.test(args.peek()?.text ?? '')) args.take();
  args.end();
  return times === undefined ? undefined : { form: 'loop', times };
}

export function parseGoto(args: Args): Form | undefined {
  const tokens = args.rest();
  const token = tokens[0];
  if (!token) {
    args.missing('a goal', "GOTO 'Leak test'");
    return undefined;
  }
  return { form: 'goto', goal: tokens.map((one) => one.text).join(' '), token };
}

export function parseIfFail(args: Args): Form | undefined {
  const token = args.need('a sensor, target or path', "IF_FAIL 'AI01' THEN");
  if (/^then:?$/i.test(args.peek()?.text ?? '')) args.take();
  args.end();
  return token && { form: 'if-fail', key: token.text };
}
