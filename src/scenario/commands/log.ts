import { quote } from '../format/words.ts';
import type { FormOf } from '../forms/form.ts';
import { unchanged } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    log: { readonly level: 'info' | 'alarm' | 'result'; readonly text: string };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    log: { readonly level: 'info' | 'warning' | 'alarm' | 'task' | 'result'; readonly message: string };
  }
}

const LEVELS: Readonly<Record<string, FormOf<'log'>['level']>> = { ALARM: 'alarm', RESULT: 'result' };

export const log = defineCommand({
  words: {
    LOG: {
      args: 'text:text',
      effect: 'message',
      doc: 'Writes a message.',
      examples: ["LOG 'pressure is $p0'"],
    },
    INFO: {
      args: 'text:text',
      effect: 'message',
      doc: 'Writes a message of level info.',
      examples: ["INFO 'ready'"],
    },
    ALARM: {
      args: 'text:text',
      effect: 'message',
      doc: 'Writes a message of level alarm. No verdict.',
      examples: ["ALARM 'watch out'"],
    },
    RESULT: {
      args: 'text:text',
      effect: 'message',
      doc: 'Writes a result message. No verdict.',
      examples: ["RESULT 'done'"],
    },
  },
  form: 'log',
  isProse: true,
  parse(args) {
    const text = args.text('a text', `${args.command} 'too high'`);
    return text === undefined ? undefined : { form: 'log', level: LEVELS[args.command] ?? 'info', text };
  },
  print: ({ text }, command) => `${command} ${quote(text)}`,
  compile({ level, text }, line) {
    line.body.noteText(text, line.pos);
    line.push({ op: 'log', level, message: text });
  },
  operations: {
    log: {
      plan: ({ level, message }) => `log ${level} '${message}'`,
      cost: noTime,
      effect: unchanged,
      async run({ level, message }, command) {
        command.emit({
          type: 'log',
          level: level === 'result' ? 'info' : level,
          message: command.run.text(message),
        });
      },
    },
  },
});
