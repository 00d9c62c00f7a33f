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
  /** Nothing was answered within 1 s, or the connection failed. */
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

/** Time in which a way has to say that it has begun, ms. */
const BEGIN_MS = 1000;
/** Time to the report: the safe state is bounded by 5 s, its repetition by the guard by a few more. */
const REPORT_MS = 15_000;

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Asks one way for the stop; what it answers is reported as it comes. Never rejects. */
export async function askForStop(way: StopWay, reports: StopReports, fetch: Fetch): Promise<void> {
  const stop = new AbortController();
  let limit = setTimeout(() => stop.abort(), BEGIN_MS);
  let hasBegun = false;
  let isReported = false;
  reports.state(way.name, { kind: 'asked' });
  try {
    // A simple request of CORS: no preflight goes before it. It is sent also when the page is left.
    const response = await fetch(way.url, {
      method: 'POST',
      signal: stop.signal,
      credentials: 'include',
      keepalive: true,
      cache: 'no-store',
    });
    if (!response.ok) {
      const problem = (await response.json()) as { detail?: string };
      reports.state(way.name, { kind: 'refused', detail: problem.detail ?? String(response.status) });
      return;
    }
    for await (const line of linesOf(response)) {
      const entry = JSON.parse(line) as { event: string } & StopStep & { error?: string; outcome?: string };
      if (entry.event === 'begun') {
        hasBegun = true;
        clearTimeout(limit);
        limit = setTimeout(() => stop.abort(), REPORT_MS);
        reports.state(way.name, { kind: 'begun' });
      }
      if (entry.event === 'step') reports.step(entry);
      if (entry.event === 'report') {
        isReported = true;
        const isSafe = entry.ok && (entry.outcome === 'safe' || entry.outcome === 'simulated');
        const detail = entry.error ?? entry.outcome ?? '';
        reports.state(way.name, isSafe ? { kind: 'safe' } : { kind: 'not_safe', detail });
      }
    }
    if (!isReported) reports.state(way.name, { kind: 'no_answer' });
  } catch {
    if (!isReported)
      reports.state(way.name, hasBegun ? { kind: 'not_safe', detail: '' } : { kind: 'no_answer' });
  } finally {
    clearTimeout(limit);
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
