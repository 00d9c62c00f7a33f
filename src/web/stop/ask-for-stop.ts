import type { Clock } from '../../lib/clock/clock.ts';

/** A step of the safe state, as bridge and guard report it. */
export interface StopStep {
  name: string;
  ok: boolean;
  detail?: string;
}

export type WayName = 'server' | 'guard';

/** How far one of the two ways is. */
export type WayState =
  | { readonly kind: 'asked' }
  | { readonly kind: 'begun' }
  | { readonly kind: 'safe' }
  | { readonly kind: 'not_safe'; readonly detail: string }
  /** Nothing was answered within 1 s so far, or the connection failed; `begun` and `safe` may still come. */
  | { readonly kind: 'no_answer' }
  | { readonly kind: 'refused'; readonly detail: string };

export interface StopWay {
  name: WayName;
  url: string;
}

export interface StopReports {
  state(way: WayName, state: WayState): void;
  step(step: StopStep): void;
}

/** Time after which a way that has not begun is reported as silent, ms. Its request stays open. */
const BEGIN_MS = 1000;
/** Time to the report: the safe state is bounded by 5 s, its repetition by the guard by a few more. */
const REPORT_MS = 15_000;
/** Time from a connection that failed to the next one, ms. */
const RETRY_MS = 250;

export interface StopParts {
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  clock: Clock;
  /** Whether a stop that has not reached this way is still to be sent again. */
  isWanted: () => boolean;
}

/**
 * Asks one way for the stop; what it answers is reported as it comes. A way that is silent is reported and keeps its request: a
 * network that loses a packet delivers it later. After a connection that failed the same stop is sent again. Never rejects.
 */
export async function askForStop(way: StopWay, reports: StopReports, parts: StopParts): Promise<void> {
  const { clock, isWanted } = parts;
  const limit = new AbortController();
  let kind: WayState['kind'] = 'asked';
  const set = (state: WayState) => {
    if (state.kind === kind) return;
    kind = state.kind;
    reports.state(way.name, state);
  };
  const is = (...kinds: WayState['kind'][]) => kinds.includes(kind);
  const cancelSilence = clock.after(BEGIN_MS, () => set({ kind: 'no_answer' }));
  let cancelLimit = clock.after(REPORT_MS, () => limit.abort());
  const begun = () => {
    cancelSilence();
    cancelLimit();
    cancelLimit = clock.after(REPORT_MS, () => limit.abort());
    set({ kind: 'begun' });
  };
  reports.state(way.name, { kind });
  for (;;) {
    const isBroken = await sendOnce(way, parts.fetch, limit.signal, {
      begun,
      set,
      step: reports.step,
    }).then(
      () => false,
      () => true,
    );
    if (is('begun')) set(isBroken ? { kind: 'not_safe', detail: '' } : { kind: 'no_answer' });
    else if (is('asked', 'no_answer')) {
      set({ kind: 'no_answer' });
      await clock.sleep(RETRY_MS, limit.signal).catch(() => {});
      if (!limit.signal.aborted && isWanted()) continue;
    }
    break;
  }
  cancelSilence();
  cancelLimit();
}

interface OnLines {
  begun: () => void;
  set: (state: WayState) => void;
  step: (step: StopStep) => void;
}

/** @throws TypeError, DOMException, SyntaxError: the connection failed, or its lines cannot be read */
async function sendOnce(
  way: StopWay,
  fetch: StopParts['fetch'],
  signal: AbortSignal,
  { begun, set, step }: OnLines,
): Promise<void> {
  // A simple request of CORS: no preflight goes before it. It is sent also when the page is left.
  const response = await fetch(way.url, {
    method: 'POST',
    signal,
    credentials: 'include',
    keepalive: true,
    cache: 'no-store',
  });
  if (!response.ok) {
    const problem = (await response.json().catch(() => ({}))) as { detail?: string };
    return set({ kind: 'refused', detail: problem.detail ?? String(response.status) });
  }
  for await (const line of linesOf(response)) {
    const entry = JSON.parse(line) as { event: string } & StopStep & { error?: string; outcome?: string };
    if (entry.event === 'begun') begun();
    if (entry.event === 'step') step(entry);
    if (entry.event === 'report') {
      const isSafe = entry.ok && (entry.outcome === 'safe' || entry.outcome === 'simulated');
      set(isSafe ? { kind: 'safe' } : { kind: 'not_safe', detail: entry.error ?? entry.outcome ?? '' });
    }
  }
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const next = await reader?.read();
    if (!next || next.done) break;
    const lines = (rest + next.value).split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line !== '');
  }
  if (rest !== '') yield rest;
}
