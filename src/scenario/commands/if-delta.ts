import { printDuration, printName, printValue } from '../format/words.ts';
import { atomize } from '../forms/atoms.ts';
import { onlyWords, readBound } from '../forms/condition.ts';
import type { DurationForm, FormOf } from '../forms/form.ts';
import { checkLimits } from '../program/compile/limits.ts';
import type { Subject, Value } from '../program/operand.ts';
import { renderCheck, renderDuration, renderSubject, renderValue } from '../program/render-values.ts';
import { jumpWhereFalse, reportUnbounded } from '../safety/common-effects.ts';
import { CALL_MS } from '../safety/costs.ts';
import { pauseRange } from '../safety/pause-range.ts';
import type { Token } from '../source/token.ts';
import { defineCommand } from './define-command.ts';

/** By the sign as written; `signed` where only the value of a variable tells it. */
type Direction = 'rise' | 'fall' | 'none' | 'signed';

declare module '../forms/form.ts' {
  interface Forms {
    delta: {
      readonly name: string;
      readonly token: Token;
      readonly window: DurationForm;
      readonly direction: Direction;
      readonly threshold: Value;
    };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** Change over the window, judged against a signed threshold. */
    delta: {
      readonly subject: Subject;
      readonly windowMs: DurationForm;
      /** The threshold has its sign. */
      readonly direction: Direction;
      readonly threshold: Value;
      readonly texts: CheckTexts;
    };
  }
}

/** `IF_DELTA p d q`: the sign of q says which way. */
export const ifDelta = defineCommand({
  words: {
    IF_DELTA: {
      since: 2,
      args: 'sensor:sensor window:duration change:quantity',
      effect: 'check',
      doc: 'Judges the change over a window: +x more than x up, -x more than x down, 0 none.',
      examples: ['SAMPLE AI01 START 100ms\nWAIT 2s\nIF_DELTA AI01 1s +0.1 V\nSAMPLE AI01 STOP'],
    },
  },
  form: 'delta',
  takesTexts: true,
  parse(args) {
    const example = 'IF_DELTA AI01 5s +2 mbar';
    const token = args.need('a sensor', example);
    if (!token) return undefined;
    const window = args.duration('a duration', example);
    if (window === undefined) return undefined;
    const words = onlyWords(atomize(args.rest()), args);
    if (!words) return undefined;
    const first = words[0];
    if (!first) {
      args.missing('a change', example);
      return undefined;
    }
    const threshold = readBound(words, args);
    if (!threshold) return undefined;
    const direction = directionOf(threshold, first.text.trimStart()[0]);
    if (direction === 'rise' && !first.text.trimStart().startsWith('+'))
      args.report(
        'SCN246',
        `"${first.text}" has no sign and counts as a rise; write +${first.text}, -${first.text} or 0`,
        first.token.pos,
        {
          fix: {
            pos: { ...first.token.pos, endCol: first.token.pos.col + (first.token.quoted ? 1 : 0) },
            text: first.token.quoted ? "'+" : '+',
          },
        },
      );
    return { form: 'delta', name: token.text, token, window, direction, threshold };
  },
  print: (form) => `IF_DELTA ${printName(form.name)} ${printDuration(form.window)} ${printChange(form)}`,
  compile({ name, token, window, direction, threshold }, line) {
    const { pos } = line;
    const subject = line.subjectNow(name, token.pos);
    const place = { pos, subjectPos: token.pos };
    checkLimits({ kind: 'change', subject }, [threshold], place, line.scope, line.site);
    line.push({
      op: 'delta',
      subject,
      windowMs: window,
      direction,
      threshold: line.value(threshold),
      texts: line.body.open(pos),
    });
  },
  operations: {
    delta: {
      plan: ({ subject, direction, threshold, windowMs, texts }) =>
        renderCheck(
          `delta ${renderSubject(subject)} ${direction} ${renderValue(threshold)} over ${renderDuration(windowMs)}`,
          texts,
        ),
      cost: () => 2 * CALL_MS,
      /** A sensor that is not sampled is measured for the length of the window. */
      effect(one, state, walk) {
        walk.mayFail(state, one);
        const range = pauseRange(one.windowMs, state.variables);
        if (!range) return undefined;
        if (range.high === Number.POSITIVE_INFINITY) reportUnbounded(one, walk);
        const after = walk.spend(state, range.high + walk.ownMs(one), one);
        jumpWhereFalse(one, after, walk);
        return after;
      },
    },
  },
});

function directionOf(threshold: Value, sign: string | undefined): Direction {
  if (threshold.kind === 'quantity' && threshold.value === 0) return 'none';
  if (sign === '-' || sign === '−') return 'fall';
  return sign === '+' || threshold.kind === 'quantity' ? 'rise' : 'signed';
}

function printChange({ direction, threshold }: FormOf<'delta'>): string {
  const text = printValue(threshold);
  return threshold.kind === 'quantity' && direction === 'rise' ? `+${text}` : text;
}
