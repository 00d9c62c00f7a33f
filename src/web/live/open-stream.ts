import type { Stream, StreamHandlers } from './connection.ts';

/** The event stream of the server, by the browser's own EventSource. */
export function openStream(lastEventId: string | undefined, handlers: StreamHandlers): Stream {
  const query = lastEventId === undefined ? '' : `?${new URLSearchParams({ last_event_id: lastEventId })}`;
  const source = new EventSource(`/api/live${query}`);
  source.addEventListener('alive', ({ data }) => handlers.alive(String(data)));
  source.addEventListener('run', ({ data, lastEventId: id }) => handlers.run(String(data), id));
  source.addEventListener('error', () => {
    // After a status other than 200 the browser does not try again.
    if (source.readyState === EventSource.CLOSED) handlers.closed();
  });
  return source;
}

/** @throws TypeError without a connection; DOMException `TimeoutError` */
export async function askHealth(timeoutMs: number): Promise<number> {
  const response = await fetch('/health', { signal: AbortSignal.timeout(timeoutMs), cache: 'no-store' });
  return response.status;
}
