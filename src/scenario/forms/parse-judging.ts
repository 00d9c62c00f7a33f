import { parseValveWord } from '../../rig/actuators/valve-word.ts';
import type { ComparisonOperator, Value } from '../program/operand.ts';
import { OPERATORS } from '../syntax/words.ts';
import { parseDuration } from '../values/duration.ts';
import { type Args, isOpen } from './args.ts';
import { type Atom, atomize, type WordAtom } from './atoms.ts';
import { onlyWords, readBound, readCondition, readRange } from './condition.ts';
import type { ElseForm, Form } from './form.ts';

const ACTIONS = /^(error|pass|wait)$/i;

/** `CHECK 6 <= p <= 8 bar`, `CHECK p <= 8 bar`, `CHECK p 6 .. 8 bar` */
export function parseCheck(args: Args): Form | undefined {
  const condition = readCondition(atomize(args.rest()), args);
  return condition && { form: 'check', condition };
}

/** IF and OR IF: range or comparison, with an ELSE on the same line. */
export function parseIf(args: Args): Form | undefined {
  const atoms = atomize(args.rest());
  const last = atoms.at(-1);
  if (last?.type === 'word' && !last.quoted && /^then:?$/i.test(last.text)) atoms.pop();
  const at = atoms.findIndex((atom) => atom.type === 'else');
  const head = at < 0 ? atoms : atoms.slice(0, at);
  const condition = readCondition(head, args);
  const orElse = at < 0 ? undefined : readElse(atoms.slice(at + 1), args);
  if (!condition) return undefined;
  return {
    form: 'if',
    condition,
    isRange: head.some((atom) => atom.type === 'dots'),
    ...(orElse ? { orElse } : {}),
  };
}

/** ELSE on its own line. */
export function parseElse(args: Args): Form {
  const atoms: Atom[] = args
    .rest()
    .map((token) => ({ type: 'word', text: token.text, quoted: token.quoted, token }));
  return { form: 'else', orElse: readElse(atoms, args) ?? { branch: 'open' } };
}

function readElse(atoms: readonly Atom[], args: Args): ElseForm | undefined {
  const words = atoms.filter((atom): atom is WordAtom => atom.type === 'word');
  const [first, ...rest] = words;
  if (!first) return { branch: 'open' };
  const text = rest.map((word) => word.text).join(' ');
  const level = first.text.toLowerCase();
  if (level === 'error' || level === 'info' || level === 'warning') {
    if (text === '')
      args.missing(`a text after ELSE ${first.text}`, `ELSE ${first.text.toUpperCase()} 'too low'`);
    return { branch: 'message', level, text };
  }
  if (level === 'goal' && rest[0]) return { branch: 'goal', goal: text, token: rest[0].token };
  args.report(
    'SCN124',
    `after ELSE only ERROR, INFO, WARNING or GOAL may follow on the same line; found "${first.text}"`,
    first.token.pos,
    {
      severity: 'E',
    },
  );
  return undefined;
}

/** `p ∈ [lo, hi] u | ERROR 't'`, `p ≥ q`, `Δp ≤ q | WAIT` */
export function parseConditionLine(args: Args): Form | undefined {
  args.report('SCN301', 'a condition line is a form of version 1; write CHECK', args.pos);
  const atoms = atomize(args.tokens);
  const bar = atoms.findIndex((atom) => atom.type === 'bar');
  const condition = readCondition(bar < 0 ? atoms : atoms.slice(0, bar), args);
  if (!condition) return undefined;
  if (bar < 0) return { form: 'condition', condition };
  const words = onlyWords(atoms.slice(bar + 1), args);
  if (!words) return undefined;
  const [word, ...rest] = words;
  if (!word || !ACTIONS.test(word.text)) {
    args.report('SCN123', 'after | one of ERROR, PASS or WAIT is expected', atoms[bar]!.token.pos);
    return undefined;
  }
  const action = word.text.toUpperCase() as 'ERROR' | 'PASS' | 'WAIT';
  const text = rest.map((one) => one.text).join(' ');
  // `| WAIT 30 s` reads like a time-out, which this form does not have.
  if (action === 'WAIT' && parseDuration(text) !== undefined) {
    args.extra(rest.map((one) => one.token));
    return undefined;
  }
  return { form: 'condition', condition, action, ...(text === '' ? {} : { text }) };
}

/** MIN, MAX and RANGE. */
export function parseBound(args: Args, side: 'MIN' | 'MAX' | 'RANGE'): Form | undefined {
  const example = side === 'RANGE' ? 'RANGE AI01 6 .. 8 bar' : `${side} AI01 6 bar`;
  const token = args.peek();
  if (!token) {
    args.missing('a sensor and a limit', example);
    return undefined;
  }
  args.take();
  args.skipEquals();
  const atoms = atomize(args.rest());
  if (side === 'RANGE') {
    const name: Atom = { type: 'word', text: token.text, quoted: true, token };
    if (!atoms.some((atom) => atom.type === 'dots')) {
      args.missing('a range', example);
      return undefined;
    }
    const range = readRange([name, ...atoms], args);
    if (range?.kind !== 'range') return undefined;
    const { subject } = range;
    const isName = subject.kind === 'subject' && subject.subject.name === token.text;
    if (!isName && !(subject.kind === 'template' && subject.text === token.text)) {
      args.extra([(atoms[0] ?? name).token]);
      return undefined;
    }
    return { form: 'bound', side, name: token.text, token, low: range.low, high: range.high };
  }
  const words = onlyWords(atoms, args);
  if (!words) return undefined;
  if (words.length === 0) {
    args.missing('a limit', example);
    return undefined;
  }
  const limit = readBound(words, args);
  if (!limit) return undefined;
  return {
    form: 'bound',
    side,
    name: token.text,
    token,
    ...(side === 'MIN' ? { low: limit } : { high: limit }),
  };
}

