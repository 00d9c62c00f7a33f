import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import {
  outcomeOf,
  type SafeStateReport,
  STEP_CAP_MS,
  STEP_NAMES,
  type StepName,
  type StepReport,
  type StepStatus,
} from './report.ts';

/** What a step achieved. A failure is thrown. */
export interface StepResult {
  status: Extract<StepStatus, 'done' | 'not_configured' | 'simulated'>;
  verified: boolean;
  detail: string;
}

/** One action per step. The signal aborts at the step's cap; a step that ignores it is left behind. */
export type SafeStateSteps = Readonly<Record<StepName, (signal: AbortSignal) => Promise<StepResult>>>;

/** Runs all steps in order, whatever the earlier ones gave, each within its cap. Never throws. */
export async function runSafeState(
  steps: SafeStateSteps,
  options: { clock: Clock; reason: string; mock: boolean },
): Promise<SafeStateReport> {
  const { clock, reason, mock } = options;
  const startedAt = clock.monotonic();
  const reports: StepReport[] = [];
  for (const name of STEP_NAMES) reports.push(await runStep(name, steps[name], clock));
  const outcome = outcomeOf(reports);
  return {
    ok: outcome === 'safe' || outcome === 'simulated',
    outcome,
    reason,
    duration_ms: Math.round(clock.monotonic() - startedAt),
    mock,
    steps: reports,
  };
}

async function runStep(name: StepName, step: SafeStateSteps[StepName], clock: Clock): Promise<StepReport> {
  const capMs = STEP_CAP_MS[name];
  const startedAt = clock.monotonic();
  const stop = new AbortController();
  let cancel = () => {};
  const capped = new Promise<'capped'>((resolve) => {
    cancel = clock.after(capMs, () => {
      stop.abort(new Error(`${name} was not done within ${capMs} ms`));
      resolve('capped');
    });
  });
  let report: Omit<StepReport, 'name' | 'duration_ms'>;
  try {
    const result = await Promise.race([Promise.resolve().then(() => step(stop.signal)), capped]);
    report =
      result === 'capped'
        ? failure('timeout', `not done within ${capMs} ms; the state is unknown`)
        : { ok: true, ...result };
  } catch (thrown) {
    report = stop.signal.aborted
      ? failure('timeout', `not done within ${capMs} ms; the state is unknown`)
      : failure('failed', messageOf(thrown));
  } finally {
    cancel();
  }
  return { name, ...report, duration_ms: Math.round(clock.monotonic() - startedAt) };
}

function failure(status: 'failed' | 'timeout', detail: string): Omit<StepReport, 'name' | 'duration_ms'> {
  return { ok: false, status, verified: false, detail };
}
