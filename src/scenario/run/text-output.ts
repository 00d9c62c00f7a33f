import type { Outcome, RunEvent } from '../events/event.ts';
import { oneLine } from '../source/one-line.ts';
import { formatNumber } from '../values/number.ts';

const COUNTED: readonly Outcome[] = ['failed', 'error', 'skipped', 'aborted'];

const BOUNDS: ReadonlySet<string> = new Set(['MIN', 'MAX', 'RANGE']);

/**
 * The text output of a run as a function of its events (language specification, section 10): commands indented as
 * they end, then the line of their block, and one last line with the counts.
 */
export class TextOutput {
  readonly #out: (line: string) => void;
  readonly #quiet: boolean;
  /** Verdict of each block; the last one counts. */
  readonly #outcomes = new Map<number, Outcome>();
  /** Names whose values were told before the first block. */
  readonly #parameters = new Set<string>();
  #isPartial = false;
  #depth = 0;
  /** The command under way, as written. */
  #command = '';
  #measured = '';

  constructor(out: (line: string) => void, { quiet = false }: { readonly quiet?: boolean } = {}) {
    this.#out = out;
    this.#quiet = quiet;
  }

  event(event: RunEvent): void {
    if (event.type === 'run.start') this.#isPartial = event.plan.some(({ leftOut }) => leftOut);
    if (event.type === 'block.end' && event.goal !== null) this.#outcomes.set(event.goal, event.outcome);
    if (event.type === 'run.end') this.#out(this.#lastLine(event));
    else if (!this.#quiet) this.#tell(event);
  }

  #tell(event: RunEvent): void {
    switch (event.type) {
      case 'block.start':
        this.#depth = 0;
        return;
      case 'step.start':
        this.#line(`${event.number}. ${event.title}`);
        return;
      case 'command.start':
        this.#depth++;
        this.#command = event.text;
        this.#measured = '';
        return;
      case 'reading':
        this.#measured = ` = ${amount(event.value, event.unit)}`;
        return;
      case 'check':
        if (typeof event.actual === 'number')
          this.#measured = ` = ${amount(event.actual, event.unit)}${this.#limits(event)}`;
        return;
      case 'variable':
        if (event.source) {
          const text =
            typeof event.value === 'number' ? amount(event.value, event.unit) : String(event.value);
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
        this.#out(`[${event.outcome}] ${event.kind === 'CONFIG' ? '[CONFIG] ' : ''}${event.name}`);
        return;
      default:
    }
  }

  /** The limits as applied, where the line holds parameters in their place. */
  #limits({ kind, low, high, unit }: Extract<RunEvent, { type: 'check' }>): string {
    const words = new Set(this.#command.split(/[^\p{L}\p{N}_.-]+/u));
    const holdsSome = BOUNDS.has(kind)
      ? this.#parameters.size > 0
      : [...this.#parameters].some((name) => words.has(name));
    const [from, to] = [low, high].map((limit) =>
      limit !== null && Number.isFinite(limit) ? amount(limit, null) : undefined,
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

const amount = (value: number, unit: string | null): string =>
  `${formatNumber(Number(value.toPrecision(6)))}${unit ? ` ${unit}` : ''}`;
