import { quote } from '../format/words.ts';
import { appendText } from '../program/compile/check-texts.ts';
import { noTime } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    error: { readonly text: string };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** ERROR alone: fails and ends the goal. */
    'fail-goal': { readonly message: string };
  }
}

export const error = defineCommand({
  words: {
    ERROR: {
      args: 'text:text',
      effect: 'control',
      doc: 'After a check: its message when it fails. Alone: fails and ends the goal.',
      examples: ["CHECK AI01 <= 4 V\n  ERROR 'too high'", "ERROR 'not built'"],
    },
  },
  form: 'error',
  isProse: true,
  parse(args) {
    const text = args.text('a text', "ERROR 'too high'");
    return text === undefined ? undefined : { form: 'error', text };
  },
  print: ({ text }) => `ERROR ${quote(text)}`,
  continuesCheck: true,
  compile({ text }, line) {
    const { body, pos } = line;
    body.noteText(text, pos);
    if (body.checkTexts) appendText(body.checkTexts, 'fail', text, pos, line.site);
    else line.push({ op: 'fail-goal', message: text });
  },
  operations: {
    'fail-goal': {
      plan: ({ message }) => `fail-goal '${message}'`,
      cost: noTime,
      effect(_, state, walk) {
        walk.end(state);
        return undefined;
      },
      async run({ message }, command) {
        const text = command.run.text(message);
        command.add('failed', text);
        command.goal.add('failed', text);
        return { to: 'end' };
      },
    },
  },
});
