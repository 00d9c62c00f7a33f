import { connect } from 'node:net';
import type { Clock } from '../clock/clock.ts';
import type { LockHolder } from './lock.ts';
import { isTrustedListener } from './lock-listener.ts';

const ANSWER_LIMIT_MS = 500;
const ANSWER_LIMIT_BYTES = 4096;
/** Characters of a name or a time. */
const SHOWN = 100;

/**
 * Result of the question: `gone`, no process listens any more; `silent`, held without a usable answer; `foreign`, held by a
 * program of another account, whose word is not taken.
 */
export type HolderAnswer = LockHolder | 'gone' | 'silent' | 'foreign';

/** Asks the holder of a lock who it is. @param limitMs until it counts as silent; default 500 */
export function askHolder(address: string, clock: Clock, limitMs = ANSWER_LIMIT_MS): Promise<HolderAnswer> {
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(address);
    const finish = (result: HolderAnswer) => {
      cancel();
      socket.destroy();
      resolve(result);
    };
    const cancel = clock.after(limitMs, () => finish('silent'));
    socket.on('data', (chunk) => {
      text += chunk.toString('utf8');
      if (text.length > ANSWER_LIMIT_BYTES) finish('silent');
    });
    socket.on('end', () => {
      const holder = parseHolder(text);
      if (holder === undefined) finish('silent');
      else finish(isTrustedListener(address, holder.pid) ? holder : 'foreign');
    });
    socket.on('error', (error: NodeJS.ErrnoException) =>
      finish(error.code === 'ECONNREFUSED' || error.code === 'ENOENT' ? 'gone' : 'silent'),
    );
  });
}

function parseHolder(text: string): LockHolder | undefined {
  try {
    const { service, pid, port, since, runs } = JSON.parse(text) as Record<string, unknown>;
    if (typeof service !== 'string' || typeof pid !== 'number' || typeof since !== 'string') return undefined;
    return {
      service: plain(service),
      pid,
      port: typeof port === 'number' ? port : null,
      since: plain(since),
      ...(Array.isArray(runs) ? { runs: runs.map(String).map(plain) } : {}),
    };
  } catch {
    return undefined;
  }
}

/** For a terminal: the holder of a lock chose this text. */
const plain = (text: string): string => text.slice(0, SHOWN).replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
