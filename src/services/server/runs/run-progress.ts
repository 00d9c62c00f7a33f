import type { Mode, Outcome, RunEvent } from '../../../scenario/events/event.ts';
import { lastSafeState, type RunSafeState } from '../../../scenario/records/run-ending.ts';
import { shownOutcome } from '../../../scenario/run/outcome.ts';
import type { Progress } from './run-view.ts';

/** What the events of a run that goes on have reported so far. */
export class RunProgress {
  readonly #createdAt: string;
  readonly #mode: Mode;
  #started: Extract<RunEvent, { type: 'run.start' }> | undefined;
  #simulated = false;
  #bench = false;
  #safeState: RunSafeState | null = null;
  readonly #outcomes = new Map<number, Outcome | 'done'>();

  constructor(mode: Mode, createdAt: string) {
    this.#mode = mode;
    this.#createdAt = createdAt;
  }

  take(event: RunEvent): void {
    this.#simulated ||= event.simulated;
    this.#bench ||= event.bench === true;
    if (event.type === 'run.start') this.#started = event;
    if (event.type === 'safe-state') this.#safeState = lastSafeState([event]);
    // It reports the outcome over all entries and attempts so far.
    if (event.type === 'block.end' && event.goal !== null)
      this.#outcomes.set(event.goal, shownOutcome(event.outcome, event));
  }

  view(aborting: boolean): Progress {
    const started = this.#started;
    return {
      status: aborting ? 'aborting' : started ? 'running' : 'queued',
      passed: [...this.#outcomes.values()].filter((outcome) => outcome === 'passed').length,
      total: started?.plan.length ?? 0,
      started_at: started?.time ?? this.#createdAt,
      simulated: this.#simulated || this.#mode === 'dry-run',
      bench: this.#bench,
      safe_state: this.#safeState,
    };
  }
}
