import { printName, printValue } from '../format/words.ts';
import type { Value } from '../program/operand.ts';
import type { Token } from '../source/token.ts';
import { VARIABLE_NAME } from '../values/variable-name.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    default: { readonly name: string; readonly token: Token; readonly value: Value };
  }
}

/** `DEFAULT HIGH 15 mbar`: the value has to be known before the run. */
export const defaultCommand = defineCommand({
  words: {
    DEFAULT: {
      since: 5,
      contexts: ['top', 'goal', 'config'],
      args: 'name:variable value:value unit:unit?',
      effect: 'variable',
      doc: 'Declares a parameter: the value that a name has from the start of the run unless one is given (--var, --vars, variables of the API). Before the first block, or at the top level of a GOAL or CONFIG; it applies to the whole scenario, wherever it is written.',
      examples: ['DEFAULT HIGH 4 V\nCHECK AI01 <= HIGH'],
    },
  },
  form: 'default',
  defines: ({ declared }, first) => declared.add(first),
  parse(args) {
    const example = 'DEFAULT HIGH 15 mbar';
    const token = args.need('a name and a value', example);
    if (!token) return undefined;
    args.skipEquals();
    const found = args.value('a value', example);
    if (!found) return undefined;
    args.end();
    if (!VARIABLE_NAME.test(token.text)) {
      args.report(
        'SCN156',
        `"${token.text}" cannot be the name of a DEFAULT; start with a letter, then letters, digits, _ . or -`,
        token.pos,
      );
      return undefined;
    }
    if (found.value.kind === 'template') {
      args.report(
        'SCN156',
        `the value of DEFAULT ${token.text} is computed; write a literal, or use SET in a CONFIG block`,
        found.pos,
      );
      return undefined;
    }
    return { form: 'default', name: token.text, token, value: found.value };
  },
  print: ({ name, value }) => `DEFAULT ${printName(name)} ${printValue(value)}`,
  compile({ name }, { scope, site, statement, pos }) {
    // Its value was taken over before the first command; its position has no effect.
    if (!scope.defaults.has(statement))
      site.report(
        'SCN155',
        `DEFAULT ${name} is inside a macro or a branch; move it above the first block`,
        pos,
      );
  },
  operations: {},
});
