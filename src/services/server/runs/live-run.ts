import type { Clock } from '../../../lib/clock/clock.ts';
import type { Registry } from '../../../rig/registry/registry.ts';
import type { RunEvent } from '../../../scenario/events/event.ts';
import type { InterpreterOptions } from '../../../scenario/interpreter-options.ts';
import type { OutputError } from '../../../scenario/outputs/output-error.ts';
import { performRun } from '../../../scenario/perform-run.ts';
import { endingOf, isOfEnding } from '../../../scenario/records/run-ending.ts';
import type { RunFile } from '../../../scenario/records/run-file.ts';
import type { RunWriter } from '../../../scenario/records/run-writer.ts';
import type { CheckedScenario } from '../../../scenario/safety/load-checked.ts';
import { PromptDesk } from './prompt-desk.ts';
import { type RecentEvent, RecentEvents } from './recent-events.ts';
import { RunProgress } from './run-progress.ts';
import { liveView, type RunView } from './run-view.ts';
import { unrecordedEnd } from './unrecorded-end.ts';

export interface LiveRunParts {
  writer: RunWriter;
  checked: CheckedScenario;
  registry: Registry;
  options: Omit<InterpreterOptions, 'mode' | 'signal' | 'hardSignal' | 'onEvent' | 'onPrompt' | 'registry'>;
  clock: Clock;
}

/** A run that goes on in this process, with its record. */
export class LiveRun {
  readonly writer: RunWriter;
  /** Never rejects for what happens in the run. */
  readonly done: Promise<{ file: RunFile; fault?: OutputError }>;
  readonly #progress: RunProgress;
  readonly #prompts: PromptDesk;
  readonly #stop = new AbortController();
  readonly #hardStop = new AbortController();
  readonly #listeners = new Set<() => void>();
  readonly #recent = new RecentEvents();
  #ended: RunFile | undefined;
  #isOver = false;

  constructor(parts: LiveRunParts) {
    const { writer } = parts;
    this.writer = writer;
    this.#prompts = new PromptDesk(writer.identity.run_id, parts.clock);
    this.#progress = new RunProgress(writer.identity.mode, writer.identity.created_at);
    this.done = this.#perform(parts);
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The last event, where the disk did not take it. */
  get unrecordedEnd(): RunEvent | undefined {
    return this.#ended && unrecordedEnd(this.#ended);
  }

  /** Those that are in the record behind an offset; undefined: they have to be read there. */
  recent(offset: number): readonly RecentEvent[] | undefined {
    return this.#recent.behind(offset);
  }

  view(): RunView {
    const progress = this.#progress.view(this.#stop.signal.aborted);
    return liveView(this.writer.identity, progress, this.#prompts.view());
  }

  /** @returns the answer as it counts; @throws HttpError `unknown_prompt`, `prompt_closed`, `invalid_parameter` */
  answer(n: number, said: string): string {
    return this.#prompts.answer(n, said);
  }

  /** Teardown and safe state follow. */
  abort(why: string): void {
    this.#stop.abort(new Error(why));
  }

  /** The safe state follows, without the rest of the teardown. */
  abortTeardown(why: string): void {
    this.abort(why);
    this.#hardStop.abort(new Error(why));
  }

  /** Calls back when there is a new event, and when the run is over. @returns what ends it */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async #perform({ writer, checked, registry, options, clock }: LiveRunParts) {
    const { mode, scenario } = writer.identity;
    const signals = { signal: this.#stop.signal, hardSignal: this.#hardStop.signal };
    const onEvent = (event: RunEvent) => this.#take(event);
    // The caller gets the run before its first event.
    await null;
    try {
      const onPrompt = this.#prompts.ask;
      const settings: InterpreterOptions = {
        ...options,
        ...signals,
        mode,
        registry,
        clock,
        onEvent,
        onPrompt,
        keeps: isOfEnding,
      };
      const result = await performRun(checked, scenario.file, settings);
      const endedAt = new Date(clock.now()).toISOString();
      const ended = writer.end(endingOf(result, endedAt, mode === 'validate'), result);
      this.#ended = ended.file;
      return ended;
    } finally {
      this.#isOver = true;
      this.#notify();
    }
  }

  /** @throws OutputError, which ends the run: a verdict without evidence is none */
  #take(event: RunEvent): void {
    this.#progress.take(event);
    try {
      this.writer.append(event);
      this.#recent.add(event, this.writer.bytes);
    } finally {
      this.#notify();
    }
  }

  #notify(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
