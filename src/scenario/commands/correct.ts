import { quote } from '../format/words.ts';
import { appendText } from '../program/compile/check-texts.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    correct: { readonly text: string };
  }
}

export const correct = defineCommand({
  words: {
    CORRECT: {
      since: 3,
      args: 'text:text',
      effect: 'message',
      doc: 'The message of the preceding check when it passes.',
      examples: ["CHECK AI01 <= 4 V\n  CORRECT 'good'"],
    },
  },
  form: 'correct',
  isProse: true,
  parse(args) {
    const text = args.text('a text', "CORRECT 'too high'");
    return text === undefined ? undefined : { form: 'correct', text };
  },
  print: ({ text }) => `CORRECT ${quote(text)}`,
  continuesCheck: true,
  compile({ text }, { body, site, pos }) {
    body.noteText(text, pos);
    if (body.checkTexts) appendText(body.checkTexts, 'pass', text, pos, site);
    else site.report('SCN129', 'CORRECT has no check before it; put it below its check', pos);
  },
  operations: {},
});
