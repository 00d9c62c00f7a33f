import type { Code } from '../../scenario/diagnostics/catalogue.ts';
import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import type { RunEvent } from '../../scenario/events/event.ts';
import type { Prompt } from '../../scenario/run/options.ts';
import { visible } from '../diagnostics/cells.ts';
import { paintFor } from '../diagnostics/colour.ts';
import { renderDiagnostic } from '../diagnostics/render.ts';
import type { SourceTexts } from '../diagnostics/source-texts.ts';
import type { Io } from '../io/io.ts';
import { RunStatus } from '../progress/run-status.ts';
import { StatusLine } from '../progress/status-line.ts';
import { askOperator } from './ask-operator.ts';

export interface VoiceOptions {
  readonly json: boolean;
  readonly quiet: boolean;
  /** A status line is worth showing: something will take time. */
  readonly live: boolean;
  readonly texts: SourceTexts;
  /** Findings that would say nothing to this operator. */
  readonly hushed?: readonly Code[];
}

/** A stop is reported when it is asked for, and by the command that it cut. */
const ALWAYS_HUSHED: readonly Code[] = ['SCN412'];

const OUTCOME = /(?<=^\s*)\[(passed|done|failed|error|inconclusive|skipped|aborted)\]/;
const OUTCOME_COLOURS = {
  passed: 'green',
  done: 'dim',
  inconclusive: 'yellow',
  failed: 'red',
  error: 'red',
  skipped: 'dim',
  aborted: 'yellow',
} as const;

/** All that a run says on the terminal: result lines, findings, the status line, questions to the operator. */
export class ConsoleReporter {
  readonly #io: Io;
  readonly #options: VoiceOptions;
  readonly #status: RunStatus;
  readonly #line: StatusLine | undefined;
  readonly #told = new Set<string>();

  constructor(io: Io, options: VoiceOptions) {
    this.#io = io;
    this.#options = options;
    this.#status = new RunStatus(io.clock);
    const { stderr, env } = io;
    if (options.live && !options.quiet && stderr.isTTY && env.TERM !== 'dumb')
      this.#line = new StatusLine(stderr, io.clock, () => this.#status.text());
    this.#line?.start();
  }

  /** A line of the run's text output: the result, or talk beside a JSON result. */
  readonly result = (text: string): void => {
    const stream = this.#options.json ? this.#io.stderr : this.#io.stdout;
    this.#write(() => stream.write(`${this.#coloured(visible(text), stream)}\n`));
  };

  /** A sentence from the program itself. */
  readonly say = (text: string): void => {
    this.#write(() => this.#io.stderr.write(`svcctl: ${text}\n`));
  };

  /** Reports what is under way when the run is being stopped. */
  ending(how: string): void {
    this.#status.ending(how);
  }

  event(event: RunEvent): void {
    this.#status.update(event);
    // Why a preflight failed is told at the end, when it is known whether the bridge answered at all.
    if (event.type === 'diagnostic' && event.diagnostic.code !== 'SCN409') this.diagnostic(event.diagnostic);
  }

  /** Shows a finding once. Quiet runs show errors only, and information is for `validate`. */
  diagnostic(diagnostic: Diagnostic): void {
    const { severity, code, pos, message } = diagnostic;
    if (severity === 'info' || (this.#options.quiet && severity !== 'error')) return;
    if (ALWAYS_HUSHED.includes(code) || this.#options.hushed?.includes(code)) return;
    const key = `${code} ${pos.file}:${pos.line}:${pos.col} ${message}`;
    if (this.#told.has(key)) return;
    this.#told.add(key);
    const { stderr, env } = this.#io;
    const options = { texts: this.#options.texts, paint: paintFor(stderr, env), columns: stderr.columns };
    this.#write(() => stderr.write(`${renderDiagnostic(diagnostic, options)}\n\n`));
  }

  /** @throws the signal's reason */
  readonly ask: Prompt = (question, asking) => {
    const ask = () => askOperator(question, this.#io, asking);
    return this.#line ? this.#line.hidden(ask) : ask();
  };

  stop(): void {
    this.#line?.stop();
  }

  #coloured(line: string, stream: NodeJS.WriteStream): string {
    const paint = paintFor(stream, this.#io.env);
    return line.replace(OUTCOME, (mark, outcome: keyof typeof OUTCOME_COLOURS) =>
      paint[OUTCOME_COLOURS[outcome]](mark),
    );
  }

  #write(write: () => void): void {
    if (this.#line) this.#line.around(write);
    else write();
  }
}
