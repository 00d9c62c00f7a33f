import { signal } from '@preact/signals';
import type { StationEntries, StationState } from '../../services/server/station/station.ts';
import { request } from '../api/request.ts';
import { alive } from '../live/state.ts';

/** Time after the last keystroke until the entries are sent, ms. */
const SEND_AFTER_MS = 300;

/** What is entered for the next run, as this tablet and the others have it. */
export const station = signal<StationState | undefined>(undefined);
/** Why the last change has not reached the server. */
export const stationFault = signal<unknown>(undefined);

let waiting: Partial<StationEntries> = {};
let timer: ReturnType<typeof setTimeout> | undefined;
let isSending = false;

// What was typed here and is not sent yet wins over what the server has.
alive.subscribe((state) => {
  if (!state || isSending || timer !== undefined) return;
  if (station.value?.version !== state.station.version) station.value = state.station;
});

/** Changes the entries at once on the screen and soon on the server. */
export function enter(change: Partial<StationEntries>): void {
  const before = station.value ?? alive.value?.station;
  if (before) station.value = { ...before, ...change };
  waiting = { ...waiting, ...change };
  clearTimeout(timer);
  timer = setTimeout(() => void sendEntries(), SEND_AFTER_MS);
}

/** Sends what was entered and not sent yet. Never rejects. */
export async function sendEntries(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  if (Object.keys(waiting).length === 0) return;
  const body = waiting;
  waiting = {};
  isSending = true;
  try {
    const answer = await request<StationState>('/api/station', { method: 'PATCH', body });
    if (timer === undefined) station.value = answer;
    stationFault.value = undefined;
  } catch (fault) {
    stationFault.value = fault;
    waiting = { ...body, ...waiting };
  } finally {
    isSending = false;
  }
}
