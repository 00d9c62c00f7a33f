import type { RunHistory } from '../runs/run-history.ts';
import type { Runs } from '../runs/runs.ts';

/** The newest records among which the last run of the rig is looked for. */
const LOOKED_AT = 50;

/** The run that pages show: the one that has the rig, else the last one that had it, also after a restart. */
export class CurrentRun {
  readonly #runs: Runs;
  #recorded: string | null = null;

  constructor(runs: Runs) {
    this.#runs = runs;
  }

  get id(): string | null {
    return this.#runs.lastExecuted ?? this.#recorded;
  }

  /** Takes the last one from the records. @throws the system's error where they cannot be read */
  async restore(history: RunHistory): Promise<void> {
    const { runs } = await history.list({ filter: {}, limit: LOOKED_AT, before: undefined, live: {} });
    for (const run of runs)
      if ('file' in run && run.file.identity.mode === 'execute') {
        this.#recorded = run.file.identity.run_id;
        return;
      }
  }
}
