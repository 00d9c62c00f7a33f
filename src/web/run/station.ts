import { signal } from '@preact/signals';
import type { StationEntries, StationState } from '../../services/server/station/station.ts';
import { request } from '../api/request.ts';
import { alive } from '../live/state.ts';

/** Time after the last keystroke until the entries are sent, ms. */
const SEND_AFTER_MS = 300;
/** Time until entries that did not reach the server are sent again, ms. */
const RETRY_MS = 1000;

/** What is entered for the next run, as this tablet and the others have it. */
export const station = signal<StationState | undefined>(undefined);
/** Why the last change has not reached the server. */
export const stationFault = signal<unknown>(undefined);

/** Entered here and not sent yet. */
let waiting: Partial<StationEntries> = {};
/** Being sent. */
let underWay: Partial<StationEntries> = {};
let timer: ReturnType<typeof setTimeout> | undefined;
let sending: Promise<void> | undefined;

/** What was entered here and has not reached the server wins over what the server has, on the screen too. */
const show = (state: StationState) => {
  station.value = { ...state, ...underWay, ...waiting };
};

alive.subscribe((state) => {
  if (state && station.value?.version !== state.station.version) show(state.station);
});

/** Changes the entries at once on the screen and soon on the server. */
export function enter(change: Partial<StationEntries>): void {
  const before = station.value ?? alive.value?.station;
  if (before) station.value = { ...before, ...change };
  waiting = { ...waiting, ...change };
  sendAfter(SEND_AFTER_MS);
}

/** The parameters that were changed for the next run: name and value; an empty field leaves the scenario's own value. */
export function changedParameters(): Record<string, string> {
  const typed = Object.entries(station.value?.variables ?? {}).map(([name, value]) => [name, value.trim()]);
  return Object.fromEntries(typed.filter(([, value]) => value !== ''));
}

/** The scenario's own values again, now and for the units after. */
export const OWN_PARAMETERS = { variables: {}, keep_variables: false } as const;

/** Puts a result away for the next unit: the scenario's own values are back, unless the operator keeps the changed ones. */
export function enterNextUnit(runId: string, serial: string): void {
  enter({
    ...{ dismissed_run: runId, serial },
    ...(station.value?.keep_variables ? {} : OWN_PARAMETERS),
  });
}

/** Sends what was entered and not sent yet; where that fails, it is tried again each second. Never rejects. */
export function sendEntries(): Promise<void> {
  clearTimeout(timer);
  sending ??= sendWaiting().finally(() => {
    sending = undefined;
  });
  return sending;
}

function sendAfter(ms: number): void {
  clearTimeout(timer);
  timer = setTimeout(() => void sendEntries(), ms);
}

/** One change after the other: the server gets them in the order in which they were made. */
async function sendWaiting(): Promise<void> {
  while (Object.keys(waiting).length > 0) {
    [underWay, waiting] = [waiting, {}];
    try {
      const answer = await request<StationState>('/api/station', { method: 'PATCH', body: underWay });
      underWay = {};
      show(answer);
      stationFault.value = undefined;
    } catch (fault) {
      [underWay, waiting] = [{}, { ...underWay, ...waiting }];
      stationFault.value = fault;
      sendAfter(RETRY_MS);
      return;
    }
  }
}
