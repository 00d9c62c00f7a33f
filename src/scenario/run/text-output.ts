import type { Outcome, RunEvent } from '../events/event.ts';
import { formatNumber } from '../values/number.ts';

const COUNTED: readonly Outcome[] = ['failed', 'error', 'skipped', 'aborted'];

/**
 * The text output of a run as a function of its events (language specification, section 10): commands indented as
 * they end, then the line of their block, and one last line with the counts.
 */
export class TextOutput {
  readonly #out: (line: string) => void;
  readonly #quiet: boolean;
  /** Verdict of each block; the last one counts. */
  readonly #outcomes = new Map<number, Outcome>();
  #isPartial = false;
  #depth = 0;
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
        this.#measured = '';
        return;
      case 'reading':
        this.#measured = ` = ${amount(event.value, event.unit)}`;
        return;
      case 'check':
        if (typeof event.actual === 'number') this.#measured = ` = ${amount(event.actual, event.unit)}`;
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

const oneLine = (text: string): string => text.replace(/\s*[\r\n]+\s*/g, ' ');
