import { connect, createServer, type Server } from 'node:net';
import type { Clock } from '../../lib/clock/clock.ts';
import { jsonLines } from '../../lib/liveness/json-lines.ts';
import type { Milliseconds } from '../../lib/quantity.ts';
import type { StopRequest } from '../safe-state/operator-stop.ts';
import { type GuardReport, isGuardReport } from './guard-report.ts';

const LIMIT_BYTES = 4096;

/**
 * Takes the line `stop NAME`, or `stop#ID NAME`, and answers it with the report as one line of JSON. Everybody on this
 * machine may stop the rig. @param stop told who asks; `unknown` where the line has no name
 */
export async function openGuardSocket(
  address: string,
  stop: (asked: StopRequest) => Promise<GuardReport>,
): Promise<Server> {
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.length > LIMIT_BYTES) socket.destroy();
      if (!text.includes('\n')) return;
      const line = /^stop(?:#([\w-]+))?(?:\s+(.*))?$/.exec(text.split('\n', 1)[0]?.trim() ?? '');
      text = '';
      if (line) {
        socket.write(`${JSON.stringify({ taken: true })}\n`);
        const [, id, by = 'unknown'] = line;
        void stop({ by, id }).then((report) => socket.end(`${JSON.stringify(report)}\n`));
      } else
        socket.end(
          `${JSON.stringify({ ok: false, error: 'the guard accepts only the line "stop NAME"' })}\n`,
        );
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  return server;
}

/** A guard that lives says at once that it has taken the command. */
const TAKEN_LIMIT_MS = 1000;

/**
 * @param asked its name is one line
 * @returns `absent`: no guard listens; `silent`: one is there and does not live, or gave no report within the time
 */
export function askGuardToStop(
  address: string,
  { by, id }: StopRequest,
  clock: Clock,
  limitMs: Milliseconds,
): Promise<GuardReport | 'absent' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const finish = (result: GuardReport | 'absent' | 'silent') => {
      cancelLimit();
      cancelTaken();
      socket.destroy();
      resolve(result);
    };
    const cancelLimit = clock.after(limitMs, () => finish('silent'));
    const cancelTaken = clock.after(TAKEN_LIMIT_MS, () => finish('silent'));
    const take = jsonLines((line) => {
      if (line.taken === true) cancelTaken();
      else finish(isGuardReport(line) ? line : 'silent');
    });
    let isConnected = false;
    socket.on('connect', () => {
      isConnected = true;
      socket.write(`stop${id === undefined ? '' : `#${id}`} ${by}\n`);
    });
    socket.on('data', (chunk) => {
      if (!take(chunk)) finish('silent');
    });
    socket.on('error', () => finish(isConnected ? 'silent' : 'absent'));
    socket.on('close', () => finish('silent'));
  });
}
