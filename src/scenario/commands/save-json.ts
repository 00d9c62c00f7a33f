import { printName } from '../format/words.ts';
import { defineVariable } from '../program/compile/define-variable.ts';
import type { InstructionOf } from '../program/instruction.ts';
import { RunFault } from '../rig/fault.ts';
import type { Command } from '../run/command.ts';
import { setVariable } from '../run/set-variable.ts';
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
      doc: 'Stores the last API answer in a variable.',
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
      run: saveAnswer,
    },
  },
});

/** SAVE_JSON: the last API body. @throws RunFault SCN411 without one */
async function saveAnswer({ name }: InstructionOf<'save-json'>, command: Command): Promise<void> {
  const { run } = command;
  const key = name.includes('$') ? run.strictText(name) : name;
  const answer = run.lastAnswer;
  if (!answer) throw new RunFault('SCN411', `SAVE_JSON ${key}: no API call has been made yet`);
  const { body } = answer;
  const value =
    typeof body === 'object' && body !== null
      ? body
      : typeof body === 'number' || typeof body === 'boolean' || typeof body === 'string'
        ? body
        : JSON.stringify(body ?? null);
  setVariable(key, { value }, command);
}
