import { defineWords } from './define-command.ts';

export const include = defineWords({
  words: {
    INCLUDE: {
      since: 3,
      contexts: ['top', 'goal', 'config', 'macro'],
      args: 'path:path',
      effect: 'none',
      doc: 'Imports the macros of another file.',
      examples: [],
    },
  },
  parse: () => ({ form: 'not-executable' }),
});
