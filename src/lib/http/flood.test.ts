import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { startTestService, type TestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { systemClock } from '../clock/clock.ts';
import type { HttpServiceOptions } from './http-service.ts';
import { type Route, route } from './route.ts';

const test = suite('a service under a flood of requests');
const open: TestService[] = [];
const sockets: Socket[] = [];

test.after.each(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const { service } of open.splice(0)) service.destroy();
});

async function start(routes: readonly Route[], options: Partial<HttpServiceOptions> = {}): Promise<string> {
  const started = await startTestService(routes, options);
  open.push(started);
  return started.url;
}

interface Client {
  socket: Socket;
  /** What came so far. */
  text(): string;
  closed: Promise<void>;
}

async function client(url: string, sent = ''): Promise<Client> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  sockets.push(socket);
  let text = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => {
    text += chunk;
  });
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  if (sent !== '') socket.write(sent);
  return { socket, text: () => text, closed };
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await systemClock.sleep(5);
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const answers = ({ text }: Client) => text().split('HTTP/1.1 200').length - 1;

const quick = route({ method: 'GET', path: '/quick', summary: 'quick', handler: () => ({ ok: true }) });

/** Answers when the test says so. */
function held(method: 'GET' | 'POST', path: string, access: 'token' | 'loopback' = 'token') {
  const waiting: (() => void)[] = [];
  return {
    waiting,
    route: route({
      method,
      path,
      summary: 'waits',
      access,
      handler: () => new Promise<object>((resolve) => waiting.push(() => resolve({ ok: true }))),
    }),
  };
}

test('SVC-058 the event loop is given back between a few of thousands of pipelined requests', async () => {
  const busyMs = 2;
  let sinceTurn = 0;
  let most = 0;
  const work = route({
    method: 'GET',
    path: '/work',
    summary: 'takes a while',
    handler: () => {
      const endAt = systemClock.monotonic() + busyMs;
      while (systemClock.monotonic() < endAt);
      sinceTurn += 1;
      most = Math.max(most, sinceTurn);
      return { ok: true };
    },
  });
  const url = await start([work]);
  const flood = await Promise.all(Array.from({ length: 10 }, () => client(url, get('/work').repeat(40))));
  const turn = () => {
    sinceTurn = 0;
    if (flood.some((one) => answers(one) < 40)) systemClock.after(0, turn);
  };
  turn();
  await until(() => flood.every((one) => answers(one) === 40));
  assert.ok(most <= 8, `${most} requests of ${busyMs} ms between two turns of the timers`);
});

