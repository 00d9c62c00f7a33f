import { printName } from '../format/words.ts';
import { defineVariable } from '../program/compile/define-variable.ts';
import { ANY } from '../safety/abstract-value.ts';
import { assign } from '../safety/assign.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    'save-json': { readonly name: string };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    'save-json': { readonly name: string };
  }
}

export const saveJson = defineCommand({
  words: {
    SAVE_JSON: {
      since: 3,
      args: 'name:variable',
      effect: 'variable',
      doc: 'Keeps the last API answer as a variable.',
      examples: ["API_GET '/health'\nSAVE_JSON answer"],
    },
  },
  form: 'save-json',
  defines: ({ defined }, first) => defined.add(first),
  parse(args) {
    const name = args.need('a name', 'SAVE_JSON answer');
    args.end();
    return name && { form: 'save-json', name: name.text };
  },
  print: ({ name }) => `SAVE_JSON ${printName(name)}`,
  compile({ name }, line) {
    defineVariable(name, line.pos, line.scope, line.site);
    line.push({ op: 'save-json', name });
  },
  operations: {
    'save-json': {
      plan: ({ name }) => `save-json ${name}`,
      cost: noTime,
      effect: (one, state, walk) =>
        moveNothing(one, state, walk, (variables) => assign(one.name, [ANY], variables)),
      sets: ({ name }) => ({ name, isLiteral: false }),
    },
  },
});
