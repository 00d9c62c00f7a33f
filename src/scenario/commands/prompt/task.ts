import { printWord, quote } from '../../format/words.ts';
import { isConfirm } from '../../syntax/flat-item.ts';
import { defineCommand } from '../define-command.ts';
import { type PromptParts, printClauses, readClauses } from './clauses.ts';
import { compilePrompt } from './compile-prompt.ts';

declare module '../../forms/form.ts' {
  interface Forms {
    task: {
      readonly label: string;
      readonly text: string;
      /** `CONFIRM`: it waits for a person. */
      readonly confirm?: PromptParts;
    };
  }
}

/** `TASK 'p' 't'`, `TASK TITLE 't'`, `TASK 't' CONFIRM [TIMEOUT d] [ELSE ...]` */
export const task = defineCommand({
  words: {
    TASK: {
      args: 'sensor:sensor? text:text options:rest?',
      effect: 'message',
      doc: 'Shows an instruction. With CONFIRM it waits for a yes; TIMEOUT and ELSE work as for PROMPT.',
      examples: ["TASK TITLE 'Connect the mask'", "TASK 'Connect the mask' CONFIRM TIMEOUT 5 min"],
    },
  },
  form: 'task',
  isProse: true,
  parse(args) {
    const tokens = args.tokens.slice(1);
    const at = tokens.findIndex((token, i) => isConfirm(token, tokens[i - 1]));
    const count = at < 0 ? tokens.length : at;
    const [first, ...rest] = Array.from({ length: count }, () => args.take()!);
    if (!first) {
      args.missing('a text', "TASK TITLE 'Connect the mask'");
      return undefined;
    }
    const form = {
      form: 'task',
      ...(rest.length === 0
        ? { label: '', text: first.text }
        : { label: first.text, text: rest.map((token) => token.text).join(' ') }),
    } as const;
    if (at < 0) return form;
    args.take();
    const clauses = readClauses(args, ['TIMEOUT', 'ELSE']);
    return clauses && { ...form, confirm: { ...clauses.parts, text: form.text } };
  },
  print: ({ label, text, confirm }) =>
    [
      'TASK',
      ...(label === '' ? [] : [printWord(label)]),
      quote(text),
      ...(confirm ? ['CONFIRM', ...printClauses(confirm)] : []),
    ].join(' '),
  compile({ label, text, confirm }, line) {
    const message = label === '' ? text : `${label}: ${text}`;
    if (confirm) return compilePrompt({ ...confirm, text: message, task: true }, line);
    line.body.noteText(text, line.pos);
    line.push({ op: 'log', level: 'task', message });
  },
  operations: {},
});
