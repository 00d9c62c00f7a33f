import { connect } from 'node:net';
import type { Clock } from '../clock/clock.ts';
import type { LockHolder } from './lock.ts';

const ANSWER_LIMIT_MS = 500;
const ANSWER_LIMIT_BYTES = 4096;

/** Asks the holder of a lock who it is. `gone`: nobody listens any more; `silent`: held, without a usable answer. */
export function askHolder(address: string, clock: Clock): Promise<LockHolder | 'gone' | 'silent'> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(address);
    const finish = (result: LockHolder | 'gone' | 'silent') => {
      cancel();
      socket.destroy();
      resolve(result);
    };
    const cancel = clock.after(ANSWER_LIMIT_MS, () => finish('silent'));
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      if (text.length > ANSWER_LIMIT_BYTES) finish('silent');
    });
    socket.on('end', () => finish(parseHolder(text) ?? 'silent'));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      finish(error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? 'gone' : 'silent'),
    );
  });
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const { service, pid, port, since } = JSON.parse(text) as Record<string, unknown>;
    if (typeof service !== 'string' || typeof pid !== 'number' || typeof since !== 'string') return undefined;
    return { service, pid, port: typeof port === 'number' ? port : null, since };
  } catch {
    return undefined;
  }
}
