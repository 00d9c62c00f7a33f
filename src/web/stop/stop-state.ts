import { signal } from '@preact/signals';
import { systemClock } from '../../lib/clock/clock.ts';
import { settings } from '../live/state.ts';
import { askForStop, type StopStep, type WayName, type WayState } from './ask-for-stop.ts';

/** A stop that was asked for here, and how far it is. */
export interface StopAttempt {
  /** Wall clock of this browser, ms. */
  readonly at: number;
  readonly ways: Readonly<Record<WayName, WayState>>;
  readonly steps: readonly StopStep[];
}

export const attempt = signal<StopAttempt | null>(null);

const GUARD_PORT = 8201;

/** Asks server and guard at once; either suffices. @param by who, for the record */
export function stopRig(by: string): void {
  const id = Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
  const asked = new URLSearchParams({ by, id });
  const guardPort = settings.value?.guard_port ?? GUARD_PORT;
  const at = Date.now();
  attempt.value = { at, ways: { server: { kind: 'asked' }, guard: { kind: 'asked' } }, steps: [] };
  const change = (update: (now: StopAttempt) => StopAttempt) => {
    // A later press has taken its place.
    if (attempt.value?.at === at) attempt.value = update(attempt.value);
  };
  const reports = {
    state: (way: WayName, state: WayState) =>
      change((now) => ({ ...now, ways: { ...now.ways, [way]: state } })),
    step: (step: StopStep) => change((now) => ({ ...now, steps: withStep(now.steps, step) })),
  };
  const parts = {
    fetch: (url: string, init: RequestInit) => fetch(url, init),
    clock: systemClock,
    // Neither released nor closed, no later press has taken its place, and no other way has proven it.
    isWanted: () => attempt.value?.at === at && summaryOf(attempt.value) !== 'safe',
  };
  const host = location.hostname.includes(':') ? `[${location.hostname}]` : location.hostname;
  void askForStop({ name: 'guard', url: `http://${host}:${guardPort}/stop?${asked}` }, reports, parts);
  void askForStop({ name: 'server', url: `/api/stop?${asked}` }, reports, parts);
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
