import type { ServerResponse } from 'node:http';

/**
 * Sends the pieces as they come, the next one when the client has taken the last. Resolves when all are out or when
 * `stop` aborts, which ends the answer; a source that fails breaks the connection off, so that nobody takes half an
 * answer for a whole one. @throws whatever the source throws
 */
export async function sendStream(
  response: ServerResponse,
  pieces: AsyncIterable<string>,
  stop: AbortSignal,
): Promise<void> {
  const iterator = pieces[Symbol.asyncIterator]();
  const untilStopped = raceWith(stop);
  try {
    for (;;) {
      const next = await untilStopped(iterator.next());
      // Writing to a connection that is gone would be an error that nobody can catch.
      if (next === STOPPED || next.done || response.destroyed) break;
      if (response.write(next.value)) continue;
      if ((await untilStopped(drained(response))) === STOPPED) break;
    }
    response.end();
  } catch (thrown) {
    response.destroy();
    throw thrown;
  } finally {
    // Not awaited: a generator that waits for something else would keep the request of a closed connection running.
    iterator.return?.().catch(() => {});
  }
}

const STOPPED = Symbol('stopped');

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => response.once('drain', resolve));
}

/** `Promise.race` with one promise that lasts as long as the stream would keep every piece in memory. */
function raceWith(stop: AbortSignal): <T>(work: Promise<T>) => Promise<T | typeof STOPPED> {
  let cut = () => {};
  stop.addEventListener('abort', () => cut(), { once: true });
  return (work) =>
    new Promise((resolve, reject) => {
      cut = () => resolve(STOPPED);
      work.then(resolve, reject);
      if (stop.aborted) cut();
    });
}
