import type { Args } from '../forms/args.ts';
import type { Form } from '../forms/form.ts';
import { noTime } from '../safety/costs.ts';
import { posBetween } from '../source/position.ts';
import { parseDuration } from '../values/duration.ts';
import { shorten } from '../values/number-fault.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    'reset-timer': object;
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** Restarts the goal timer at 0. */
    'reset-timer': object;
  }
}

/** `SET timer`, `SET timer 0`, `SET timer '0 s'`: any other value may be meant as a pause. */
export function parseTimerReset(args: Args): Form | undefined {
  args.skipEquals();
  const tokens = args.rest();
  const text = tokens.map((token) => token.text).join(' ');
  if (text === '' || parseDuration(text) === 0 || /^(?:start|restart|reset)$/i.test(text))
    return { form: 'reset-timer' };
  args.report(
    'SCN126',
    `SET timer resets the goal timer to 0 and takes no other value; write SET timer 0, or WAIT ${shorten(text)} for a pause`,
    posBetween(tokens[0]!.pos, tokens.at(-1)!.pos),
  );
  return undefined;
}

/** SET timer. */
export const resetTimer = defineCommand({
  words: {},
  form: 'reset-timer',
  parse: parseTimerReset,
  print: () => 'SET timer 0',
  compile: (_, line) => line.push({ op: 'reset-timer' }),
  operations: {
    'reset-timer': {
      plan: () => 'reset-timer',
      cost: noTime,
      effect: (_, state) => ({ ...state, timerFromMs: state.elapsedMs }),
      async run(_, { goal }) {
        goal.resetTimer();
      },
    },
  },
});
