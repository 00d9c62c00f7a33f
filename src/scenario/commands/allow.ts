import { unchanged } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    'no-effect': object;
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** Accepted, but has no effect. */
    'no-effect': object;
  }
}

export const allow = defineCommand({
  words: {
    ALLOW: {
      args: 'grant:rest?',
      effect: 'none',
      doc: 'Accepted, but has no effect.',
      examples: ["ALLOW 'operator'"],
    },
    DENY: {
      args: 'grant:rest?',
      effect: 'none',
      doc: 'Accepted, but has no effect.',
      examples: ["DENY 'guest'"],
    },
  },
  form: 'no-effect',
  parse: () => ({ form: 'no-effect' }),
  print: (_form, _command, source) => source,
  compile(_, line) {
    line.site.report('SCN118', `${line.command} is accepted but has no effect`, line.pos);
    line.push({ op: 'no-effect' });
  },
  operations: {
    'no-effect': { plan: () => 'no-effect', cost: noTime, effect: unchanged, async run() {} },
  },
});
