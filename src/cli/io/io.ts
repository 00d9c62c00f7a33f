import type { Clock } from '../../lib/clock/clock.ts';
import { systemClock } from '../../lib/clock/clock.ts';

/** What a command may use of the world around it. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly stdin: NodeJS.ReadStream;
  /** Results. */
  readonly stdout: NodeJS.WriteStream;
  /** Talk. */
  readonly stderr: NodeJS.WriteStream;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
}

/** A reader that went away is no reason to end; whatever else befalls the stream is. */
function forgiveGoneReader(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}

/**
 * The io of this process. A reader that goes away (`svcctl ... | head`, EPIPE) or a terminal that is closed (EIO) must
 * not end a run half way: it is ended in order, by the signal that comes with it.
 */
export function processIo(): Io {
  for (const stream of [process.stdout, process.stderr])
    if (!stream.listeners('error').includes(forgiveGoneReader)) stream.on('error', forgiveGoneReader);
  return {
    env: process.env,
    cwd: process.cwd(),
    // A getter: touching process.stdin opens it, and most commands never read it.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    clock: systemClock,
    fetch: (input, init) => fetch(input, init),
  };
}
