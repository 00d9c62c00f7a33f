import { RunFault } from '../rig/fault.ts';
import { moveNothing } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    'not-executable': object;
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** Known but not executable (SCN131): a dry-run skips it, a run ends in `error`. */
    'not-executable': { readonly reason: string };
  }
}

/** `SELECT_*` and `RECORD_*`: whole families that are known and not executable. */
export const NOT_EXECUTABLE_PREFIXES = ['SELECT_', 'RECORD_'] as const;

const WORDS = [
  'USER',
  'OPT',
  'DIALOG',
  'OUT',
  'DELTA_MAX',
  'DELTA_MIN',
  'NAVIGATE',
  'CLICK',
  'INPUT',
  'START_TEST',
  'STEP_COMPLETE',
  'ALIAS',
  'RUN',
  'EMIT',
];

export const notExecutable = defineCommand({
  words: Object.fromEntries(
    WORDS.map((word) => [
      word,
      {
        args: 'text:rest?',
        effect: 'none',
        doc: 'Known from older systems, not executable here: a dry-run skips it, a run ends in an error.',
        examples: [`${word} 'x'`],
        notExecutable: true,
      },
    ]),
  ),
  form: 'not-executable',
  parse: () => ({ form: 'not-executable' }),
  print: (_form, _command, source) => source,
  compile(_, line) {
    const { command } = line;
    line.site.report(
      'SCN131',
      `${command} is known but not executable here: a dry-run skips it, a run ends in an error`,
      line.pos,
    );
    line.push({ op: 'not-executable', reason: `${command} is not executable` });
  },
  operations: {
    'not-executable': {
      plan: () => 'not-executable',
      cost: noTime,
      effect: moveNothing,
      async run({ reason }) {
        throw new RunFault('SCN411', `${reason} here; remove the line`);
      },
    },
  },
});
