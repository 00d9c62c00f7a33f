import { isOffsetScale } from '../../rig/units/amount.ts';
import { printDuration, printName, printValue } from '../format/words.ts';
import { atomize } from '../forms/atoms.ts';
import { onlyWords, readBound } from '../forms/condition.ts';
import type { DurationForm, FormOf } from '../forms/form.ts';
import { checkLimits } from '../program/compile/limits.ts';
import type { InstructionOf } from '../program/instruction.ts';
import type { Subject, Value } from '../program/operand.ts';
import { renderCheck, renderDuration, renderSubject, renderValue } from '../program/render-values.ts';
import { RunFault } from '../rig/fault.ts';
import { changeOperator } from '../run/change-operator.ts';
import { defaultText, finiteOrNull } from '../run/check-text.ts';
import type { Command, Flow } from '../run/command.ts';
import { compare } from '../run/compare.ts';
import { conclude } from '../run/conclude.ts';
import { durationMs } from '../run/duration-ms.ts';
import { unitOfBounds } from '../run/judge-bounds.ts';
import { type Limit, limitOf } from '../run/limit.ts';
import { calibrationMember } from '../run/measured.ts';
import { pauseUntil } from '../run/pause.ts';
import type { Change } from '../run/sample-window.ts';
import { Sampler } from '../run/sampler.ts';
import { namesOf, type Target, targetOf } from '../run/target.ts';
import { jumpWhereFalse, reportUnbounded } from '../safety/common-effects.ts';
import { CALL_MS } from '../safety/costs.ts';
import { pauseRange } from '../safety/pause-range.ts';
import type { Token } from '../source/token.ts';
import { formatNumber } from '../values/number.ts';
import { defineCommand } from './define-command.ts';

/** The sign as written; `signed` where the value of a variable decides. */
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

/** `IF_DELTA p d q`: the sign of q gives the direction. */
export const ifDelta = defineCommand({
  words: {
    IF_DELTA: {
      since: 2,
      args: 'sensor:sensor window:duration change:quantity',
      effect: 'check',
      doc: 'Judges the change over a window: +x more than x up, -x more than x down, 0 none; +0 any rise, -0 any fall.',
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
        `"${first.text}" has no sign and is read as a rise; write +${first.text}, -${first.text} or 0`,
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
      /** A sensor that is not being sampled is sampled for the length of the window. */
      effect(one, state, walk) {
        walk.mayFail(state, one);
        const range = pauseRange(one.windowMs, state.variables);
        if (!range) return undefined;
        if (range.high === Number.POSITIVE_INFINITY) reportUnbounded(one, walk);
        const after = walk.spend(state, range.high + walk.ownMs(one), one);
        jumpWhereFalse(one, after, walk);
        return after;
      },
      run: judgeChange,
    },
  },
});

function directionOf(threshold: Value, sign: string | undefined): Direction {
  if (sign === '-' || sign === '−') return 'fall';
  if (sign === '+') return 'rise';
  if (threshold.kind !== 'quantity') return 'signed';
  return threshold.value === 0 ? 'none' : 'rise';
}

function printChange({ direction, threshold }: FormOf<'delta'>): string {
  const text = printValue(threshold);
  if (threshold.kind !== 'quantity') return text;
  // The sign of 0 is not in its digits.
  if (direction === 'fall' && !text.startsWith('-')) return `-${text}`;
  return direction === 'rise' ? `+${text}` : text;
}

/** Interval of a window of its own: at least two of them fit into it. */
const OWN_INTERVAL_MS = 100;

/**
 * IF_DELTA: the change over a window. A sensor that is being sampled is judged by its points; another one is sampled
 * for the length of the window.
 */
async function judgeChange(instruction: InstructionOf<'delta'>, command: Command): Promise<Flow> {
  const { run, goal } = command;
  const target = targetOf(instruction.subject, run);
  command.about(...namesOf(target));
  const windowMs = durationMs(instruction.windowMs, run);
  const threshold = limitOf(instruction.threshold, run);
  requireDifference(threshold, target);
  // A threshold without a unit is in the sensor's own unit.
  const unit = threshold.unit ?? (target.kind === 'sensor' ? target.sensor.unit : undefined);
  const sampler = goal.samplers.get(target.key);
  const change = sampler
    ? await sampledChange(sampler, windowMs, unit, command)
    : await ownWindow(target, windowMs, unit, command);
  const limit = signed(instruction, threshold.value, target);
  const op = changeOperator(instruction.direction, limit);
  const low = op === '<' ? Number.NEGATIVE_INFINITY : limit;
  const high = op === '>' ? Number.POSITIVE_INFINITY : limit;
  const actual = change.value;
  const holds = compare(actual, op, limit);
  return conclude(
    {
      kind: 'IF_DELTA',
      holds,
      sensor: target.name,
      op,
      low: finiteOrNull(low),
      high: finiteOrNull(high),
      actual,
      unit: change.unit,
      ...calibrationMember(change.last),
      text: defaultText(`Δ${target.name}`, holds, low, high, change.unit),
      names: namesOf(target),
    },
    instruction.texts,
    command,
  );
}

/** A temperature is not a temperature difference. @throws RunFault SCN240 */
function requireDifference(threshold: Limit, { name }: Target): void {
  if (threshold.measure !== 'point' || !isOffsetScale(threshold.unit)) return;
  throw new RunFault(
    'SCN240',
    `IF_DELTA ${name}: the threshold is a temperature, not a temperature difference; use a difference (.delta, CALC SUB)`,
  );
}

async function sampledChange(
  sampler: Sampler,
  windowMs: number,
  unit: string | undefined,
  { run, goal }: Command,
): Promise<Change> {
  const now = run.clock.monotonic();
  await sampler.settle();
  goal.signal.throwIfAborted();
  return sampler.window.change(windowMs, now, unit);
}

async function ownWindow(
  target: Target,
  windowMs: number,
  unit: string | undefined,
  command: Command,
): Promise<Change> {
  const { run, goal } = command;
  const intervalMs = Math.max(1, Math.min(OWN_INTERVAL_MS, windowMs / 2));
  const sampler = new Sampler(target, unit ?? unitOfBounds(target.key, goal), intervalMs, command.pos, goal);
  const end = run.clock.monotonic() + windowMs;
  try {
    sampler.start();
    await pauseUntil(end, command);
    await sampler.stop();
  } finally {
    sampler.cancel();
  }
  sampler.window.requireGood();
  return sampler.window.change(windowMs, run.clock.monotonic(), unit);
}

/**
 * The threshold with its sign, which is that of the value and not of the text.
 * @throws RunFault SCN411 where the written sign contradicts the value
 */
function signed({ direction }: InstructionOf<'delta'>, value: number, { name }: Target): number {
  if ((direction !== 'rise' || value >= 0) && (direction !== 'fall' || value <= 0)) return value;
  throw new RunFault(
    'SCN411',
    `IF_DELTA ${name}: expected a ${direction}, but the threshold is ${formatNumber(value)}; write the variable without a sign`,
  );
}
