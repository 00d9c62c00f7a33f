import { quote } from '../format/words.ts';
import { isOpen } from '../forms/args.ts';
import type { InstructionOf } from '../program/instruction.ts';
import { RunFault } from '../rig/fault.ts';
import type { Command } from '../run/command.ts';
import { shellLine } from '../run/shell-quote.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    export: { readonly name: string; readonly value: string };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    export: { readonly name: string; readonly value: string };
  }
}

export const shellExport = defineCommand({
  words: {
    SHELL_EXPORT: {
      since: 3,
      args: 'name:word value:text',
      effect: 'variable',
      doc: 'Exports a value as a shell variable.',
      examples: ["SHELL_EXPORT RIG_MODE 'real'"],
    },
  },
  form: 'export',
  parse(args) {
    const name = args.need('a name and a value', "SHELL_EXPORT RIG_MODE 'real'");
    if (!name) return undefined;
    const value = args.text('a value', `SHELL_EXPORT ${name.text} 'real'`);
    if (!isOpen(name.text) && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name.text)) {
      args.report(
        'SCN262',
        `"${name.text}" is not a shell variable name; use letters, digits and _, not starting with a digit`,
        name.pos,
      );
      return undefined;
    }
    return value === undefined ? undefined : { form: 'export', name: name.text, value };
  },
  print: ({ name, value }) => `SHELL_EXPORT ${name} ${quote(value)}`,
  compile({ name, value }, line) {
    line.body.noteText(value, line.pos);
    line.push({ op: 'export', name, value });
  },
  operations: {
    export: {
      plan: ({ name, value }) => `export ${name} '${value}'`,
      cost: noTime,
      effect: moveNothing,
      run: exportValue,
    },
  },
});

const EXPORT_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** SHELL_EXPORT */
async function exportValue({ name, value }: InstructionOf<'export'>, command: Command): Promise<void> {
  const { run } = command;
  const key = name.includes('$') ? run.strictText(name) : name;
  if (!EXPORT_NAME.test(key))
    throw new RunFault('SCN262', `"${key}" is not a shell variable name; use letters, digits and _`);
  const text = run.text(value);
  run.exports[key] = text;
  command.message = shellLine(key, text);
}
