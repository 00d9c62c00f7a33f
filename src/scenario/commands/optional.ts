import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    optional: object;
  }
}

/** `OPTIONAL`, `SET OPTIONAL` */
export const optional = defineCommand({
  words: {
    OPTIONAL: {
      since: 4,
      contexts: ['goal'],
      args: '',
      effect: 'none',
      doc: 'Marks the goal: when none of its checks runs, the goal is inconclusive but the run is not. Also `SET OPTIONAL`.',
      examples: ['OPTIONAL'],
    },
  },
  form: 'optional',
  parse(args) {
    if (/^set$/i.test(args.tokens[0]!.text)) args.take();
    const extra = args.peek();
    if (extra) args.report('SCN278', 'OPTIONAL takes no arguments; remove what follows it', extra.pos);
    return { form: 'optional' };
  },
  print: () => 'OPTIONAL',
  compile() {
    // The block compiler reads it from the block.
  },
  operations: {},
});
