import type { Clock } from '../../../lib/clock/clock.ts';
import { messageOf } from '../../../lib/errors/coded-error.ts';
import type { ServerSentEvent, StreamEntry } from '../../../lib/http/reply.ts';
import type { RunEvent } from '../../../scenario/events/event.ts';
import { readLines } from '../../../scenario/records/read-lines.ts';
import type { RecentEvent } from './recent-events.ts';
import { damagedLine, recordedEvent } from './recorded-event.ts';

/** A sign of life, whatever happens or does not. */
const COMMENT_MS = 15_000;
/** A page that has had no event `alive` for a second or two knows that what it shows is old. */
const ALIVE_MS = 500;
/** A page that lost the stream asks again at once. */
const RETRY_MS = 500;

/** The recorded events of a run, and whether more will come. */
export interface Followed {
  readonly path: string;
  /** Length of the events that are written. */
  readonly bytes: number;
  readonly isOver: boolean;
  /** Number of the last event of a run that has ended. */
  readonly lastSeq: number | undefined;
  /** The last event, where the disk did not take it. */
  readonly unrecordedEnd: RunEvent | undefined;
  /** Events behind an offset of the record, where all of them are still in memory. */
  readonly recent?: (offset: number) => readonly RecentEvent[] | undefined;
  onChange(listener: () => void): () => void;
}

export interface FollowOptions {
  clock: Clock;
  /** Aborts when no caller waits any more. */
  signal: AbortSignal;
  /** Data of the event `alive`. Never throws. */
  alive: () => Promise<object>;
}

/**
 * The events of a run after number `after`, to `run.end`, and meanwhile `alive` every 500 ms. They are read from the
 * record when the client has taken the ones before, so a slow client holds up nothing and costs no memory. What cannot
 * be read is reported by `record-fault`, which has no id: one damaged line is left out, a file that has no last event ends
 * the stream, and so does one that cannot be read now, which is marked `temporary`.
 */
export async function* followEvents(
  run: Followed,
  after: number,
  { clock, signal, alive }: FollowOptions,
): AsyncGenerator<StreamEntry> {
  let at = 0;
  let line = 0;
  let commentAt = clock.monotonic() + COMMENT_MS;
  let aliveAt = clock.monotonic() + ALIVE_MS;
  yield { retry: RETRY_MS };
  while (!signal.aborted) {
    const now = clock.monotonic();
    if (now >= commentAt) {
      commentAt = now + COMMENT_MS;
      yield { comment: 'the run goes on' };
      continue;
    }
    if (now >= aliveAt) {
      aliveAt = now + ALIVE_MS;
      yield { event: 'alive', data: await alive() };
      continue;
    }
    // Asked before the length: what came with the end is read too.
    const { isOver } = run;
    const to = run.bytes;
    try {
      for await (const { text, end } of readLines(run.path, at, to)) {
        at = end;
        line++;
        const event = recordedEvent(text);
        if (!event) yield fault(damagedLine(line, run.path));
        else if (event.seq > after) yield sent(event);
        if (event?.type === 'run.end') return;
      }
    } catch (thrown) {
      yield fault(`${run.path} cannot be read: ${messageOf(thrown)}`, true);
      return;
    }
    if (isOver) {
      yield run.unrecordedEnd
        ? sent(run.unrecordedEnd)
        : fault(`${run.path} has no last event; svcctl verify shows what differs`);
      return;
    }
    if (run.bytes > to || run.isOver) continue;
    // Reading took its time.
    const untilNextMs = Math.min(commentAt, aliveAt) - clock.monotonic();
    if (untilNextMs > 0) await changed(run, untilNextMs, clock, signal);
  }
}

/** @param temporary the next stream may read it */
const fault = (reason: string, temporary = false): ServerSentEvent => ({
  event: 'record-fault',
  data: { reason, temporary },
});

const sent = (event: RunEvent): ServerSentEvent => ({ id: event.seq, event: event.type, data: event });

/** Resolves when something changed, after `ms`, and when no caller waits any more. */
function changed(run: Followed, ms: number, clock: Clock, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const finish = () => {
      cancel();
      forget();
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(ms, finish);
    const forget = run.onChange(finish);
    signal.addEventListener('abort', finish, { once: true });
  });
}
