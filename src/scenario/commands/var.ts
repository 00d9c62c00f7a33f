import { printName, printValue } from '../format/words.ts';
import { defineVariable } from '../program/compile/define-variable.ts';
import type { Value } from '../program/operand.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    declare: { readonly name: string; readonly value: Value };
  }
}

/** `VAR x = 'v'` */
export const variable = defineCommand({
  words: {
    VAR: {
      legacy: true,
      args: 'name:variable value:value',
      effect: 'variable',
      doc: 'Declares a variable.',
      examples: ["VAR x = '5'"],
    },
  },
  form: 'declare',
  defines: ({ declared }, first) => declared.add(first),
  parse(args) {
    args.report('SCN301', 'VAR is old syntax; write SET', args.tokens[0]!.pos);
    const token = args.need('a name and a value', "VAR x = '5'");
    if (!token) return undefined;
    if (args.peek()?.text === '=') args.take();
    const found = args.value('a value', `VAR ${token.text} = '5'`);
    if (!found) return undefined;
    args.end();
    return { form: 'declare', name: token.text, value: found.value };
  },
  print: ({ name, value }) => `VAR ${printName(name)} = ${printValue(value)}`,
  compile({ name, value }, line) {
    if (!name.includes('$')) line.scope.names.declare(name);
    defineVariable(name, line.pos, line.scope, line.site, { value });
    line.push({ op: 'set-variable', name, value: line.value(value) });
  },
  operations: {},
});
