import type { Args } from '../forms/args.ts';
import type { Form } from '../forms/form.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    close: object;
  }
}

/** `END IF` names what it closes; any other text after a closing word could be a command that would not run. */
function parseClosing(args: Args): Form {
  const isName = args.left === 1 && /^(if|if_fail|loop|repeat)$/i.test(args.peek()!.text);
  args.end(isName ? 'W' : 'E');
  return { form: 'close' };
}

/** The reader finds what they close; REPEAT STOP has the same form. */
export const closing = defineCommand({
  words: {
    ENDIF: {
      aliases: ['FI'],
      since: 2,
      args: '',
      effect: 'control',
      doc: 'Closes an IF.',
      examples: ["IF AI01 > 1 V\n  LOG 'x'\nENDIF"],
    },
    END: {
      since: 2,
      args: '',
      effect: 'control',
      doc: 'Closes the open IF, IF_FAIL or loop.',
      examples: ["IF_FAIL 'AI01' THEN\n  LOG 'x'\nEND"],
    },
    ENDLOOP: {
      since: 2,
      legacy: true,
      args: '',
      effect: 'control',
      doc: 'Closes a LOOP.',
      examples: ['LOOP 2 TIMES\n  WAIT 10\nENDLOOP'],
    },
  },
  form: 'close',
  parse: parseClosing,
  print: (_, command) => (command === 'REPEAT' ? 'REPEAT STOP' : command),
  compile() {
    // It only ends a body.
  },
  operations: {},
});
