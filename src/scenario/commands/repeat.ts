import { noTime } from '../safety/costs.ts';
import { walkLoop } from '../safety/loops.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    repeat: { readonly count: number };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    repeat: { readonly count: number; readonly body: readonly Instruction[] };
  }
}

export const repeat = defineCommand({
  words: {
    REPEAT: {
      since: 4,
      args: 'count:number',
      effect: 'control',
      doc: 'Repeats the deeper lines, or all up to REPEAT STOP, 1 to 1000 times.',
      examples: ['REPEAT 2:\n  WAIT 10\nREPEAT STOP'],
    },
  },
  form: 'repeat',
  parse(args) {
    if (args.left === 0 || /^STOP:?$/i.test(args.peek()!.text)) {
      args.take();
      args.end();
      return { form: 'close' };
    }
    const count = args.integer('number of rounds', 'REPEAT 3:', 1, 1000);
    if (args.peek()?.text === ':') args.take();
    args.end();
    return count === undefined ? undefined : { form: 'repeat', count };
  },
  print: ({ count }) => `REPEAT ${count}:`,
  compile: ({ count }, line) =>
    line.push({ op: 'repeat', count, body: line.body.nested(line.statement.body) }),
  operations: {
    repeat: {
      plan: ({ count, body }, nested) => [`repeat ${count}`, ...nested(body)],
      cost: noTime,
      effect: walkLoop,
      async run({ count, body }, command) {
        for (let round = 0; round < count; round++) {
          const flow = await command.body(body);
          if (flow) return flow;
        }
        return undefined;
      },
    },
  },
});
