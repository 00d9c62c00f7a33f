import { type CheckEvent, checkRows, isBoundCheck } from '../events/check-rows.ts';
import type { Outcome, RunEvent } from '../events/event.ts';
import { oneLine } from '../source/one-line.ts';
import { shownLimit, shownNumber } from '../values/shown-number.ts';
import { actualText, limitsText, pointsText } from './check-text.ts';
import { shownOutcome } from './outcome.ts';

const COUNTED = ['done', 'failed', 'error', 'inconclusive', 'skipped', 'aborted'] as const;

/**
 * The text output of a run as a function of its events: commands indented as
 * they end, then the line of their block, and one last line with the counts.
 */
export class TextOutput {
  readonly #out: (line: string) => void;
  readonly #quiet: boolean;
  /** Verdict of each block; the last one counts. */
  readonly #outcomes = new Map<number, Outcome | 'done'>();
  /** Names whose values were reported before the first block. */
  readonly #parameters = new Set<string>();
  #isPartial = false;
  #depth = 0;
  /** The command under way, as written. */
  #command = '';
  #measured = '';
  /** Keywords of the commands under way, outermost first. */
  readonly #commands: string[] = [];
  /** Since the block began. */
  #bounds: CheckEvent[] = [];

  constructor(out: (line: string) => void, { quiet = false }: { readonly quiet?: boolean } = {}) {
    this.#out = out;
    this.#quiet = quiet;
  }

  event(event: RunEvent): void {
    if (event.type === 'run.start') this.#isPartial = event.plan.some(({ leftOut }) => leftOut);
    if (event.type === 'block.end' && event.goal !== null)
      this.#outcomes.set(event.goal, shownOutcome(event.outcome, event));
    if (event.type === 'run.end') this.#out(this.#lastLine(event));
    else if (!this.#quiet) this.#print(event);
  }

  #print(event: RunEvent): void {
    switch (event.type) {
      case 'block.start':
        this.#depth = 0;
        this.#commands.length = 0;
        this.#bounds = [];
        return;
      case 'step.start':
        this.#line(`${event.number}. ${event.title}`);
        return;
      case 'command.start':
        this.#depth++;
        this.#commands.push(event.command);
        this.#command = event.text;
        this.#measured = '';
        return;
      case 'reading':
        this.#measured = ` = ${shownNumber(event.value, event.resolution)}${event.unit ? ` ${event.unit}` : ''}`;
        return;
      case 'check':
        if (isBoundCheck(event)) this.#bounds.push(event);
        // A sample point is judged while some other command runs.
        if (typeof event.actual !== 'number') return;
        if (!isBoundCheck(event) || this.#commands.at(-1) === event.kind)
          this.#measured = ` = ${actualText(event)}${this.#limits(event)}`;
        return;
      case 'variable':
        if (event.source) {
          const unit = event.unit ? ` ${event.unit}` : '';
          const text =
            typeof event.value === 'number' ? `${shownNumber(event.value)}${unit}` : String(event.value);
          this.#parameters.add(event.name);
          this.#line(`${event.name} = ${text} (${event.source})`);
        }
        return;
      case 'prompt':
        if (event.action === 'answered' || event.action === 'timeout')
          this.#measured = `: ${event.answer ?? 'no answer in time'}`;
        return;
      case 'command.end': {
        this.#depth = Math.max(0, this.#depth - 1);
        this.#commands.pop();
        const { outcome, text, code, message } = event;
        const why = outcome === 'passed' || message === null ? '' : `: ${code ? `${code} ` : ''}${message}`;
        this.#line(`[${outcome}] ${text}${this.#measured}${why}`);
        this.#measured = '';
        return;
      }
      case 'log':
        this.#line(`${event.level}: ${event.message}`);
        return;
      case 'block.end':
        this.#printBounds();
        this.#out(
          `[${shownOutcome(event.outcome, event)}] ${event.kind === 'CONFIG' ? '[CONFIG] ' : ''}${event.name}`,
        );
        return;
      default:
    }
  }

  /** A bound that judged more than one value: its worst one, once. */
  #printBounds(): void {
    this.#depth = 0;
    for (const row of checkRows(this.#bounds.splice(0))) {
      const { kind, sensor, outcome } = row.check;
      if (row.points > 1)
        this.#line(
          `[${outcome}] ${kind} ${sensor} ${limitsText(row.check)}: ${actualText(row.check)}, ${pointsText(row)}`,
        );
    }
  }

  /** The limits as applied, where the line holds parameters in their place. */
  #limits(event: CheckEvent): string {
    const { low, high, unit } = event;
    const words = new Set(this.#command.split(/[^\p{L}\p{N}_.-]+/u));
    const holdsSome = isBoundCheck(event)
      ? this.#parameters.size > 0
      : [...this.#parameters].some((name) => words.has(name));
    const [from, to] = [low, high].map((limit) =>
      limit !== null && Number.isFinite(limit) ? shownLimit(limit) : undefined,
    );
    if (!holdsSome || (from ?? to) === undefined) return '';
    const inUnit = unit === null ? '' : ` ${unit}`;
    return from !== undefined && to !== undefined && from !== to
      ? ` (limits ${from} .. ${to}${inUnit})`
      : ` (limit ${from ?? to}${inUnit})`;
  }

  #line(text: string): void {
    this.#out(`${'  '.repeat(1 + this.#depth)}${oneLine(text)}`);
  }

  #lastLine({ passed, total, simulated, bench }: Extract<RunEvent, { type: 'run.end' }>): string {
    const parts = COUNTED.flatMap((outcome) => {
      const count = [...this.#outcomes.values()].filter((one) => one === outcome).length;
      return count === 0 ? [] : [`${count} ${outcome}`];
    });
    const mark = simulated ? ' (simulated, not a test)' : bench ? ' (bench, not a test)' : '';
    const counts = [`${passed}/${total} passed`, ...parts].join(', ');
    return `${counts}${this.#isPartial ? ' (goals left out by --goal)' : ''}${mark}`;
  }
}
