import { bounded, endOrTime } from '../../lib/clock/bounded.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import {
  outcomeOf,
  type SafeStateReport,
  type StepName,
  type StepReport,
  type StepStatus,
  stepSpec,
} from './report.ts';

/** What a step achieved. A failure is thrown. */
export interface StepResult {
  status: Extract<StepStatus, 'done' | 'not_configured' | 'simulated'>;
  verified: boolean;
  detail: string;
}

/** One action per step. The signal aborts at the step's cap; a step that ignores it is left behind. */
export type SafeStateSteps = Readonly<Record<StepName, (signal: AbortSignal) => Promise<StepResult>>>;

/**
 * Milliseconds after the start at which a step of another device begins, although the ones before it are not done yet:
 * enough for those to be on their wires, so that pump and lung are commanded first, and no more, so that a device that hangs
 * or is slow to read back never keeps the valves open.
 */
export const HEAD_START_MS = { pump_zero: 6, lung_deenergize: 14, valves_off: 18 };

export interface SafeStateOptions {
  clock: Clock;
  reason: string;
  mock: boolean;
  /** For devices that have to be opened and identified first. Default `HEAD_START_MS`. */
  headStartMs?: typeof HEAD_START_MS;
  /** What steps have to wait for before they, and their caps, begin; never rejects. */
  ready?: Readonly<Partial<Record<StepName, Promise<void>>>>;
  /** Called for each step at its end. */
  onStep?: ((step: StepReport) => void) | undefined;
}

/**
 * Runs all steps, whatever the others give, each within its cap. They begin in the documented order; the steps of
 * one device wait for each other, those of different devices overlap. 2.5 s at most. Never throws.
 */
export async function runSafeState(
  steps: SafeStateSteps,
  { clock, reason, mock, headStartMs = HEAD_START_MS, ready = {}, onStep }: SafeStateOptions,
): Promise<SafeStateReport> {
  const startedAt = clock.monotonic();
  const step = async (name: StepName) => {
    if (ready[name]) await ready[name];
    const report = await runStep(name, steps[name], clock);
    onStep?.(report);
    return report;
  };

  const halt = step('lung_halt');
  const pump = endOrTime(halt, clock, headStartMs.pump_zero).then(() => step('pump_zero'));
  const pumpTold = endOrTime(pump, clock, headStartMs.lung_deenergize);
  const deenergize = Promise.all([halt, pumpTold]).then(() => step('lung_deenergize'));
  const othersTold = endOrTime(Promise.all([pump, deenergize]), clock, headStartMs.valves_off);
  const off = othersTold.then(() => step('valves_off'));
  const verify = off.then(() => step('valves_verify'));
  const reports = await Promise.all([halt, pump, deenergize, off, verify]);

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
  const { capMs } = stepSpec(name);
  const startedAt = clock.monotonic();
  const late = new Error(`${name} was not done within ${capMs} ms`);
  let report: Omit<StepReport, 'name' | 'duration_ms'>;
  try {
    const work = (signal: AbortSignal) => Promise.resolve().then(() => step(signal));
    report = { ok: true, ...(await bounded(work, { clock, limitMs: capMs, late: () => late })) };
  } catch (thrown) {
    report =
      thrown === late
        ? failure('timeout', `not done within ${capMs} ms; the state is unknown`)
        : failure('failed', messageOf(thrown));
  }
  return { name, ...report, duration_ms: Math.round(clock.monotonic() - startedAt) };
}

function failure(status: 'failed' | 'timeout', detail: string): Omit<StepReport, 'name' | 'duration_ms'> {
  return { ok: false, status, verified: false, detail };
}
