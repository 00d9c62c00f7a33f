import { printName, quote } from '../format/words.ts';
import { type Args, isOpen } from '../forms/args.ts';
import type { Form } from '../forms/form.ts';
import { defineVariable } from '../program/compile/define-variable.ts';
import type { CalcFunction } from '../program/instruction.ts';
import type { Value } from '../program/operand.ts';
import { renderValue } from '../program/render-values.ts';
import { assign } from '../safety/assign.ts';
import { calculate } from '../safety/calculate.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import type { Token } from '../source/token.ts';
import { formatNumber } from '../values/number.ts';
import { parseQuantity } from '../values/quantity.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    calc: {
      readonly name: string;
      readonly fn: CalcFunction;
      readonly args: readonly Value[];
      readonly token: Token;
    };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    calc: { readonly name: string; readonly fn: CalcFunction; readonly args: readonly Value[] };
  }
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

export const calc = defineCommand({
  words: {
    CALC: {
      aliases: ['FUN'],
      legacy: true,
      since: 2,
      args: 'name:variable function:word arguments:rest',
      effect: 'variable',
      doc: 'Computes AVG, SUM, MIN, MAX, SUB, MUL, DIV, ADD, COUNT or STDDEV.',
      examples: ["VAR a = '1'\nVAR b = '2'\nCALC 'v' = 'AVG' 'a, b'"],
    },
  },
  form: 'calc',
  defines: ({ defined }, first) => defined.add(first),
  parse(args) {
    args.report('SCN301', 'CALC is an old form', args.tokens[0]!.pos);
    return parseCalc(args);
  },
  print: ({ name, fn, args }, command) =>
    `${command} ${printName(name)} = ${fn} ${quote(args.map(printArgument).join(', '))}`,
  compile({ name, fn, args: written }, line) {
    // One sampled sensor is named itself.
    const args = written.map((one) =>
      one.kind === 'variable' && line.scope.registry.sensor(one.name) ? one : line.value(one),
    );
    defineVariable(name, line.pos, line.scope, line.site);
    line.push({ op: 'calc', name, fn, args });
  },
  operations: {
    calc: {
      plan: ({ name, fn, args }) => `calc ${name} = ${fn} ${args.map(renderValue).join(', ')}`,
      cost: noTime,
      effect: (one, state, walk) =>
        moveNothing(one, state, walk, (variables) =>
          assign(one.name, calculate(one.fn, one.args, variables, walk.analysis.options.registry), variables),
        ),
      sets: ({ name }) => ({ name, isLiteral: false }),
    },
  },
});

function printArgument(value: Value): string {
  switch (value.kind) {
    case 'quantity':
      return formatNumber(value.value) + (value.unit === undefined ? '' : ` ${value.unit}`);
    case 'variable':
      return value.name;
    case 'infinity':
      return 'inf';
    default:
      return value.text;
  }
}
