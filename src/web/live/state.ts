import { computed, signal } from '@preact/signals';
import { systemClock } from '../../lib/clock/clock.ts';
import type { AliveState, PageSettings, RunBatch } from '../../services/server/live/live-schema.ts';
import { type ConnectionState, LiveConnection } from './connection.ts';
import { askHealth, openStream } from './open-stream.ts';

export const connection = signal<ConnectionState>({ kind: 'connecting' });
/** The last state that arrived; it is old while the connection is lost. */
export const alive = signal<AliveState | null>(null);
/** Undefined until the server has answered. */
export const settings = signal<PageSettings | undefined>(undefined);

/** What is shown is not current. */
export const isStale = computed(() => connection.value.kind !== 'ok');

const runListeners = new Set<(batch: RunBatch) => void>();

/** Calls back with each batch of events of the current run. */
export function onRunBatch(listener: (batch: RunBatch) => void): void {
  runListeners.add(listener);
}

let isConnected = false;

/** Opens the stream of this page, once; a hidden tab has none. */
export function connect(): void {
  if (isConnected) return;
  isConnected = true;
  const live = new LiveConnection({
    clock: systemClock,
    open: openStream,
    health: askHealth,
    onState: (state) => {
      connection.value = state;
    },
    onAlive: (data) => {
      alive.value = JSON.parse(data) as AliveState;
    },
    onRun: (data) => {
      const batch = JSON.parse(data) as RunBatch;
      for (const listener of runListeners) listener(batch);
    },
  });
  if (document.visibilityState === 'visible') live.start();
  else live.pause();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') live.resume();
    else live.pause();
  });
}
