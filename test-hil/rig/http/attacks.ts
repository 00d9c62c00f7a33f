import { connect, type Socket } from 'node:net';
import { systemClock } from '../../../src/lib/clock/clock.ts';

/** Something that clients may do to a service, over and over until the signal aborts. */
export interface Attack {
  name: string;
  run(url: URL, signal: AbortSignal): Promise<void>;
}

const get = (path: string, { host }: URL, more = ''): string =>
  `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${more}\r\n`;

/** @returns the connection; it is gone when the signal aborts */
async function opened({ hostname, port }: URL, signal: AbortSignal): Promise<Socket> {
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  const end = () => socket.destroy();
  signal.addEventListener('abort', end, { once: true });
  socket.on('error', () => socket.destroy());
  socket.once('close', () => signal.removeEventListener('abort', end));
  socket.resume();
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    socket.once('close', () => resolve());
  });
  return socket;
}

const gone = (socket: Socket): Promise<void> =>
  socket.destroyed ? Promise.resolve() : new Promise((resolve) => socket.once('close', () => resolve()));

const repeat = async (signal: AbortSignal, work: () => Promise<void>): Promise<void> => {
  while (!signal.aborted) {
    await work();
    await systemClock.sleep(1);
  }
};

const many = (count: number, work: (index: number) => Promise<void>): Promise<void> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index))).then(() => {});

/** Sends a block again and again, as fast as the service reads it. */
const pipelined = (name: string, paths: readonly string[]): Attack => ({
  name,
  run: (url, signal) =>
    repeat(signal, async () => {
      const socket = await opened(url, signal);
      const block = Array.from({ length: 3000 }, (_, n) => get(paths[n % paths.length] ?? '/', url)).join('');
      const push = () => {
        while (!socket.destroyed && socket.write(block));
      };
      socket.on('drain', push);
      push();
      await gone(socket);
    }),
});

/** So many clients, each of which asks as soon as it has its answer. */
const readers = (name: string, clients: number, request: (url: URL, n: number) => string): Attack => ({
  name,
  run: (url, signal) =>
    many(clients, (index) =>
      repeat(signal, async () => {
        const socket = await opened(url, signal);
        let n = index;
        const ask = () => socket.write(request(url, n++));
        // One answer is one chunk here, or nearly always: a client that asks too soon only asks more.
        socket.on('data', ask);
        ask();
        await gone(socket);
      }),
    ),
});

/** Connections that stay as they are after some first bytes, until the service closes them. */
const idle = (name: string, clients: number, firstBytes: (url: URL) => string): Attack => ({
  name,
  run: (url, signal) =>
    many(clients, () =>
      repeat(signal, async () => {
        const socket = await opened(url, signal);
        socket.write(firstBytes(url));
        await gone(socket);
      }),
    ),
});

/** Connections that begin and end at once. */
const churn: Attack = {
  name: 'connections that come and go',
  run: (url, signal) =>
    many(50, () =>
      repeat(signal, async () => {
        (await opened(url, signal)).destroy();
      }),
    ),
};

const sensors = '/api/v1/hardware/sensor/AI01';

export const ATTACKS: readonly Attack[] = [
  pipelined('3,000 pipelined GETs of /health', ['/health']),
  pipelined('3,000 pipelined GETs of a sensor', [sensors]),
  pipelined(
    '3,000 pipelined GETs of unknown paths',
    Array.from({ length: 500 }, (_, n) => `/no/${n}`),
  ),
  readers('200 readers of a sensor', 200, (url) => get(sensors, url)),
  readers('200 readers of hardware health', 200, (url) => get('/api/v1/hardware/health', url)),
  readers('200 readers of identify', 200, (url) => get('/api/v1/hardware/identify', url)),
  readers('200 readers of /metrics and /openapi.json', 200, (url, n) =>
    get(n % 2 === 0 ? '/metrics' : '/openapi.json', url),
  ),
  readers('200 refused clients', 200, (url, n) => get(`/no/${n}`, url, 'Origin: http://elsewhere.test\r\n')),
  idle('500 connections with half a head', 500, (url) => get('/health', url).slice(0, -2)),
  idle('500 silent connections', 500, () => ''),
  churn,
];
