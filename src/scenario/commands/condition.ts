import { convert } from '../../rig/units/units.ts';
import { printCondition, quote } from '../format/words.ts';
import { atomize } from '../forms/atoms.ts';
import { onlyWords, readCondition } from '../forms/condition.ts';
import { resolveCondition } from '../program/compile/conditions.ts';
import type { InstructionOf } from '../program/instruction.ts';
import type { Condition, Value } from '../program/operand.ts';
import { renderCondition } from '../program/render-values.ts';
import { RunFault } from '../rig/fault.ts';
import type { Command } from '../run/command.ts';
import { conclude, evaluateHere, judgementOf, judgeReadings } from '../run/conclude.ts';
import { type Limit, limitOf } from '../run/limit.ts';
import { pauseUntil } from '../run/pause.ts';
import { sleepUntil } from '../run/sleep-until.ts';
import { targetOf } from '../run/target.ts';
import { reportUnbounded, rested } from '../safety/common-effects.ts';
import { readsMs } from '../safety/costs.ts';
import { timerRange } from '../safety/pause-range.ts';
import { parseDuration } from '../values/duration.ts';
import { defineCommand } from './define-command.ts';

declare module '../forms/form.ts' {
  interface Forms {
    condition: {
      readonly condition: Condition;
      readonly action?: 'ERROR' | 'PASS' | 'WAIT';
      readonly text?: string;
    };
  }
}

declare module '../program/instruction.ts' {
  interface Operations {
    /** `p ≥ q | WAIT`: poll until true (command time-out: failed); with Timer pause until the goal timer reaches it. */
    'wait-until': { readonly condition: Condition; readonly message?: string };
  }
}

const ACTIONS = /^(error|pass|wait)$/i;

/** A line without a command word: `p ∈ [lo, hi] u | ERROR 't'`, `p ≥ q`, `Δp ≤ q | WAIT` */
export const condition = defineCommand({
  words: {},
  form: 'condition',
  takesTexts: true,
  parse(args) {
    args.report('SCN301', 'a condition line is version 1 syntax; write CHECK', args.pos);
    const atoms = atomize(args.tokens);
    const bar = atoms.findIndex((atom) => atom.type === 'bar');
    const condition = readCondition(bar < 0 ? atoms : atoms.slice(0, bar), args);
    if (!condition) return undefined;
    if (bar < 0) return { form: 'condition', condition };
    const words = onlyWords(atoms.slice(bar + 1), args);
    if (!words) return undefined;
    const [word, ...rest] = words;
    if (!word || !ACTIONS.test(word.text)) {
      args.report('SCN123', 'expected ERROR, PASS or WAIT after |', atoms[bar]!.token.pos);
      return undefined;
    }
    const action = word.text.toUpperCase() as 'ERROR' | 'PASS' | 'WAIT';
    const text = rest.map((one) => one.text).join(' ');
    // `| WAIT 30 s` reads like a time-out, which this form does not have.
    if (action === 'WAIT' && parseDuration(text) !== undefined) {
      args.extra(rest.map((one) => one.token));
      return undefined;
    }
    return { form: 'condition', condition, action, ...(text === '' ? {} : { text }) };
  },
  print({ condition, action, text }) {
    const actionText = action ? ` | ${action}${text === undefined ? '' : ` ${quote(text)}`}` : '';
    return `${printCondition(condition, 'member')}${actionText}`;
  },
  compile({ condition: written, action, text }, line) {
    const { body, pos } = line;
    const condition = resolveCondition(written, pos, line.scope, line.site);
    if (text !== undefined) body.noteText(text, pos);
    if (action === 'WAIT')
      return line.push({ op: 'wait-until', condition, ...(text === undefined ? {} : { message: text }) });
    const texts = body.open(pos, condition);
    if (text !== undefined) texts[action === 'PASS' ? 'pass' : 'fail'] = text;
    line.push({ op: 'check', form: 'CONDITION', condition, texts });
  },
  operations: {
    'wait-until': {
      plan: ({ condition, message }) =>
        `wait-until ${renderCondition(condition)}${message === undefined ? '' : ` '${message}'`}`,
      // The last poll starts before the time-out.
      cost: ({ condition }, timeouts) => timeouts.commandMs + readsMs(condition, timeouts),
      effect(one, state, walk) {
        walk.mayFail(state, one);
        const until = timerRange(one.condition, state.variables);
        if (!until) return walk.spend(state, walk.ownMs(one), one);
        if (until.high === Number.POSITIVE_INFINITY) reportUnbounded(one, walk);
        // After SET timer the whole time may remain.
        const shown = walk.resetsTimer ? 0 : state.elapsedMs;
        const longest = Math.max(0, until.high - shown);
        const spent = walk.spend(state, Number.isNaN(longest) ? until.high : longest, one);
        // It ends no earlier than at that goal timer value, whatever time has passed.
        const since = state.elapsedMs - state.timerFromMs;
        return rested(spent, Number.isFinite(since) ? Math.max(0, until.low - since) : 0, walk);
      },
      run: waitUntil,
    },
  },
});

const POLL_MS = 100;

/**
 * `| WAIT`: with Timer a pause until the goal timer shows that much; else polls until the condition is true, `failed`
 * at the command time-out.
 */
async function waitUntil(
  { condition, message: text }: InstructionOf<'wait-until'>,
  command: Command,
): Promise<void> {
  const { run, goal } = command;
  const pauseMs = timerPause(condition, command);
  if (pauseMs !== undefined) return pauseUntil(goal.timerStartedAt + pauseMs, command);
  const { commandMs } = run.settings.timeouts;
  const start = run.clock.monotonic();
  const end = start + commandMs;
  for (let round = 1; ; round++) {
    const evaluation = await evaluateHere(condition, command);
    judgeReadings(evaluation, command);
    const next = start + round * POLL_MS;
    if (evaluation.holds || Math.max(next, run.clock.monotonic()) >= end) {
      const judgement = judgementOf('WAIT', evaluation);
      const late = `${judgement.text} for ${commandMs} ms${text === undefined ? '' : ` (${run.text(text)})`}`;
      conclude(
        judgement.holds ? judgement : { ...judgement, text: late },
        { onFalse: 'error', ...(text === undefined || !judgement.holds ? {} : { pass: text }) },
        command,
      );
      return;
    }
    await sleepUntil(run.clock, next, goal.signal);
  }
}

/** Goal timer value in the condition, ms; undefined when the condition is not about the timer. */
function timerPause(condition: Condition, command: Command): number | undefined {
  if (condition.kind !== 'comparison') return undefined;
  const { left, right } = condition;
  const [timer, other] = left.kind === 'subject' ? [left, right] : [right, left];
  if (timer.kind !== 'subject' || targetOf(timer.subject, command.run).kind !== 'timer') return undefined;
  if (other.kind === 'subject' || other.kind === 'change') return undefined;
  const limit: Limit = limitOf(other as Value, command.run);
  const ms = convert(limit.value, limit.unit ?? timer.unit ?? 's', 'ms');
  if (ms === undefined || !Number.isFinite(ms))
    throw new RunFault('SCN240', `the timer cannot be compared with ${limit.unit}; use ms, s, min or h`);
  return ms;
}
