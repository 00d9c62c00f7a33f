import { connect, type Socket } from 'node:net';
import { performance } from 'node:perf_hooks';

export interface LoadResult {
  requests: number;
  seconds: number;
  /** Milliseconds from the request to the last byte of its answer. */
  p50Ms: number;
  p99Ms: number;
  /** Answers by status. */
  statuses: Record<string, number>;
}

export interface LoadOptions {
  url: string;
  connections: number;
  durationMs: number;
}

/**
 * Asks one URL again and again over several kept connections, one request at a time on each, and reads no more of an
 * answer than its status and length: the client shall not be the limit.
 */
export async function load({ url, connections, durationMs }: LoadOptions): Promise<LoadResult> {
  const { hostname, port, pathname, search, host } = new URL(url);
  const request = Buffer.from(`GET ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\nAccept: */*\r\n\r\n`);
  const latencies: number[] = [];
  const statuses: Record<string, number> = {};
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  await Promise.all(
    Array.from({ length: connections }, () => {
      const socket = connect({ host: hostname, port: Number(port), noDelay: true });
      return askUntil(socket, request, endsAt, (status, ms) => {
        latencies.push(ms);
        statuses[status] = (statuses[status] ?? 0) + 1;
      });
    }),
  );
  const seconds = (performance.now() - startedAt) / 1000;
  latencies.sort((a, b) => a - b);
  const quantile = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? Number.NaN;
  return { requests: latencies.length, seconds, p50Ms: quantile(0.5), p99Ms: quantile(0.99), statuses };
}

function askUntil(
  socket: Socket,
  request: Buffer,
  endsAt: number,
  answered: (status: string, ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let received = '';
    let sentAt = 0;
    const ask = () => {
      sentAt = performance.now();
      socket.write(request);
    };
    socket.setEncoding('latin1');
    socket.on('connect', ask);
    socket.on('data', (text: string) => {
      received += text;
      const headEnd = received.indexOf('\r\n\r\n');
      if (headEnd < 0) return;
      const length = /content-length: (\d+)/i.exec(received)?.[1];
      if (length === undefined) {
        reject(new Error(`answer without content-length: ${received.slice(0, 200)}`));
        return;
      }
      if (received.length < headEnd + 4 + Number(length)) return;
      const now = performance.now();
      answered(received.slice(9, 12), now - sentAt);
      received = '';
      if (now >= endsAt) socket.destroy();
      else ask();
    });
    socket.on('error', reject);
    socket.on('close', () => resolve());
  });
}
