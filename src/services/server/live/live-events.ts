import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { StreamEntry } from '../../../lib/http/reply.ts';
import type { Followed } from '../runs/follow-events.ts';
import { BatchReader, type ReadEvents } from './read-batch.ts';
import { ALIVE_MS, type SharedBatches } from './shared-batches.ts';

/** A page that lost the stream asks again at once. */
const RETRY_MS = 500;
/** How often it is looked whether another run has begun. */
const IDLE_MS = 100;

/** Where a client is in the events: those of `runId` up to number `seq` have arrived. */
export interface LivePosition {
  runId: string;
  seq: number;
}

export interface LiveSources {
  /** State of the rig for the event `alive`, of which each stream has a first one. Never throws. */
  alive: (isFirst: boolean, runFault: string | null) => Promise<object>;
  /** Id of the run that pages show now. */
  currentRun: () => string | null;
  followed: (runId: string) => Followed;
  batches: SharedBatches;
}

export interface LiveOptions {
  from: LivePosition | undefined;
  clock: Clock;
  /** Aborts when no caller waits any more. */
  signal: AbortSignal;
}

/**
 * What one page needs, as long as it is open: `alive` at once and every 500 ms, and `run` with the events of the run that is
 * shown, thinned. They are read from the record when the client has taken those before: a slow client gets fewer values of
 * each sensor and holds up nothing. `alive` reports why events are missing: a record that cannot be read is tried again with
 * each of them, a damaged line is left out.
 */
export async function* liveEvents(sources: LiveSources, options: LiveOptions): AsyncGenerator<StreamEntry> {
  const leave = sources.batches.addPage();
  try {
    yield* pageEvents(sources, options);
  } finally {
    leave();
  }
}

async function* pageEvents(
  { alive, currentRun, followed, batches }: LiveSources,
  { from, clock, signal }: LiveOptions,
): AsyncGenerator<StreamEntry> {
  let reader: BatchReader | undefined;
  let runId: string | null = null;
  let aliveAt = clock.monotonic();
  let isFirst = true;
  let seq = -1;
  let runFault: string | null = null;
  let retryAt = aliveAt;
  yield { retry: RETRY_MS };
  while (!signal.aborted) {
    if (clock.monotonic() >= aliveAt) {
      aliveAt = nextAlive(clock.monotonic());
      yield { event: 'alive', data: await alive(isFirst, runFault) };
      isFirst = false;
    }
    const current = currentRun();
    if (current !== runId) {
      runId = current;
      seq = from?.runId === current ? from.seq : -1;
      reader = undefined;
      runFault = null;
      retryAt = clock.monotonic();
    }
    let read: ReadEvents = NOTHING;
    if (runId !== null && clock.monotonic() >= retryAt) {
      try {
        reader ??= new BatchReader(followed(runId), seq);
        read = await reader.read();
      } catch (thrown) {
        read = { ...NOTHING, fault: messageOf(thrown), isUnread: true };
      }
      runFault = read.fault;
      if (read.isUnread) retryAt = clock.monotonic() + ALIVE_MS;
    }
    const { events, isBehind, isEnd } = read;
    const last = events.at(-1);
    seq = last?.seq ?? seq;
    if (last && runId !== null)
      yield {
        id: `${runId}/${last.seq}`,
        event: 'run',
        json: batches.json(runId, events, isEnd),
      };
    if (isBehind) continue;
    const now = clock.monotonic();
    if (last) {
      const ms = untilNextBatch(now, batches.paceMs);
      await pause(Math.min(ms, Math.max(0, aliveAt - now)), clock, signal);
    } else await nextChange(reader, Math.min(IDLE_MS, Math.max(0, aliveAt - now)), clock, signal);
  }
}

/** The same moment for all pages, so that the bridge is asked once for all. */
const nextAlive = (nowMs: number): number => nowMs + ALIVE_MS - (nowMs % ALIVE_MS);

/** All pages wake at the same moments, so that they want the same batch; never sooner than after half the pace. */
function untilNextBatch(nowMs: number, paceMs: number): number {
  const ms = paceMs - (nowMs % paceMs);
  return ms < paceMs / 2 ? ms + paceMs : ms;
}

const NOTHING: ReadEvents = { events: [], isBehind: false, isEnd: false, fault: null, isUnread: false };

/** Of `Last-Event-ID`; undefined for one that is not of this stream. */
export function livePosition(text: string | undefined): LivePosition | undefined {
  const [, runId, seq] = /^([\w.-]{1,100})\/(\d{1,15})$/.exec(text ?? '') ?? [];
  return runId === undefined ? undefined : { runId, seq: Number(seq) };
}

const pause = (ms: number, clock: Clock, signal: AbortSignal): Promise<void> =>
  clock.sleep(ms, signal).catch(() => {});

/** Resolves when the run has a new event, after `ms`, and when no caller waits any more. */
async function nextChange(
  reader: BatchReader | undefined,
  ms: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  let wake = () => {};
  const woken = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const forget = reader?.onChange(wake);
  const cancelTimer = clock.after(ms, wake);
  signal.addEventListener('abort', wake, { once: true });
  if (signal.aborted) wake();
  await woken;
  signal.removeEventListener('abort', wake);
  cancelTimer();
  forget?.();
}
