import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import * as z from 'zod';
import { exchangeBytes, startTestService, type TestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { systemClock } from '../clock/clock.ts';
import { exposureFrom } from './exposure.ts';
import type { HttpServiceOptions } from './http-service.ts';
import { json } from './reply.ts';
import { type Route, route } from './route.ts';

const test = suite('limits of the http kit');
const open: TestService[] = [];

async function start(routes: readonly Route[], options: Partial<HttpServiceOptions> = {}) {
  const started = await startTestService(routes, options);
  open.push(started);
  return started;
}

test.after.each(() => {
  for (const { service } of open.splice(0)) service.destroy();
});

const health = route({
  method: 'GET',
  path: '/health',
  summary: 'health',
  access: 'open',
  handler: () => ({ ok: true }),
});
const thing = route({
  method: 'PUT',
  path: '/thing',
  summary: 'body',
  body: z.strictObject({ text: z.string() }),
  handler: ({ body }) => ({ length: body.text.length }),
});

function problemIn(received: string): { status: string; body: Record<string, unknown> } {
  const [head = '', text = ''] = received.split('\r\n\r\n');
  assert.match(head.toLowerCase(), 'content-type: application/problem+json');
  assert.match(head.toLowerCase(), 'x-request-id: ');
  return { status: head.slice(9, 12), body: JSON.parse(text) };
}

test('SVC-005 SVC_MAX_BODY_BYTES bounds the body, reported in advance or not', async () => {
  const exposure = exposureFrom({ SVC_MAX_BODY_BYTES: '2048' }, '127.0.0.1');
  const { url } = await start([thing], { exposure });
  const put = (length: number) =>
    fetch(`${url}/thing`, {
      method: 'PUT',
      body: JSON.stringify({ text: 'x'.repeat(length) }),
      headers: { 'content-type': 'application/json' },
    });
  assert.equal(await (await put(2037)).json(), { length: 2037 });
  assert.is((await put(2038)).status, 413);
});

test('SVC-005 a client that sends far too much still gets to read its 413', async () => {
  const { url } = await start([thing]);
  const piece = Buffer.alloc(1_000_000, 'x');
  const statuses = await Promise.all(
    [{ 'content-length': 20_000_000 }, { 'transfer-encoding': 'chunked' }].map(
      (headers) =>
        new Promise((resolve, reject) => {
          const request = httpRequest(
            `${url}/thing`,
            { method: 'PUT', headers, agent: false },
            (response) => {
              response.resume();
              resolve(response.statusCode);
            },
          );
          request.on('error', reject);
          for (let sent = 0; sent < 20; sent++) request.write(piece);
          request.end();
        }),
    ),
  );
  assert.equal(statuses, [413, 413]);
});

test('SVC-006 what is no HTTP request is answered as a problem too', async () => {
  const { url } = await start([health]);
  const nonsense = problemIn(await exchangeBytes(url, 'open the valve\r\n\r\n'));
  assert.equal([nonsense.status, nonsense.body.code, nonsense.body.ok], ['400', 'invalid_request', false]);
  const huge = `GET /health HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`;
  assert.match(String(problemIn(await exchangeBytes(url, huge)).body.detail), 'too large');
  const expecting = 'GET /health HTTP/1.1\r\nHost: localhost\r\nExpect: tea\r\nConnection: close\r\n\r\n';
  assert.match(await exchangeBytes(url, expecting), /^HTTP\/1\.1 200 /);
});

test('SVC-004 a request without Host is 403', async () => {
  const { url } = await start([health]);
  const without = await exchangeBytes(url, 'GET /health HTTP/1.1\r\nConnection: close\r\n\r\n');
  const { status, body } = problemIn(without);
  assert.equal([status, body.code], ['403', 'host_refused']);
});

test('a client that sends its head or body too slowly is answered 400 and hung up on', async () => {
  const { url } = await start([thing], {
    limits: { headersTimeoutMs: 100, requestTimeoutMs: 200, checkEveryMs: 20 },
  });
  const body = 'PUT /thing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{';
  const received = await Promise.all([
    exchangeBytes(url, 'GET /health HTTP/1.1\r\nHost: local'),
    exchangeBytes(url, body),
  ]);
  for (const text of received) {
    const { status, body: problem } = problemIn(text);
    assert.equal([status, problem.code], ['400', 'invalid_request']);
    assert.match(String(problem.detail), 'did not arrive in time');
  }
});

test('SVC-006 a connection on which nothing was asked gets no answer when it is closed', async () => {
  const { url } = await start([health], { limits: { headersTimeoutMs: 100, checkEveryMs: 20 } });
  // A browser that opened it ahead of need would take one for that to what it asks next.
  assert.is(await exchangeBytes(url, ''), '');
});

test('a kept connection that stays silent is closed', async () => {
  const { url } = await start([health], { limits: { keepAliveMs: 50 } });
  const kept = await exchangeBytes(url, 'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
  assert.match(kept, /^HTTP\/1\.1 200 .*connection: keep-alive/is);
});

test('a deadline is 504, or what the service answers instead, and stops the handler', async () => {
  const stopped: string[] = [];
  const slow = route({
    method: 'GET',
    path: '/slow',
    summary: 'waits',
    deadlineMs: 30,
    handler: ({ signal }) =>
      systemClock.sleep(10_000, signal).catch((reason: Error) => {
        stopped.push(reason.message);
        throw reason;
      }) as Promise<never>,
  });
  const usual = await start([slow]);
  const adc = await start([slow], { statusOverrides: { device_timeout: 503 } });
  const statuses = await Promise.all(
    [usual, adc].map(async ({ url }) => {
      const answer = await fetch(`${url}/slow`);
      const { status, code } = (await answer.json()) as Record<string, unknown>;
      return [answer.status, status, code];
    }),
  );
  assert.equal(statuses, [
    [504, 504, 'device_timeout'],
    [503, 503, 'device_timeout'],
  ]);
  assert.equal(stopped, ['no result within 30 ms', 'no result within 30 ms']);
});

test('X-Request-Id is given back when it is a plain word, and else replaced', async () => {
  const { url } = await start([health]);
  const idOf = async (given: string) =>
    (await fetch(`${url}/health`, { headers: { 'x-request-id': given } })).headers.get('x-request-id');
  assert.is(await idOf('run-17.3:a_b'), 'run-17.3:a_b');
  for (const bad of ['', 'a b', '<script>', 'x'.repeat(65), 'one, two'])
    assert.is(await idOf(bad), 'made-id', bad);
});

test('an answer that cannot be sent is an internal error with nothing of it in the text', async () => {
  const circle: Record<string, unknown> = { secret: 1 };
  circle.circle = circle;
  const { url, logged } = await start([
    route({ method: 'GET', path: '/circle', summary: 'circle', handler: () => circle }),
    route({
      method: 'GET',
      path: '/nothing',
      summary: 'nothing',
      handler: () => ({ status: 200, body: undefined }),
    }),
    route({
      method: 'GET',
      path: '/header',
      summary: 'bad header',
      handler: () => json({}, 200, { 'x-a': 'a\nb' }),
    }),
  ]);
  for (const path of ['/circle', '/nothing', '/header']) {
    const answer = await fetch(url + path);
    const body = (await answer.json()) as Record<string, unknown>;
    assert.equal([answer.status, body.code], [500, 'internal_error'], path);
    assert.is(answer.headers.get('content-type'), 'application/problem+json');
    assert.is(answer.headers.get('x-request-id'), 'made-id');
    assert.not.ok(/circular|secret|header/i.test(String(body.detail)));
  }
  assert.is(logged.length, 3);
});

test('an error inside the translation of errors is answered like any other defect', async () => {
  const { url, logged } = await start(
    [route({ method: 'GET', path: '/x', summary: 'x', handler: () => Promise.reject(new Error('first')) })],
    {
      translate: () => {
        throw new Error('second');
      },
    },
  );
  assert.is((await fetch(`${url}/x`)).status, 500);
  assert.match(logged.join(), 'second');
});

test('a client that goes away in the middle of its body is no defect', async () => {
  const { url, logged, metrics } = await start([thing]);
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('PUT /thing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{');
  await systemClock.sleep(30);
  socket.destroy();
  const count = 'svc_http_requests_total{service="svc-test",route="/thing",method="PUT",status="499"} 1';
  for (let i = 0; i < 100 && !(await metrics.render()).includes(count); i++) await systemClock.sleep(10);
  assert.match(await metrics.render(), count);
  assert.equal(logged, []);
});

test('SVC-002 /health reports a wide bind without token, on every service', async () => {
  const exposure = exposureFrom({ SVC_ALLOW_INSECURE: '1' }, '0.0.0.0');
  const { url } = await start([health], { exposure });
  assert.equal(await (await fetch(`${url}/health`)).json(), { ok: true, insecure: true });
  const narrow = await start([health]);
  assert.equal(await (await fetch(`${narrow.url}/health`)).json(), { ok: true });
});

test('SVC-003 a token that no client can send refuses the start', () => {
  for (const token of ['with a blank inside it', 'sixteen-characters-ż'])
    assert.throws(() => exposureFrom({ SVC_API_TOKEN: token }, '127.0.0.1'), /no client can send/);
});

test('closing lets a running request finish, takes no new one, and has a bound', async () => {
  let finish = () => {};
  const { service, url } = await start([
    health,
    route({
      method: 'GET',
      path: '/running',
      summary: 'running',
      handler: () =>
        new Promise<object>((resolve) => {
          finish = () => resolve({ ok: true, text: 'x'.repeat(300_000) });
        }),
    }),
    route({ method: 'GET', path: '/stuck', summary: 'stuck', handler: () => new Promise(() => {}) }),
  ]);
  const running = fetch(`${url}/running`);
  await systemClock.sleep(50);
  let isClosed = false;
  const closed = service.close(20_000).then(() => {
    isClosed = true;
  });
  await systemClock.sleep(50);
  assert.is(isClosed, false);
  assert.is(
    await fetch(`${url}/health`).then(
      () => 'answered',
      () => 'refused',
    ),
    'refused',
  );
  finish();
  const answer = await running;
  assert.is(answer.headers.get('connection'), 'close');
  assert.is(((await answer.json()) as { text: string }).text.length, 300_000);
  await closed;

  const second = await start([
    route({ method: 'GET', path: '/stuck', summary: 'stuck', handler: () => new Promise(() => {}) }),
  ]);
  const stuck = fetch(`${second.url}/stuck`).then(
    () => 'answered',
    () => 'hung up on',
  );
  await systemClock.sleep(50);
  await second.service.close(50);
  assert.is(await stuck, 'hung up on');
});

test('many different paths are answered right, whatever the router remembers', async () => {
  const { url } = await start([
    route({
      method: 'GET',
      path: '/item/:id',
      summary: 'item',
      params: z.object({ id: z.string() }),
      handler: ({ params }) => params,
    }),
  ]);
  for (let i = 0; i < 600; i++) {
    const id = `a%20${i % 300}`;
    assert.equal(await (await fetch(`${url}/item/${id}`)).json(), { id: `a ${i % 300}` });
  }
  assert.is((await fetch(`${url}/item/a`, { method: 'POST' })).status, 405);
  assert.is((await fetch(`${url}/items/a`)).status, 404);
});

test.run();
