/** The part of a writable stream that is needed here. `process.stderr` queues what a slow pipe does not take. */
export interface LogStream {
  write(text: string): unknown;
  /** Bytes that wait for the reader. */
  readonly writableLength: number;
}

export interface BoundedSink {
  write(line: string): void;
}

const LIMIT_BYTES = 1_048_576;

/**
 * Hands lines to a stream as long as little waits there. A reader that hangs must neither fill the memory nor stop a
 * service that has a rig to make safe: its lines are dropped, counted, and reported by the next one that passes.
 *
 * @param notice the line that says how many were dropped, with its line feed
 */
export function boundedSink(
  stream: LogStream,
  notice: (dropped: number) => string,
  limitBytes = LIMIT_BYTES,
): BoundedSink {
  let dropped = 0;
  return {
    write: (line) => {
      if (stream.writableLength > limitBytes) {
        dropped += 1;
        return;
      }
      if (dropped > 0) stream.write(notice(dropped));
      dropped = 0;
      stream.write(line);
    },
  };
}
