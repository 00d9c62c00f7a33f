import { printDuration } from '../format/words.ts';
import type { DurationForm } from '../forms/form.ts';
import { renderDuration } from '../program/render-values.ts';
import { durationMs } from '../run/duration-ms.ts';
import { pauseUntil } from '../run/pause.ts';
import { reportUnbounded, rested } from '../safety/common-effects.ts';
import { noTime } from '../safety/costs.ts';
import { pauseRange } from '../safety/pause-range.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    wait: { readonly duration: DurationForm; readonly bySet: boolean };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** Pause. A template is interpolated, then read as a duration (no unit = ms). */
    wait: { readonly durationMs: DurationForm };
  }
}

export const wait = defineCommand({
  words: {
    WAIT: {
      aliases: ['TIMER'],
      args: 'duration:duration',
      effect: 'pause',
      doc: 'Pauses. Without suffix the number is milliseconds.',
      examples: ['WAIT 500ms', "WAIT '1.5 s'", "SET WAIT '2 s'"],
    },
  },
  form: 'wait',
  parse(args) {
    args.skipEquals();
    const duration = args.duration('a duration', 'WAIT 500ms');
    args.end();
    return duration === undefined ? undefined : { form: 'wait', duration, bySet: false };
  },
  print: ({ bySet, duration }) => `${bySet ? 'SET WAIT' : 'WAIT'} ${printDuration(duration)}`,
  compile({ duration }, line) {
    if (typeof duration !== 'number') line.body.noteText(duration.template, line.pos);
    line.push({ op: 'wait', durationMs: duration });
  },
  operations: {
    wait: {
      plan: ({ durationMs }) => `wait ${renderDuration(durationMs)}`,
      cost: noTime,
      effect(one, state, walk) {
        const { durationMs } = one;
        const range = pauseRange(durationMs, state.variables);
        if (typeof durationMs !== 'number') walk.mayFail(state, one);
        if (!range) return undefined;
        if (range.high === Number.POSITIVE_INFINITY) reportUnbounded(one, walk);
        return rested(walk.spend(state, range.high, one), range.low, walk);
      },
      async run({ durationMs: duration }, command) {
        // Until an absolute time, exempt from the command time-out.
        const { run } = command;
        const start = run.clock.monotonic();
        await pauseUntil(start + durationMs(duration, run), command);
      },
    },
  },
});
