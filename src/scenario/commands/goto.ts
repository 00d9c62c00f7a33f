import { quote } from '../format/words.ts';
import { turned } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import type { Token } from '../source/token.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    goto: { readonly goal: string; readonly token: Token };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    goto: { readonly goal: string };
  }
}

export const goTo = defineCommand({
  words: {
    GOTO: {
      since: 2,
      args: 'goal:goal',
      effect: 'control',
      doc: 'Continues at that goal; the goals in between are skipped.',
      examples: [],
    },
  },
  form: 'goto',
  parse(args) {
    const tokens = args.rest();
    const token = tokens[0];
    if (!token) {
      args.missing('a goal', "GOTO 'Leak test'");
      return undefined;
    }
    return { form: 'goto', goal: tokens.map((one) => one.text).join(' '), token };
  },
  print: ({ goal }) => `GOTO ${quote(goal)}`,
  compile({ goal, token }, line) {
    line.body.noteGoal(goal, token.pos);
    line.push({ op: 'goto', goal });
  },
  operations: {
    goto: {
      plan: ({ goal }) => `goto ${goal}`,
      cost: noTime,
      effect(one, state, walk) {
        walk.jump(one.goal, turned(state, `${walk.placeOf(one)} jumps`));
        return undefined;
      },
      run: async ({ goal }, { run }) => ({ to: 'goal', goal: run.text(goal) }),
    },
  },
});
