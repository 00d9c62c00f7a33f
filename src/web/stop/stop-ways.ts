import { computed, effect, signal } from '@preact/signals';
import { systemClock } from '../../lib/clock/clock.ts';
import { alive, connection, settings } from '../live/state.ts';
import { type GuardState, GuardWatch } from './guard-watch.ts';

const GUARD_PORT = 8201;
const GUARD = 'svc-guard';

/** An address of the guard: on the host of this page, at its own port. An IPv6 address has its brackets there already. */
export const guardUrl = (path: string): string =>
  `http://${location.hostname}:${settings.value?.guard_port ?? GUARD_PORT}${path}`;

export const guardState = signal<GuardState>('unknown');

/** Which ways of STOP are known to be dead. The other one still works; without both nobody is reached. */
export const deadWays = computed<'none' | 'server' | 'guard' | 'both'>(() => {
  const { value: state } = connection;
  const isServerLost = state.kind === 'lost' && state.reason !== 'stream';
  const isGuardLost = guardState.value === 'lost';
  if (isServerLost && isGuardLost) return 'both';
  return isServerLost ? 'server' : isGuardLost ? 'guard' : 'none';
});

let isWatched = false;

/** Begins to ask the guard whether it takes stops, once: while the page is seen, and where there is a guard. */
export function watchGuard(): void {
  if (isWatched) return;
  isWatched = true;
  const watch = new GuardWatch({
    clock: systemClock,
    ask: isGuardThere,
    onState: (state) => {
      guardState.value = state;
    },
  });
  // In mock mode nothing moves, and the guard takes no stops.
  const isWanted = computed(() => {
    const bridge = alive.value?.bridge;
    const mode = bridge?.reachable ? bridge.mode : settings.value?.mode;
    return connection.value.kind !== 'paused' && mode !== undefined && mode !== 'mock';
  });
  effect(() => {
    if (isWanted.value) watch.start();
    else watch.stop();
  });
}

/** Rejects without an answer in time. */
async function isGuardThere(timeoutMs: number): Promise<boolean> {
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(guardUrl('/health'), { signal, cache: 'no-store' });
  const { service } = (await response.json()) as { service?: unknown };
  return response.ok && service === GUARD;
}
