import { printName, printRange, printValue } from '../format/words.ts';
import type { Args } from '../forms/args.ts';
import { type Atom, atomize } from '../forms/atoms.ts';
import { onlyWords, readBound, readRange } from '../forms/condition.ts';
import type { Form } from '../forms/form.ts';
import { checkLimits } from '../program/compile/limits.ts';
import type { InstructionOf } from '../program/instruction.ts';
import type { Subject, Value } from '../program/operand.ts';
import { renderSubject, renderValue } from '../program/render-values.ts';
import type { Bound } from '../run/bounds.ts';
import type { Command } from '../run/command.ts';
import { requireOneDimension } from '../run/convert-amount.ts';
import { judgeBound, judgeVariable } from '../run/judge-bounds.ts';
import { limitOf } from '../run/limit.ts';
import { requireMeasurable } from '../run/measurable.ts';
import { namesOf, targetOf } from '../run/target.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import type { Token } from '../source/token.ts';
import { defineCommand } from './define-command.ts';

type Side = 'MIN' | 'MAX' | 'RANGE';

declare module '../forms/form.ts' {
  interface Forms {
    bound: {
      readonly side: Side;
      readonly name: string;
      readonly token: Token;
      readonly low?: Value;
      readonly high?: Value;
    };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** Holds for the rest of the goal. */
    bound: { readonly form: Side; readonly subject: Subject; readonly low?: Value; readonly high?: Value };
  }
}

export function parseBound(args: Args, side: Side): Form | undefined {
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

export const bounds = defineCommand({
  words: {
    MIN: {
      args: 'sensor:sensor limit:quantity',
      effect: 'bound',
      doc: 'Lower bound for the rest of the goal, for every reading and sample.',
      examples: ['MIN AI01 0 V\nGET AI01'],
    },
    MAX: {
      args: 'sensor:sensor limit:quantity',
      effect: 'bound',
      doc: 'Upper bound for the rest of the goal, for every reading and sample.',
      examples: ['MAX AI01 4 V\nGET AI01'],
    },
    RANGE: {
      since: 4,
      args: 'sensor:sensor range:range',
      effect: 'bound',
      doc: 'Lower and upper bound for the rest of the goal.',
      examples: ["RANGE 'AI01' '0 V' .. '4 V'\nGET AI01"],
    },
  },
  form: 'bound',
  parse: (args) => parseBound(args, args.command as Side),
  print({ side, name, low, high }) {
    if (low && high) return `RANGE ${printName(name)} ${printRange(low, high)}`;
    return `${side} ${printName(name)} ${printValue((low ?? high)!)}`;
  },
  compile({ side, name, token, low, high }, line) {
    const limits = {
      ...(low ? { low: line.value(low) } : {}),
      ...(high ? { high: line.value(high) } : {}),
    };
    const subject = line.subject(name, token.pos);
    checkLimits(
      { kind: 'subject', subject },
      [low, high].flatMap((limit) => limit ?? []),
      { pos: line.pos, subjectPos: token.pos },
      line.scope,
      line.site,
    );
    line.push({ op: 'bound', form: side, subject, ...limits });
  },
  operations: {
    bound: {
      plan({ subject, low, high }) {
        const from = low ? ` low ${renderValue(low)}` : '';
        const to = high ? ` high ${renderValue(high)}` : '';
        return `bound ${renderSubject(subject)}${from}${to}`;
      },
      cost: noTime,
      effect: moveNothing,
      run: holdBound,
    },
  },
});

/** MIN, MAX, RANGE: judge the last reading, if any, and every later one. */
async function holdBound(instruction: InstructionOf<'bound'>, command: Command): Promise<void> {
  const { run, goal } = command;
  const target = targetOf(instruction.subject, run);
  command.about(...namesOf(target));
  const low = instruction.low && limitOf(instruction.low, run);
  const high = instruction.high && limitOf(instruction.high, run);
  requireOneDimension(low, high);
  if (target.kind === 'sensor')
    for (const limit of [low, high]) if (limit) requireMeasurable(target.sensor, limit, run);
  const shared = low?.unit ?? high?.unit;
  const side = (limit: typeof low) =>
    limit && limit.unit === undefined && shared !== undefined ? { ...limit, unit: shared } : limit;
  const declared: Bound = {
    instruction,
    subject: instruction.subject,
    key: target.key,
    low: side(low),
    high: side(high),
    met: false,
  };
  goal.bounds.declare(declared);
  const last = goal.last(target.key);
  if (last) {
    if (!judgeBound(declared, last, goal)) command.add('failed', goal.message);
  } else if (target.kind === 'variable' && run.variables.has(target.name)) {
    if (!judgeVariable(target.name, goal)) command.add('failed', goal.message);
  }
}
