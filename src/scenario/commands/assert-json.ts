import { printWord } from '../format/words.ts';
import { reportMalformed } from '../forms/malformed.ts';
import { operatorOf } from '../forms/operator.ts';
import type { InstructionOf } from '../program/instruction.ts';
import type { ComparisonOperator } from '../program/operand.ts';
import { renderCheck } from '../program/render-values.ts';
import { RunFault } from '../rig/fault.ts';
import { lastAnswer, plain } from '../run/assertion.ts';
import type { Command, Flow } from '../run/command.ts';
import { compare } from '../run/compare.ts';
import { conclude } from '../run/conclude.ts';
import { atPath } from '../run/json-path.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import { parseNumber } from '../values/number.ts';
import { defineCommand } from './define-command.ts';

interface Wanted {
  readonly path: string;
  readonly operator: ComparisonOperator | 'contains';
  readonly expected: string;
}

declare module '../forms/form.ts' {
  interface Forms {
    'assert-json': Wanted;
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    'assert-json': Wanted & { readonly texts: CheckTexts };
  }
}

const EMPTY_PART =
  "contains '' holds for every text; name the text that must be there, or leave out contains to ask for an empty value";

export const assertJson = defineCommand({
  words: {
    ASSERT_JSON: {
      since: 2,
      args: 'path:word operator:word? value:value',
      effect: 'check',
      doc: 'Checks a value in the last API answer, by dotted path.',
      examples: ["API_GET '/health'\nASSERT_JSON 'mode' 'real'", "API_GET '/health'\nASSERT_JSON pid > 1"],
    },
  },
  form: 'assert-json',
  takesTexts: true,
  parse(args) {
    const [path, second, third, fourth] = args.rest();
    const example = "ASSERT_JSON 'mode' 'real'";
    if (!path || !second) return reportMalformed(args, 'needs a path and a value', example);
    if (/^\.|\.\.|\.$|^$/.test(path.text))
      return reportMalformed(args, `has a bad path "${path.text}"`, example);
    const operator = /^contains$/i.test(second.text) && third ? 'contains' : operatorOf(second.text);
    if (operator && !third && !second.quoted)
      return reportMalformed(args, `needs a value after ${second.text}`, example);
    if (operator === 'contains' && third?.text === '') return reportMalformed(args, EMPTY_PART, example);
    const valued = operator && third;
    const extra = valued ? fourth : third;
    if (extra)
      return reportMalformed(
        args,
        `takes one value; remove "${extra.text}", or quote a value that contains blanks`,
        example,
      );
    return {
      form: 'assert-json',
      path: path.text,
      operator: valued ? operator : '=',
      expected: valued ? third.text : second.text,
    };
  },
  print: ({ path, operator, expected }) =>
    `ASSERT_JSON ${printWord(path)} ${operator} ${printWord(expected)}`,
  compile({ path, operator, expected }, line) {
    line.body.noteText(expected, line.pos);
    line.push({ op: 'assert-json', path, operator, expected, texts: line.body.open(line.pos) });
  },
  operations: {
    'assert-json': {
      plan: ({ path, operator, expected, texts }) =>
        renderCheck(`assert-json ${path} ${operator} ${expected}`, texts),
      cost: noTime,
      effect: moveNothing,
      run: judgeJson,
    },
  },
});

async function judgeJson(
  { path, operator, expected: written, texts }: InstructionOf<'assert-json'>,
  command: Command,
): Promise<Flow> {
  const { run } = command;
  const expected = written.includes('$') ? run.strictText(written) : written;
  if (operator === 'contains' && expected === '')
    throw new RunFault('SCN411', `ASSERT_JSON: ${written} is empty, and every text contains that; set it`);
  const answer = lastAnswer('ASSERT_JSON', command);
  command.about(path);
  const { found, value } = atPath(answer.body, path);
  const holds = found && jsonHolds(value, operator, expected);
  const actual = found ? jsonScalar(value) : null;
  const text = `${path} is ${found ? JSON.stringify(value)?.slice(0, 200) : 'missing'}, expected ${operator} ${expected}`;
  return conclude({ ...plain('ASSERT_JSON', holds, text, [path]), op: operator, actual }, texts, command);
}

const jsonScalar = (value: unknown): number | string | boolean | null =>
  typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' || value === null
    ? value
    : (JSON.stringify(value)?.slice(0, 200) ?? null);

function jsonHolds(value: unknown, operator: ComparisonOperator | 'contains', expected: string): boolean {
  if (operator === 'contains') return contains(value, expected);
  const number =
    typeof value === 'number' ? value : typeof value === 'string' ? parseNumber(value) : undefined;
  const limit = parseNumber(expected);
  if (number !== undefined && limit !== undefined) return compare(number, operator, limit);
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value);
  const same = typeof value === 'boolean' ? text === expected.trim().toLowerCase() : text === expected;
  if (operator === '=') return same;
  return operator === '!=' ? !same : false;
}

function contains(value: unknown, expected: string): boolean {
  if (typeof value === 'string') return value.includes(expected);
  if (Array.isArray(value)) return value.some((item) => jsonHolds(item, '=', expected));
  return typeof value === 'object' && value !== null && Object.hasOwn(value, expected);
}
