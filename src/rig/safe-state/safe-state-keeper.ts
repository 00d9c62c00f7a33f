import type { Clock } from '../../lib/clock/clock.ts';
import type { SafeStateReport } from './report.ts';
import { runSafeState, type SafeStateSteps } from './safe-state.ts';

export interface SafeStateKeeperOptions {
  steps: SafeStateSteps;
  clock: Clock;
  mock: boolean;
  /** Called first thing: ends leases and queued work before the first step. */
  onStart: (reason: string) => void;
  onEnd: (report: SafeStateReport) => void;
}

/** Runs the safe state one at a time: a call during a run joins it and gets the same report. */
export class SafeStateKeeper {
  readonly #options: SafeStateKeeperOptions;
  #running: Promise<SafeStateReport> | undefined;
  #last: SafeStateReport | undefined;

  constructor(options: SafeStateKeeperOptions) {
    this.#options = options;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Report of the last finished run. */
  get last(): SafeStateReport | undefined {
    return this.#last;
  }

  /** @param reason for people and records, for example `operator` or `lease_expired` */
  run(reason: string): Promise<SafeStateReport> {
    this.#running ??= this.#run(reason).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #run(reason: string): Promise<SafeStateReport> {
    const { steps, clock, mock, onStart, onEnd } = this.#options;
    onStart(reason);
    const report = await runSafeState(steps, { clock, reason, mock });
    this.#last = report;
    onEnd(report);
    return report;
  }
}
