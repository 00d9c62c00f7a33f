import { connect, createServer, type Server } from 'node:net';
import type { Clock } from '../../lib/clock/clock.ts';
import { jsonLines } from '../../lib/liveness/json-lines.ts';
import type { GuardReport } from './guard-report.ts';
import { isReport } from './relay.ts';

const LIMIT_BYTES = 4096;

/** Takes the line `stop` and answers it with the report as one line of JSON. Everybody on this machine may stop the rig. */
export async function openGuardSocket(address: string, stop: () => Promise<GuardReport>): Promise<Server> {
  const server = createServer((socket) => {
    let text = '';
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      text += chunk.toString();
      if (text.length > LIMIT_BYTES) socket.destroy();
      if (!text.includes('\n')) return;
      const isStop = text.split('\n', 1)[0]?.trim() === 'stop';
      text = '';
      if (isStop) void stop().then((report) => socket.end(`${JSON.stringify(report)}\n`));
      else socket.end(`${JSON.stringify({ ok: false, error: 'the guard knows the line "stop" only' })}\n`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address, resolve);
  });
  return server;
}

/** @returns `absent`: no guard listens; `silent`: none of its answers came within the time */
export function askGuardToStop(
  address: string,
  clock: Clock,
  limitMs: number,
): Promise<GuardReport | 'absent' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect(address);
    const finish = (result: GuardReport | 'absent' | 'silent') => {
      cancel();
      socket.destroy();
      resolve(result);
    };
    const cancel = clock.after(limitMs, () => finish('silent'));
    const take = jsonLines((line) => finish(isGuardReport(line) ? line : 'silent'));
    let isConnected = false;
    socket.on('connect', () => {
      isConnected = true;
      socket.write('stop\n');
    });
    socket.on('data', (chunk) => {
      if (!take(chunk)) finish('silent');
    });
    socket.on('error', () => finish(isConnected ? 'silent' : 'absent'));
    socket.on('close', () => finish('silent'));
  });
}

function isGuardReport(value: unknown): value is GuardReport {
  return isReport(value) && 'by' in value && 'killed' in value;
}
