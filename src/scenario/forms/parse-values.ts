import type { CalcFunction } from '../program/instruction.ts';
import type { Token } from '../source/token.ts';
import { parseNumber } from '../values/number.ts';
import { parseQuantity } from '../values/quantity.ts';
import { type Args, isOpen, mayBeUnit } from './args.ts';
import type { Form, TaskVerb } from './form.ts';
import { parseBound } from './parse-judging.ts';
import { parseConfirm } from './parse-prompt.ts';

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
  const word = target.kind === 'bare' ? target.text.toUpperCase() : '';
  if ((word === 'MIN' || word === 'MAX') && args.left > 1 && parseNumber(args.peek()!.text) === undefined)
    return parseBound(args, word);
  if (word === 'VAL' && args.left > 1 && parseNumber(args.peek()!.text) === undefined) return parseGet(args);
  const equals = args.skipEquals();
  return finishSet(args, target.text, target, equals);
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

const CHECK_MARK = /^[✓✔☑✅]️?$/u;

export function parseSave(args: Args): Form | undefined {
  if (args.tokens[0]!.text.endsWith(':'))
    args.report('SCN301', 'SAVE: is a form of version 1; write SAVE without the colon', args.tokens[0]!.pos);
  const tokens = args.rest().filter((token) => !CHECK_MARK.test(token.text));
  const [first, second, third] = tokens;
  if (!first) {
    args.missing('a label', 'SAVE p0');
    return undefined;
  }
  if (third) args.report('SCN124', `"${third.text}" is more than SAVE takes and is not used`, third.pos);
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

const ARROW_ACTIONS: Readonly<Record<string, 'set' | 'read' | 'save' | 'confirm' | 'wait' | 'on' | 'off'>> = {
  set: 'set',
  on: 'on',
  open: 'on',
  start: 'on',
  enable: 'on',
  off: 'off',
  close: 'off',
  stop: 'off',
  disable: 'off',
  read: 'read',
  get: 'read',
  measure: 'read',
  save: 'save',
  confirm: 'confirm',
  wait: 'wait',
};

/** `→ Pump.set 3 l/min`, `→ Valve.open NC`, `→ BO05.on`, `→ Sensor.read AI01`, `→ Operator.confirm 't'` */
export function parseArrow(args: Args): Form | undefined {
  const arrow = args.tokens[0]!;
  args.report('SCN301', 'arrows are a form of version 1; write SET and GET', arrow.pos);
  const joined = arrow.text.replace(/^(→|->)/, '');
  const token = joined === '' ? args.need('an action', '→ Pump.set 3 l/min') : arrow;
  if (!token) return undefined;
  const path = token === arrow ? joined : token.text;
  const dot = path.lastIndexOf('.');
  const object = dot < 0 ? path : path.slice(0, dot);
  const method = dot < 0 ? '' : path.slice(dot + 1).toLowerCase();
  const action = Object.hasOwn(ARROW_ACTIONS, method) ? ARROW_ACTIONS[method]! : undefined;
  if (action === 'confirm') {
    const asked = parseConfirm(args);
    return asked && { form: 'arrow', action, object, token, ...asked };
  }
  if (action === 'set') {
    const found = args.value('a value', '→ Pump.set 3 l/min');
    args.end();
    return found && { form: 'arrow', action, object, token, value: found.value, text: found.token.text };
  }
  if (action === 'wait') {
    const text = args
      .rest()
      .map((one) => one.text)
      .join(' ');
    return { form: 'arrow', action, object, token, text };
  }
  if (
    method === 'start' &&
    args.left > 0 &&
    parseNumber(args.peek()!.text.replace(/[a-z/]+$/i, '')) !== undefined
  ) {
    const found = args.value('a value', '→ Lung.start 3 cycles');
    args.end();
    return (
      found && { form: 'arrow', action: 'set', object, token, value: found.value, text: found.token.text }
    );
  }
  if (action === 'on' || action === 'off') {
    const which = args.take();
    args.end();
    const target = which ? `${object}-${which.text}` : object;
    return {
      form: 'arrow',
      action: 'set',
      object: target,
      token,
      value: { kind: 'text', text: action },
      text: action,
    };
  }
  if (action === 'read' || action === 'save') {
    const which = args.take();
    args.end();
    return { form: 'arrow', action, object: which?.text ?? object, token: which ?? token, text: '' };
  }
  const text = args
    .rest()
    .map((one) => one.text)
    .join(' ');
  return { form: 'arrow', action: 'other', object: path, token, text };
}
