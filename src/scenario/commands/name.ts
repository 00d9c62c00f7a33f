import { defineWords } from './define-command.ts';

export const name = defineWords({
  words: {
    NAME: {
      args: 'name:text',
      effect: 'none',
      doc: 'Names the block, as SET NAME does. Never a command.',
      examples: ["NAME 'Leak test'"],
    },
  },
  parse(args) {
    args.missing('a name', "NAME 'Leak test'");
    return undefined;
  },
});
