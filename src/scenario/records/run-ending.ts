import type { DeviceMode, RunEvent, SafeStateStep, Variable } from '../events/event.ts';
import { leftOutOf, startOf } from '../outputs/record.ts';
import type { GoalResult, Result } from '../run/result.ts';
import { firstFailedOf, measurementsOf } from './measurements.ts';
import { type RetriedBlock, retriesOf } from './run-retries.ts';

/**
 * How a run ended. `done`: its commands succeeded and no goal was judged.
 */
export type EndedStatus = 'passed' | 'done' | 'failed' | 'error' | 'inconclusive' | 'aborted';

export interface RunFault {
  readonly code: string;
  readonly message: string;
}

/** What the rig was left in, as reported by the safe state of the run. */
export interface RunSafeState {
  /** `unknown`: the run was cut before it could determine. */
  readonly outcome: 'safe' | 'simulated' | 'partial' | 'failed' | 'unknown';
  readonly reason: string;
  readonly steps: readonly SafeStateStep[];
}

export interface RunEnding {
  readonly status: EndedStatus;
  /** True for a passed run in which a goal passed by its checks. */
  readonly ok: boolean;
  readonly passed: number;
  readonly total: number;
  readonly started_at: string;
  readonly ended_at: string;
  readonly simulated: boolean;
  readonly bench: boolean;
  readonly errors: readonly RunFault[];
  readonly variables: Readonly<Record<string, Variable>>;
  /** Null: the run never had the rig. */
  readonly safe_state: RunSafeState | null;
  /** Goals that were not selected (`--goal`); such a run is never ok, for it is not a whole test. */
  readonly left_out?: readonly string[];
  /** What drove each device; absent when the bridge was not asked, and in older records. */
  readonly devices?: Readonly<Record<string, DeviceMode>>;
  /** Blocks that were tried again. Not in older records. */
  readonly retries?: readonly RetriedBlock[];
  /** The check that failed first and was not replaced by a later attempt; null for none. Not in older records. */
  readonly first_failed?: FirstFailed | null;
}

export interface FirstFailed {
  /** Id of the judged value. */
  readonly id: string;
  readonly block: string;
  readonly message: string;
}

const OF_ENDING: ReadonlySet<RunEvent['type']> = new Set([
  ...(['run.start', 'block.start', 'check', 'block.end', 'safe-state'] as const),
]);

/** Whether an ending is made from such events; the others are in the record only. */
export const isOfEnding = ({ type }: RunEvent): boolean => OF_ENDING.has(type);

/** The ending of a run that had a result, with the events of `isOfEnding` at least. @param endedAt ISO time */
export function endingOf(result: Result, endedAt: string, validateOnly = false): RunEnding {
  const { passed, total, startedAt, simulated, bench, variables, events } = result;
  const hasGoal = result.goals.some(
    ({ kind, outcome, procedure }) =>
      kind === 'GOAL' && (validateOnly || (outcome === 'passed' && procedure === undefined)),
  );
  const leftOut = leftOutOf(result);
  const devices = startOf(result)?.devices;
  // The scenario is no part of what is taken from it.
  const firstFailed = firstFailedOf(measurementsOf(events, ''));
  const status = statusOf(result, validateOnly || hasGoal);
  return {
    status,
    ok: status === 'passed' && hasGoal && leftOut.length === 0,
    passed,
    total,
    started_at: startedAt,
    ended_at: endedAt,
    simulated,
    bench,
    errors: faultsOf(result, status),
    variables,
    safe_state: lastSafeState(events),
    ...(leftOut.length === 0 ? {} : { left_out: leftOut }),
    ...(devices ? { devices } : {}),
    retries: retriesOf(events),
    first_failed: firstFailed && {
      id: firstFailed.id,
      block: firstFailed.block,
      message: firstFailed.message,
    },
  };
}

/** A run in which every goal was skipped has tested nothing. */
function statusOf({ outcome, goals }: Result, tested: boolean): EndedStatus {
  if (outcome !== 'skipped' && outcome !== 'passed') return outcome;
  if (tested) return 'passed';
  const ran = goals.some(({ kind, attempts }) => kind === 'GOAL' && attempts > 0);
  return ran ? 'done' : 'error';
}

function faultsOf({ diagnostics, goals, outcome }: Result, status: EndedStatus): RunFault[] {
  const found = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => ({ code: code as string, message }));
  const goalFaults = goals.flatMap((goal) =>
    isFault(goal)
      ? [{ code: goal.outcome as string, message: `${goal.name}: ${goal.message ?? goal.outcome}` }]
      : [],
  );
  const skipped =
    status === 'error' && outcome === 'skipped'
      ? [{ code: 'skipped', message: 'nothing was tested: every goal was skipped' }]
      : [];
  return [...found, ...goalFaults, ...skipped];
}

const isFault = ({ outcome, optional }: GoalResult): boolean =>
  outcome === 'failed' || outcome === 'error' || (outcome === 'inconclusive' && optional === undefined);

/** What the last safe state among events came to; null when there was none. */
export function lastSafeState(events: readonly RunEvent[]): RunSafeState | null {
  const last = events.findLast((event) => event.type === 'safe-state');
  if (last?.type !== 'safe-state') return null;
  const { reason, ok, steps, simulated } = last;
  if (ok) return { outcome: simulated ? 'simulated' : 'safe', reason, steps };
  return { outcome: steps.some((step) => step.ok) ? 'partial' : 'failed', reason, steps };
}
