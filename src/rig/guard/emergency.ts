import type { Clock } from '../../lib/clock/clock.ts';
import { isAlive, type ProcessId } from '../../lib/proc.ts';
import type { SafeStateReport, StepName, StepReport } from '../safe-state/report.ts';
import { runSafeState, type SafeStateSteps, type StepResult } from '../safe-state/safe-state.ts';
import { BRIDGE } from './bridge-life.ts';
import type { BridgeWatch, SeenBridge } from './bridge-watch.ts';
import type { GuardReport } from './guard-report.ts';
import { GuardRig, type GuardRigOptions } from './guard-rig.ts';
import { killMarked } from './process-id.ts';

/** The kernel takes a moment to end a process and free its locks. */
const KILL_LIMIT_MS = 1000;
/** Within it a bridge that has come back must have made the rig safe; monotonic, from the moment the guard knew. */
const TAKE_OVER_LIMIT_MS = 4000;
/** A bridge that holds a device has a life line soon. */
const APPEAR_LIMIT_MS = 1000;
const POLL_MS = 10;

export interface EmergencyOptions extends GuardRigOptions {
  watch: BridgeWatch;
  reason: string;
  /** The bridge to end first. */
  kill: ProcessId | undefined;
  /** Only these steps; all by default. The others count as not concerned. */
  only?: readonly StepName[];
  /** Called for each step of a whole safe state at its end. */
  onStep?: ((step: StepReport) => void) | undefined;
}

/**
 * One safe state by the guard: ends the bridge that does not live, takes the locks, drives the devices, lets go of everything.
 * A bridge that has come back meanwhile makes the rig safe at its start; then it is watched that it does. Never rejects.
 */
export async function makeSafeWithoutBridge(options: EmergencyOptions): Promise<GuardReport> {
  const { clock, watch, reason, kill, only, onStep } = options;
  const knownAt = clock.monotonic();
  const killed: string[] = [];
  const end = async (mark: ProcessId) => {
    if (isAlive(mark)) killed.push(`${BRIDGE} (pid ${mark.pid})`);
    await killMarked(mark, KILL_LIMIT_MS, clock);
  };
  // Meanwhile those are commanded that need nothing from the bridge.
  const freed = kill && end(kill);

  for (;;) {
    if (only === undefined) {
      const report = await takenOver(options, knownAt, end);
      if (report) return { ...report, killed, ...told(clock, knownAt) };
    }
    const rig = new GuardRig({ ...options, ...(freed !== undefined ? { freed } : {}) });
    if (only === undefined) void rig.prepare();
    let offAt: number | undefined;
    const steps = selected(rig.steps, only, () => {
      offAt = clock.monotonic();
    });
    const report = await runSafeState(steps, {
      clock,
      reason,
      mock: false,
      headStartMs: rig.headStartMs,
      ready: rig.ready,
      onStep: only === undefined ? onStep : undefined,
    });
    const { bench } = rig;
    await rig.close();
    killed.push(...rig.killed);
    const isInTime = clock.monotonic() - knownAt < TAKE_OVER_LIMIT_MS;
    if (!report.ok && only === undefined && rig.isHeldByBridge && isInTime) {
      await untilSeen(watch, clock);
      continue;
    }
    return {
      ...report,
      steps: only ? report.steps.filter(({ name }) => only.includes(name)) : report.steps,
      ...told(clock, knownAt),
      by: 'svc-guard',
      bench,
      killed,
      reaction_ms: offAt === undefined ? null : Math.round(offAt - knownAt),
    };
  }
}

/** What a bridge that is back made of it; undefined when there is none, or none that could do it in time. */
async function takenOver(
  { clock, watch, reason }: EmergencyOptions,
  knownAt: number,
  end: (mark: ProcessId) => Promise<void>,
): Promise<Omit<GuardReport, 'at' | 'killed' | 'duration_ms'> | undefined> {
  for (let bridge = watch.bridge; bridge; bridge = watch.bridge) {
    const outcome = await itsOutcome(bridge, watch, clock, knownAt + TAKE_OVER_LIMIT_MS);
    if (outcome !== undefined) {
      const ok = outcome === 'safe';
      const whole = { ok, outcome: outcome as SafeStateReport['outcome'], reason, mock: false };
      return { ...whole, steps: [], by: BRIDGE, bench: bridge.bench, reaction_ms: null };
    }
    if (watch.bridge !== bridge) continue;
    watch.giveUp();
    await end(bridge.mark);
  }
  return undefined;
}

async function itsOutcome(
  bridge: SeenBridge,
  watch: BridgeWatch,
  clock: Clock,
  until: number,
): Promise<string | undefined> {
  for (;;) {
    const { safeState } = bridge;
    if (safeState && !safeState.running && safeState.outcome !== null) return safeState.outcome;
    if (watch.bridge !== bridge || clock.monotonic() >= until) return undefined;
    await clock.sleep(POLL_MS);
  }
}

/** For a moment: without one the devices may be free again. */
async function untilSeen(watch: BridgeWatch, clock: Clock): Promise<void> {
  const until = clock.monotonic() + APPEAR_LIMIT_MS;
  while (!watch.bridge && clock.monotonic() < until) await clock.sleep(POLL_MS);
}

const told = (clock: Clock, knownAt: number) => ({
  at: new Date(clock.now()).toISOString(),
  duration_ms: Math.round(clock.monotonic() - knownAt),
});

const NOT_CONCERNED: StepResult = { status: 'not_configured', verified: false, detail: 'not concerned' };

function selected(
  steps: SafeStateSteps,
  only: readonly StepName[] | undefined,
  onValvesOff: () => void,
): SafeStateSteps {
  const entries = Object.entries(steps) as [StepName, SafeStateSteps[StepName]][];
  const chosen = entries.map(([name, step]): [StepName, SafeStateSteps[StepName]] => {
    if (only && !only.includes(name)) return [name, async () => NOT_CONCERNED];
    if (name !== 'valves_off') return [name, step];
    const watched: SafeStateSteps[StepName] = async (signal) => {
      const result = await step(signal);
      if (result.status === 'done') onValvesOff();
      return result;
    };
    return [name, watched];
  });
  return Object.fromEntries(chosen) as SafeStateSteps;
}