/** `IF_DELTA p d q`: the sign of q says which way. */
export function parseDelta(args: Args): Form | undefined {
  const example = 'IF_DELTA AI01 5s +2 mbar';
  const token = args.need('a sensor', example);
  if (!token) return undefined;
  const window = args.duration('a duration', example);
  if (window === undefined) return undefined;
  const words = onlyWords(atomize(args.rest()), args);
  if (!words) return undefined;
  const first = words[0];
  if (!first) {
    args.missing('a change', example);
    return undefined;
  }
  const threshold = readBound(words, args);
  if (!threshold) return undefined;
  const direction = directionOf(threshold, first.text.trimStart()[0]);
  if (direction === 'rise' && !first.text.trimStart().startsWith('+'))
    args.report(
      'SCN246',
      `"${first.text}" has no sign and counts as a rise; write +${first.text}, -${first.text} or 0`,
      first.token.pos,
      {
        fix: {
          pos: { ...first.token.pos, endCol: first.token.pos.col + (first.token.quoted ? 1 : 0) },
          text: first.token.quoted ? "'+" : '+',
        },
      },
    );
  return { form: 'delta', name: token.text, token, window, direction, threshold };
}

function directionOf(threshold: Value, sign: string | undefined): 'rise' | 'fall' | 'none' | 'signed' {
  if (threshold.kind === 'quantity' && threshold.value === 0) return 'none';
  if (sign === '-' || sign === '−') return 'fall';
  return sign === '+' || threshold.kind === 'quantity' ? 'rise' : 'signed';
}

export function parseSample(args: Args): Form | undefined {
  const example = 'SAMPLE AI01 START 100ms';
  const token = args.need('a sensor', example);
  const action = token && args.need('START or STOP', example);
  if (!token || !action) return undefined;
  const word = action.text.toUpperCase();
  if (word !== 'START' && word !== 'STOP') {
    args.report('SCN123', `SAMPLE takes START or STOP, found "${action.text}"`, action.pos);
    return undefined;
  }
  if (word === 'STOP' || args.left === 0) {
    args.end();
    return { form: 'sample', name: token.text, token, start: word === 'START' };
  }
  const interval = args.duration('an interval', example);
  args.end();
  if (interval === undefined) return undefined;
  if (typeof interval === 'number' && interval <= 0) {
    args.report('SCN126', 'the interval of SAMPLE is above 0, for example 100ms', action.pos);
    return undefined;
  }
  return { form: 'sample', name: token.text, token, start: true, interval };
}

const operatorOf = (text: string | undefined): ComparisonOperator | undefined => {
  const operator = text === undefined ? undefined : OPERATORS.get(text);
  return operator === '∈' ? undefined : operator;
};

/** A malformed assertion is SCN261, whatever is wrong with it. */
function malformed(args: Args, what: string, example: string): undefined {
  args.report('SCN261', `${args.command} ${what}, for example ${example}`, args.pos);
  return undefined;
}

export function parseAssertStatus(args: Args): Form | undefined {
  const text = args.take()?.text ?? '';
  args.end();
  const status = /^[1-5]\d\d$/.test(text) ? Number(text) : undefined;
  if (status === undefined && isOpen(text)) return undefined;
  if (status === undefined)
    return malformed(args, 'needs an HTTP status from 100 to 599', 'ASSERT_STATUS 200');
  return { form: 'assert-status', status };
}

export function parseAssertJson(args: Args): Form | undefined {
  const [path, second, third, fourth] = args.rest();
  const example = "ASSERT_JSON 'mode' 'real'";
  if (!path || !second) return malformed(args, 'needs a path and a value', example);
  if (/^\.|\.\.|\.$|^$/.test(path.text)) return malformed(args, `has a bad path "${path.text}"`, example);
  const operator = /^contains$/i.test(second.text) && third ? 'contains' : operatorOf(second.text);
  if (operator && !third && !second.quoted)
    return malformed(args, `needs a value after ${second.text}`, example);
  const valued = operator && third;
  const extra = valued ? fourth : third;
  if (extra)
    return malformed(
      args,
      `takes one value; "${extra.text}" is too much (quote values with blanks)`,
      example,
    );
  return {
    form: 'assert-json',
    path: path.text,
    operator: valued ? operator : '=',
    expected: valued ? third.text : second.text,
  };
}

export function parseAssertSensor(args: Args): Form | undefined {
  const example = "ASSERT_SENSOR 'AI01' '>=' '0.5 V'";
  const token = args.take();
  const operator = operatorOf(args.take()?.text);
  const words = onlyWords(atomize(args.rest()), args);
  if (!words) return undefined;
  if (!token || !operator || words.length === 0)
    return malformed(args, 'needs a sensor, an operator and a threshold', example);
  const threshold = readBound(words, args);
  return threshold && { form: 'assert-sensor', name: token.text, token, operator, threshold };
}

export function parseAssertValve(args: Args): Form | undefined {
  const token = args.take();
  const word = args.take();
  args.end();
  const expected = word && parseValveWord(word.text);
  if (token && word && isOpen(word.text)) return undefined;
  if (!token || expected === undefined)
    return malformed(args, 'needs a valve and a state', 'ASSERT_VALVE valve-1 off');
  return { form: 'assert-valve', name: token.text, token, expected };
}
