import type { Clock } from '../../lib/clock/clock.ts';
import { ACTUATOR_KINDS, type ActuatorRole } from '../device-kinds/index.ts';
import {
  failedStepsText,
  outcomeOf,
  type SafeStateReport,
  type StepName,
  type StepReport,
} from './report.ts';
import { runSafeState, type SafeStateSteps, type StepResult } from './safe-state.ts';

export interface SafeStateKeeperOptions {
  steps: SafeStateSteps;
  clock: Clock;
  mock: boolean;
  /** Called first thing: ends leases and queued work before the first step. */
  onStart: (reason: string) => void;
  onEnd: (report: SafeStateReport) => void;
  /** Steps that were not proven before were repeated. @param repeated the reports of these steps alone */
  onRepeated?: (repeated: readonly StepReport[], report: SafeStateReport) => void;
}

/** Devices that a safe state stops, and the steps that prove it for each. */
const SAFE_STATE_DEVICES = Object.fromEntries(
  ACTUATOR_KINDS.map(({ role, safeState }) => [role, Object.keys(safeState)]),
) as unknown as Readonly<Record<ActuatorRole, readonly StepName[]>>;
export type SafeStateDevice = ActuatorRole;

const DEVICES = Object.keys(SAFE_STATE_DEVICES) as SafeStateDevice[];
const FIRST_REPEAT_MS = 500;
const LAST_REPEAT_MS = 30_000;

/**
 * Runs the safe state one at a time: a call during a run joins it and gets the same report. What a run has not
 * proven is repeated by itself, device by device, after 0.5, 1, 2 ... 30 s, until it is (SVC-050). A
 * repetition ends no lease and no command of another device, and makes way for a run.
 */
export class SafeStateKeeper {
  readonly #options: SafeStateKeeperOptions;
  #running: Promise<SafeStateReport> | undefined;
  #last: SafeStateReport | undefined;
  #repeatMs = FIRST_REPEAT_MS;
  #cancelRepeat = () => {};
  #isClosed = false;

  constructor(options: SafeStateKeeperOptions) {
    this.#options = options;
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Report of the last finished run, with the outcome of the repetitions since. */
  get last(): SafeStateReport | undefined {
    return this.#last;
  }

  /** Devices that the last run and its repetitions have not proven to be safe. */
  get unproven(): SafeStateDevice[] {
    const failed = this.#failed.map(({ name }) => name);
    return DEVICES.filter((device) => SAFE_STATE_DEVICES[device].some((name) => failed.includes(name)));
  }

  /** Which steps are not proven and why, for people; null when all are, and before the first run. */
  get notSafe(): string | null {
    const failed = this.#failed.map(({ name, detail }) => ({ name, why: detail }));
    return failed.length === 0 ? null : failedStepsText(failed);
  }

  /** @param reason for people and records, for example `operator` or `lease_expired` */
  run(reason: string): Promise<SafeStateReport> {
    this.#running ??= this.#run(reason).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** No repetition is begun any more. */
  close(): void {
    this.#isClosed = true;
    this.#cancelRepeat();
  }

  get #failed(): StepReport[] {
    return this.#last?.steps.filter(({ ok }) => !ok) ?? [];
  }

  async #run(reason: string): Promise<SafeStateReport> {
    const { steps, clock, mock, onStart, onEnd } = this.#options;
    this.#cancelRepeat();
    onStart(reason);
    const report = await runSafeState(steps, { clock, reason, mock });
    this.#last = report;
    this.#repeatMs = FIRST_REPEAT_MS;
    this.#repeatLater();
    onEnd(report);
    return report;
  }

  #repeatLater(): void {
    if (this.#isClosed || this.#failed.length === 0) return;
    const stop = new AbortController();
    const cancel = this.#options.clock.after(this.#repeatMs, () => void this.#repeat(stop.signal));
    this.#cancelRepeat = () => {
      cancel();
      stop.abort(new Error('a safe state began'));
    };
    this.#repeatMs = Math.min(2 * this.#repeatMs, LAST_REPEAT_MS);
  }

  async #repeat(stopped: AbortSignal): Promise<void> {
    const { clock, mock, onRepeated } = this.#options;
    const before = this.#last;
    if (!before) return;
    const names: readonly StepName[] = this.unproven.flatMap((device) => [...SAFE_STATE_DEVICES[device]]);
    const report = await runSafeState(this.#stepsAgain(before, names, stopped), {
      clock,
      reason: before.reason,
      mock,
    });
    if (stopped.aborted) return;
    // Of the others nothing new is known: they were not asked.
    const steps = report.steps.map((step, index) =>
      names.includes(step.name) ? step : (before.steps[index] ?? step),
    );
    const outcome = outcomeOf(steps);
    this.#last = { ...report, steps, outcome, ok: steps.every(({ ok }) => ok) };
    this.#repeatLater();
    onRepeated?.(
      steps.filter(({ name }) => names.includes(name)),
      this.#last,
    );
  }

  /** The named steps, ended when `stopped` aborts; the others give their earlier result. */
  #stepsAgain(before: SafeStateReport, names: readonly StepName[], stopped: AbortSignal): SafeStateSteps {
    const { steps } = this.#options;
    const again = before.steps.map(({ name, status, verified, detail }) => {
      const step = (signal: AbortSignal) => {
        stopped.throwIfAborted();
        return steps[name](AbortSignal.any([signal, stopped]));
      };
      const known = async () => ({ status, verified, detail }) as StepResult;
      return [name, names.includes(name) ? step : known] as const;
    });
    return Object.fromEntries(again) as unknown as SafeStateSteps;
  }
}
