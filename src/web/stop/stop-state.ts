import { signal } from '@preact/signals';
import { systemClock } from '../../lib/clock/clock.ts';
import type { BridgeStatus } from '../../services/server/live/rig-status.ts';
import { alive } from '../live/state.ts';
import { askForStop, type StopStep, type WayName, type WayState } from './ask-for-stop.ts';
import { guardUrl } from './stop-ways.ts';

/** A stop that was asked for here, and how far it is. */
export interface StopAttempt {
  /** Wall clock of this browser, ms. */
  readonly at: number;
  /** Of the stop; the bridge reports it as long as the stop is in force. */
  readonly id: string;
  /** When a way has proven the safe state; null until then. Wall clock of this browser, ms. */
  readonly safeAt: number | null;
  /** The bridge has reported this stop as in force. */
  readonly wasInForce: boolean;
  /** Reports of the bridge since `safeAt` that do not have this stop. */
  readonly reportsWithout: number;
  readonly ways: Readonly<Record<WayName, WayState>>;
  readonly steps: readonly StopStep[];
}

export const attempt = signal<StopAttempt | null>(null);

alive.subscribe((state) => {
  if (state && attempt.peek()) attempt.value = afterReport(attempt.peek(), state.bridge);
});

/** Asks server and guard at once; either suffices. @param by who, for the record */
export function stopRig(by: string): void {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const asked = new URLSearchParams({ by, id });
  const at = Date.now();
  attempt.value = newAttempt(id, at);
  const change = (update: (now: StopAttempt) => StopAttempt) => {
    // A later press has taken its place.
    if (attempt.value?.at === at) attempt.value = update(attempt.value);
  };
  const reports = {
    state: (way: WayName, state: WayState) => change((now) => withState(now, way, state, Date.now())),
    step: (step: StopStep) => change((now) => ({ ...now, steps: withStep(now.steps, step) })),
  };
  const parts = {
    fetch: (url: string, init: RequestInit) => fetch(url, init),
    clock: systemClock,
    // Neither released nor closed, no later press has taken its place, and no other way has proven it.
    isWanted: () => attempt.value?.at === at && summaryOf(attempt.value) !== 'safe',
  };
  void askForStop({ name: 'guard', url: guardUrl(`/stop?${asked}`) }, reports, parts);
  void askForStop({ name: 'server', url: `/api/stop?${asked}` }, reports, parts);
}

export const newAttempt = (id: string, at: number): StopAttempt => ({
  ...{ at, id, safeAt: null, wasInForce: false, reportsWithout: 0 },
  ways: { server: { kind: 'asked' }, guard: { kind: 'asked' } },
  steps: [],
});

/** @param time wall clock, ms */
export function withState(now: StopAttempt, way: WayName, state: WayState, time: number): StopAttempt {
  const next = { ...now, ways: { ...now.ways, [way]: state } };
  return { ...next, safeAt: now.safeAt ?? (summaryOf(next) === 'safe' ? time : null) };
}

/** The bridge is asked beside the stop: its first reports after it may be those of before. */
const LATE_REPORTS = 4;

/** A proven stop is over when the bridge reports none or another one: outputs may be on again. An alarm stays. */
export function afterReport(now: StopAttempt | null, bridge: BridgeStatus): StopAttempt | null {
  if (!now || !bridge.reachable) return now;
  if (bridge.operator_stop?.id === now.id) return now.wasInForce ? now : { ...now, wasInForce: true };
  if (now.safeAt === null || summaryOf(now) !== 'safe') return now;
  const reportsWithout = now.reportsWithout + 1;
  return now.wasInForce || reportsWithout >= LATE_REPORTS ? null : { ...now, reportsWithout };
}

/** A step that one way confirms stays confirmed, whatever the other one reports later. */
function withStep(steps: readonly StopStep[], step: StopStep): StopStep[] {
  const known = steps.find(({ name }) => name === step.name);
  if (!known) return [...steps, step];
  return known.ok ? [...steps] : steps.map((one) => (one.name === step.name ? step : one));
}

export type StopSummary = 'stopping' | 'safe' | 'not_safe' | 'not_confirmed';

/** Safe when one way has proven it; not confirmed when neither has answered. */
export function summaryOf({ ways }: StopAttempt): StopSummary {
  const kinds = Object.values(ways).map(({ kind }) => kind);
  if (kinds.includes('safe')) return 'safe';
  if (kinds.includes('asked') || kinds.includes('begun')) return 'stopping';
  return kinds.includes('not_safe') ? 'not_safe' : 'not_confirmed';
}

/** What the panel shows: never safe where the bridge reports that the safe state is not proven. */
export function panelSummary(now: StopAttempt | null, bridge: BridgeStatus | undefined): StopSummary {
  const summary = now ? summaryOf(now) : 'safe';
  if (summary !== 'safe' || !bridge?.reachable) return summary;
  if (bridge.not_safe !== null) return 'not_safe';
  return !now && bridge.safe_state?.running === true ? 'stopping' : 'safe';
}