test('SVC-058 a stop does not wait for one pass of the event loop for each connection that came before it', async () => {
  let passes = 0;
  let stoppedAt = 0;
  const stop = route({
    method: 'POST',
    path: '/stop',
    summary: 'stops',
    access: 'loopback',
    ignoresForm: true,
    handler: () => {
      stoppedAt = passes;
      return { ok: true };
    },
  });
  const url = await start([stop]);
  // In the kernel's queue before the loop goes on, all of them.
  const before = Array.from({ length: 400 }, () => client(url));
  const stopping = client(url, 'POST /stop HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
  const pass = () => {
    passes += 1;
    if (stoppedAt === 0) setImmediate(pass);
  };
  pass();
  const stopped = await stopping;
  await until(() => answers(stopped) === 1);
  await Promise.all(before);
  assert.ok(stoppedAt < 100, `the stop behind 400 connections began in pass ${stoppedAt}`);
});

test('SVC-058 no child of the service keeps its port', async () => {
  const url = await start([quick]);
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  try {
    for (const { service } of open.splice(0)) service.destroy();
    const closed = new Promise<string>((resolve) => {
      connect(Number(new URL(url).port), '127.0.0.1')
        .on('connect', () => resolve('connected'))
        .on('error', (fault: NodeJS.ErrnoException) => resolve(fault.code ?? ''));
    });
    assert.is(await closed, 'ECONNREFUSED');
  } finally {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
});

test('SVC-058 requests of one connection are answered one after the other, in their order', async () => {
  let running = 0;
  let most = 0;
  const slow = route({
    method: 'GET',
    path: '/slow/:n',
    summary: 'counts',
    handler: async ({ request }) => {
      running += 1;
      most = Math.max(most, running);
      await systemClock.sleep(1);
      running -= 1;
      return { path: request.url };
    },
  });
  const url = await start([slow]);
  const numbers = Array.from({ length: 300 }, (_, n) => n);
  const one = await client(url, numbers.map((n) => get(`/slow/${n}`)).join(''));
  await until(() => answers(one) === numbers.length);
  assert.is(most, 1);
  const seen = [...one.text().matchAll(/"path":"\/slow\/(\d+)"/g)].map(([, n]) => Number(n));
  assert.equal(seen, numbers);
});

test('SVC-058 a connection that sends ahead without end does not fill the memory, and others are answered', async () => {
  const slow = held('GET', '/held');
  const url = await start([slow.route, quick]);
  const greedy = await client(url);
  const block = get('/held').repeat(1000);
  let sent = 0;
  const push = () => {
    while (sent < 400 && !greedy.socket.destroyed && greedy.socket.write(block)) sent += 1;
  };
  greedy.socket.on('drain', push);
  push();
  await until(() => slow.waiting.length === 1);
  const other = await client(url, get('/quick'));
  await until(() => answers(other) === 1);
  assert.is(slow.waiting.length, 1);
  assert.ok(sent < 400, 'the client waits with the rest');
});

test('SVC-058 when all places are taken the oldest connection without a request makes room', async () => {
  const slow = held('GET', '/held');
  const url = await start([slow.route, quick], { limits: { maxConnections: 3, reserve: 1 } });
  const busy = await client(url, get('/held'));
  await until(() => slow.waiting.length === 1);
  const half = await client(url, 'GET /quick HTTP/1.1\r\nHost: loc');
  const silent = await client(url);
  await systemClock.sleep(20);
  const next = await client(url, get('/quick'));
  await half.closed;
  await until(() => answers(next) === 1);
  assert.not(silent.socket.destroyed);
  const another = await client(url, get('/quick'));
  await silent.closed;
  await until(() => answers(another) === 1);
  slow.waiting[0]?.();
  await until(() => answers(busy) === 1);
});

test('SVC-058 when all places are busy a command from this machine is carried out, and a read is 503', async () => {
  const slow = held('GET', '/held');
  const stops: string[] = [];
  const stop = route({
    method: 'POST',
    path: '/stop',
    summary: 'stops',
    access: 'loopback',
    ignoresForm: true,
    handler: ({ requestId }) => {
      stops.push(requestId);
      return { ok: true };
    },
  });
  const url = await start([slow.route, quick, stop], { limits: { maxConnections: 2, reserve: 2 } });
  for (const _ of [1, 2]) await client(url, get('/held'));
  await until(() => slow.waiting.length === 2);
  const read = await client(url, get('/quick'));
  await read.closed;
  assert.match(read.text(), /^HTTP\/1\.1 503 /);
  assert.match(read.text(), '"code":"overloaded"');
  const answer = await fetch(`${url}/stop`, { method: 'POST' });
  assert.is(answer.status, 200);
  assert.is(stops.length, 1);
});

test('a body that comes in many pieces is read while others pipeline', async () => {
  const { route: slow } = held('GET', '/held');
  const echo = route({
    method: 'POST',
    path: '/echo',
    summary: 'counts',
    ignoresForm: true,
    handler: async ({ request }) => {
      let bytes = 0;
      for await (const chunk of request) bytes += (chunk as Buffer).length;
      return { bytes };
    },
  });
  const url = await start([slow, quick, echo], { limits: { requestTimeoutMs: 60_000 } });
  const length = 500_000;
  const head = `POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${length}\r\n\r\n`;
  const one = await client(url, get('/quick') + head);
  for (let sent = 0; sent < length; sent += 10_000) one.socket.write(Buffer.alloc(10_000, 'x'));
  one.socket.write(get('/quick'));
  await until(() => answers(one) === 3);
  assert.match(one.text(), `{"bytes":${length}}`);
});

test.run();
