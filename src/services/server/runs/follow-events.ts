import type { Clock } from '../../../lib/clock/clock.ts';
import type { Comment, ServerSentEvent } from '../../../lib/http/stream-formats.ts';
import type { RunEvent } from '../../../scenario/events/event.ts';
import { readLines } from '../../../scenario/records/read-lines.ts';

/** Services specification, section 12: a sign of life, whatever happens or does not. */
const COMMENT_MS = 15_000;

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
  onChange(listener: () => void): () => void;
}

/**
 * The events of a run after number `after`, to `run.end`. They are read from the record when the client has taken the
 * ones before, so a slow client holds up nothing and costs no memory. @throws the system's error
 */
export async function* followEvents(
  run: Followed,
  after: number,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<ServerSentEvent | Comment> {
  let at = 0;
  let commentAt = clock.monotonic() + COMMENT_MS;
  while (!signal.aborted) {
    const untilComment = commentAt - clock.monotonic();
    if (untilComment <= 0) {
      commentAt += COMMENT_MS - untilComment;
      yield { comment: 'the run goes on' };
      continue;
    }
    // Asked before the length: what came with the end is read too.
    const { isOver } = run;
    const to = run.bytes;
    for await (const { text, end } of readLines(run.path, at, to)) {
      at = end;
      const event = JSON.parse(text) as RunEvent;
      if (event.seq > after) yield sent(event);
      if (event.type === 'run.end') return;
    }
    if (isOver) {
      if (run.unrecordedEnd) yield sent(run.unrecordedEnd);
      return;
    }
    if (run.bytes > to || run.isOver) continue;
    await changed(run, untilComment, clock, signal);
  }
}

const sent = (event: RunEvent): ServerSentEvent => ({ id: event.seq, event: event.type, data: event });

/** Resolves when something changed, after `ms`, and when nobody waits any more. */
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
