import { type Reply, stream } from './reply.ts';

export const NDJSON_TYPE = 'application/x-ndjson';

/** One line of JSON for each entry. */
export function ndjsonStream(entries: AsyncIterable<object>): Reply {
  return stream(
    mapped(entries, (entry) => `${JSON.stringify(entry)}\n`),
    NDJSON_TYPE,
  );
}

export interface ServerSentEvent {
  /** What the client sends back as `Last-Event-ID` when it comes again. */
  id?: string | number;
  event?: string;
  /** Sent as one line of JSON. */
  data: unknown;
}

/** A comment keeps a silent connection open and is nothing to the client. */
export interface Comment {
  comment: string;
}

/** Milliseconds after which a browser that lost the stream asks again. */
export interface Retry {
  retry: number;
}

export type StreamEntry = ServerSentEvent | Comment | Retry;

/** Server-sent events (HTML standard, section 9.2). */
export function eventStream(events: AsyncIterable<StreamEntry>): Reply {
  return stream(mapped(events, eventText), 'text/event-stream; charset=utf-8');
}

export function eventText(event: StreamEntry): string {
  if ('retry' in event) return `retry: ${event.retry}\n\n`;
  if ('comment' in event) return `: ${oneLine(event.comment)}\n\n`;
  const id = event.id === undefined ? '' : `id: ${oneLine(String(event.id))}\n`;
  const name = event.event === undefined ? '' : `event: ${oneLine(event.event)}\n`;
  return `${id}${name}data: ${JSON.stringify(event.data)}\n\n`;
}

/** A line break inside a field would begin another one. */
function oneLine(text: string): string {
  return text.replace(/[\r\n\0]+/g, ' ');
}

async function* mapped<T>(source: AsyncIterable<T>, write: (entry: T) => string): AsyncGenerator<string> {
  for await (const entry of source) yield write(entry);
}
