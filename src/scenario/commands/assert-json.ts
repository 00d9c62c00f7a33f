import { printWord } from '../format/words.ts';
import { reportMalformed } from '../forms/malformed.ts';
import { operatorOf } from '../forms/operator.ts';
import type { ComparisonOperator } from '../program/operand.ts';
import { renderCheck } from '../program/render-values.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
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

export const assertJson = defineCommand({
  words: {
    ASSERT_JSON: {
      since: 2,
      args: 'path:word operator:word? value:value',
      effect: 'check',
      doc: 'A value in the last API answer, by dotted path.',
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
    const valued = operator && third;
    const extra = valued ? fourth : third;
    if (extra)
      return reportMalformed(
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
    },
  },
});
