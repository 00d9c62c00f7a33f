import type { CalcFunction } from '../program/instruction.ts';
import { isCheckMark } from '../source/check-mark.ts';
import { posBetween } from '../source/position.ts';
import type { Token } from '../source/token.ts';
import { parseDuration } from '../values/duration.ts';
import { parseNumber } from '../values/number.ts';
import { shorten } from '../values/number-fault.ts';
import { parseQuantity } from '../values/quantity.ts';
import { type Args, isOpen, mayBeUnit } from './args.ts';
import type { Form, TaskVerb } from './form.ts';
import { parseBound } from './parse-judging.ts';

const PAUSE_WORDS = /^(wait|delay|pause)$/i;

/** SET: pause words, `SET MIN 'p' 'q'`, and targets. */
export function parseSet(args: Args): Form | undefined {
  const target = args.need('a target and a value', 'SET pump 5 l/min');
  if (!target) return undefined;
  if (PAUSE_WORDS.test(target.text)) {
    args.skipEquals();
    const duration = args.duration('a duration', "SET WAIT '2 s'");
    args.end();
    return duration === undefined ? undefined : { form: 'wait', duration, bySet: true };
  }
  if (/^timer$/i.test(target.text)) return parseTimerReset(args);
  const word = target.kind === 'bare' ? target.text.toUpperCase() : '';
  if ((word === 'MIN' || word === 'MAX') && args.left > 1 && parseNumber(args.peek()!.text) === undefined)
    return parseBound(args, word);
  if (word === 'VAL' && args.left > 1 && parseNumber(args.peek()!.text) === undefined) return parseGet(args);
  const equals = args.skipEquals();
  return finishSet(args, target.text, target, equals);
}

/** `SET timer`, `SET timer 0`, `SET timer '0 s'`: any other value could be meant as a pause. */
function parseTimerReset(args: Args): Form | undefined {
  args.skipEquals();
  const tokens = args.rest();
  const text = tokens.map((token) => token.text).join(' ');
  if (text === '' || parseDuration(text) === 0 || /^(?:start|restart|reset)$/i.test(text))
    return { form: 'reset-timer' };
  args.report(
    'SCN126',
    `SET timer sets the clock of the goal back to 0 and takes no other value; write SET timer 0, or WAIT ${shorten(text)} for a pause`,
    posBetween(tokens[0]!.pos, tokens.at(-1)!.pos),
  );
  return undefined;
}

/** `PUMP '5 l/min'` */
export const parsePump = (args: Args): Form | undefined => finishSet(args, 'pump', args.tokens[0]!, false);

function finishSet(args: Args, target: string, targetToken: Token, equals: boolean): Form | undefined {
  const found = args.value('a value', `SET ${/^[\w.-]+$/.test(target) ? target : `[${target}]`} 5`);
  if (!found) return undefined;
  args.end();
  return { form: 'set', target, targetToken, value: found.value, valuePos: found.pos, equals };
}

export function parseWait(args: Args): Form | undefined {
  args.skipEquals();
  const duration = args.duration('a duration', 'WAIT 500ms');
  args.end();
  return duration === undefined ? undefined : { form: 'wait', duration, bySet: false };
}

/** GET, READ, GET_SENSOR and VAL. */
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

export function parseSave(args: Args): Form | undefined {
  if (args.tokens[0]!.text.endsWith(':'))
    args.report('SCN301', 'SAVE: is a form of version 1; write SAVE without the colon', args.tokens[0]!.pos);
  const tokens = args.rest().filter((token) => !isCheckMark(token.text));
  const [first, second] = tokens;
  if (!first) {
    args.missing('a label', 'SAVE p0');
    return undefined;
  }
  args.extra(tokens.slice(2));
  return second
    ? { form: 'save', name: first.text, label: second.text, token: first }
    : { form: 'save', label: first.text, token: first };
}

/** `VAR x = 'v'` */
export function parseVar(args: Args): Form | undefined {
  const token = args.need('a name and a value', "VAR x = '5'");
  if (!token) return undefined;
  if (args.peek()?.text === '=') args.take();
  const found = args.value('a value', `VAR ${token.text} = '5'`);
  if (!found) return undefined;
  args.end();
  return { form: 'declare', name: token.text, value: found.value };
}

const FUNCTIONS: ReadonlySet<string> = new Set([
  'AVG',
  'SUM',
  'MIN',
  'MAX',
  'SUB',
  'MUL',
  'DIV',
  'ADD',
  'COUNT',
  'STDDEV',
]);

/** `CALC 'v' = 'AVG' 'a, b'` */
export function parseCalc(args: Args): Form | undefined {
  const example = "CALC 'v' = 'AVG' 'a, b'";
  const name = args.need('a name', example);
  if (name && args.peek()?.text === '=') args.take();
  const fn = name && args.need('a function', example);
  if (!name || !fn) return undefined;
  const word = fn.text.toUpperCase();
  if (!FUNCTIONS.has(word)) {
    args.report(
      'SCN123',
      `"${fn.text}" is no function of CALC; use one of ${[...FUNCTIONS].join(', ')}`,
      fn.pos,
    );
    return undefined;
  }
  const parts = args
    .rest()
    .flatMap((token) => token.text.split(/[,;](?!\d)|[,;]\s+/).map((text) => text.trim()));
  const values = parts.filter((text) => text !== '');
  if (values.length === 0) {
    args.missing('the values to compute with', example);
    return undefined;
  }
  return {
    form: 'calc',
    name: name.text,
    fn: word as CalcFunction,
    token: name,
    args: values.map((text) => {
      args.badNumber(text, name.pos);
      const quantity = parseQuantity(text);
      if (quantity) return args.quantity(quantity.value, quantity.unit, name.pos);
      return isOpen(text) ? { kind: 'template', text } : { kind: 'variable', name: text };
    }),
  };
}

const VERBS = new Map<string, TaskVerb>([
  ...['on', 'open', 'start', 'włącz', 'wlacz', 'otwórz', 'otworz', 'załącz'].map(
    (word): [string, TaskVerb] => [word, 'on'],
  ),
  ...['off', 'close', 'stop', 'wyłącz', 'wylacz', 'zamknij'].map((word): [string, TaskVerb] => [word, 'off']),
  ...['save', 'zapisz'].map((word): [string, TaskVerb] => [word, 'save']),
  ...['measure', 'read', 'get', 'zmierz', 'odczytaj'].map((word): [string, TaskVerb] => [word, 'measure']),
]);

/** `TASK: [open] [valve-1] AND [measure] [AI01]` */
export function parseTaskList(args: Args): Form | undefined {
  args.report('SCN301', 'TASK: is a form of version 1; write SET, SAVE and GET', args.tokens[0]!.pos);
  const groups: Token[][] = [[]];
  for (const token of args.rest()) {
    if (token.kind === 'bare' && /^(and|i|oraz)$/i.test(token.text)) groups.push([]);
    else groups.at(-1)!.push(token);
  }
  const actions = [];
  for (const [verb, ...object] of groups) {
    if (!verb || object.length === 0) {
      args.missing('a verb and an object', 'TASK: [open] [valve-1]');
      return undefined;
    }
    actions.push({
      verb: VERBS.get(verb.text.toLowerCase()) ?? 'other',
      word: verb.text,
      object: object.map((token) => token.text).join(' '),
      token: object[0]!,
    } as const);
  }
  return { form: 'task-list', actions };
}
