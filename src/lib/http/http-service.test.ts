import { request as httpRequest } from 'node:http';
import * as assert from 'uvu/assert';
import * as z from 'zod';
import { suite } from '../../test-kit/suite.ts';
import { systemClock } from '../clock/clock.ts';
import { CodedError } from '../errors/coded-error.ts';
import { bindOptions } from './bind-options.ts';
import { exposureFrom } from './exposure.ts';
import { HttpService } from './http-service.ts';
import { MetricRegistry } from './metrics.ts';
import { booleanText, numberText } from './query-types.ts';
import { route } from './route.ts';

const TOKEN = 'sixteen-or-more-characters';
const open: HttpService[] = [];
const logged: string[] = [];
const aborted: string[] = [];

async function start(env: Record<string, string> = {}): Promise<string> {
  const service = new HttpService({
    service: 'svc-test',
    version: '1.2.3',
    exposure: exposureFrom(env, '127.0.0.1'),
    clock: systemClock,
    metrics: new MetricRegistry(),
    randomId: () => 'made-id',
    log: (line) => logged.push(line),
    routes: [
      route({
        method: 'GET',
        path: '/health',
        summary: 'health',
        access: 'open',
        handler: () => ({ ok: true }),
      }),
      route({
        method: 'POST',
        path: '/stop',
        summary: 'stop',
        access: 'loopback',
        handler: () => ({ ok: true }),
      }),
      route({
        method: 'POST',
        path: '/valve/:id',
        summary: 'valve',
        actuating: true,
        params: z.object({ id: z.string() }),
        query: z.object({ value: booleanText(), power: numberText({ min: 0, max: 100 }).optional() }),
        handler: ({ params, query }) => ({ ...params, ...query }),
      }),
      route({
        method: 'GET',
        path: '/valve/:id',
        summary: 'read',
        query: z.object({ n: numberText({ integer: true }).default(1) }),
        handler: ({ query }) => query,
      }),
      route({
        method: 'PUT',
        path: '/thing',
        summary: 'body',
        body: z.strictObject({ value: z.number() }),
        handler: ({ body }) => body,
      }),
      route({
        method: 'GET',
        path: '/defect',
        summary: 'throws',
        handler: () => Promise.reject(new Error('secret')),
      }),
      route({
        method: 'GET',
        path: '/code500',
        summary: 'throws with a code',
        handler: () => {
          throw new CodedError('EWEIRD', 'secret');
        },
      }),
      route({
        method: 'GET',
        path: '/slow',
        summary: 'never ends',
        deadlineMs: 30,
        handler: () => new Promise(() => {}),
      }),
      route({
        method: 'GET',
        path: '/watched',
        summary: 'waits for the client to go',
        handler: ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              aborted.push('client');
              reject(signal.reason);
            });
          }),
      }),
    ],
  });
  open.push(service);
  return (await service.listen('127.0.0.1', 0)).url;
}

interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: string;
}

/** fetch hides Host and Origin; this does not. */
function raw(url: string, headers: Record<string, string>, method = 'GET', body = ''): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { headers, method, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
      );
    });
    request.on('error', reject);
    request.end(body);
  });
}

const test = suite('http kit');
let base = '';
test.before(async () => {
  base = await start();
});
test.after(() => {
  for (const service of open) service.destroy();
});

const SEVEN = ['type', 'title', 'status', 'detail', 'code', 'error', 'ok'];

test('SVC-006 every failure is problem+json with all seven members and 422 adds errors[]', async () => {
  for (const [method, path, status, code] of [
    ['GET', '/nowhere', 404, 'not_found'],
    ['DELETE', '/valve/1', 405, 'method_not_allowed'],
    ['POST', '/valve/1', 422, 'invalid_parameter'],
    ['GET', '/defect', 500, 'internal_error'],
    ['GET', '/code500', 500, 'internal_error'],
    ['GET', '/slow', 504, 'device_timeout'],
  ] as const) {
    const answer = await fetch(base + path, { method });
    assert.is(answer.status, status, path);
    assert.is(answer.headers.get('content-type'), 'application/problem+json');
    const body = (await answer.json()) as Record<string, unknown>;
    for (const member of SEVEN) assert.ok(member in body, `${path} lacks ${member}`);
    assert.is(body.code, code);
    assert.is(body.type, `urn:svc:problem:${code}`);
    assert.is(body.ok, false);
    assert.is(body.detail, body.error);
    assert.is(body.status, status);
    assert.is('errors' in body, status === 422);
    assert.not.ok(JSON.stringify(body).includes('secret'));
  }
  assert.ok(logged.some((line) => line.includes('secret') && line.includes('made-id')));
});

test('SVC-006 a 422 names place, field, message and value of every fault', async () => {
  const answer = await fetch(`${base}/valve/1?value=maybe&power=101&extra=1`, { method: 'POST' });
  const body = (await answer.json()) as { errors: Record<string, unknown>[] };
  assert.equal(
    body.errors.map((fault) => [fault.in, fault.field, fault.value]),
    [
      ['query', 'value', 'maybe'],
      ['query', 'power', '101'],
      ['query', 'extra', '1'],
    ],
  );
});

test('SVC-005 405 carries Allow, an oversized body is 413, an unknown path 404', async () => {
  const wrong = await fetch(`${base}/valve/1`, { method: 'DELETE' });
  assert.is(wrong.status, 405);
  assert.is(wrong.headers.get('allow'), 'POST, GET, HEAD');
  const json = { 'content-type': 'application/json' };
  const big = JSON.stringify({ value: 'x'.repeat(70_000) });
  assert.is((await raw(`${base}/thing`, json, 'PUT', big)).status, 413);
  const chunked = { ...json, 'transfer-encoding': 'chunked' };
  assert.is((await raw(`${base}/thing`, chunked, 'PUT', big)).status, 413);
  assert.is((await raw(`${base}/nope`, {})).status, 404);
});

test('a body must be JSON, by its content type and by its text', async () => {
  const put = (body: string, type: string) =>
    fetch(`${base}/thing`, { method: 'PUT', body, headers: { 'content-type': type } });
  assert.is((await put('{"value":1}', 'text/plain')).status, 415);
  assert.is((await put('{"value":', 'application/json')).status, 400);
  assert.is((await put('{"value":1,"more":2}', 'application/json')).status, 422);
  assert.is((await put('{}', 'application/json')).status, 422);
  assert.equal(await (await put('{"value":1}', 'application/json; charset=utf-8')).json(), { value: 1 });
});

test('SVC-063 JSON nested deeper than 64 levels is 400; brackets in a string are no levels', async () => {
  const put = (body: string) =>
    fetch(`${base}/thing`, { method: 'PUT', body, headers: { 'content-type': 'application/json' } });
  const nested = (levels: number) => `{"value":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
  const refused = await put(nested(65));
  assert.equal([refused.status, ((await refused.json()) as { code: string }).code], [400, 'invalid_json']);
  assert.is((await put(nested(30_000))).status, 400);
  assert.is((await put(nested(64))).status, 422, 'the levels are taken, the list is not a number');
  const text = `{"value":1,"more":"\\"${'['.repeat(200)}"}`;
  assert.is((await put(text)).status, 422, 'read as far as the unknown key');
});

test('a repeated query key is 422; reading routes ignore unknown keys, actuating routes reject them', async () => {
  assert.is((await fetch(`${base}/valve/1?n=1&n=2`)).status, 422);
  assert.equal(await (await fetch(`${base}/valve/1?n=3&other=2`)).json(), { n: 3 });
  assert.is((await fetch(`${base}/valve/1?value=true&other=2`, { method: 'POST' })).status, 422);
});

test('numbers are plain finite decimals', async () => {
  for (const bad of ['0x10', '', ' 5', 'NaN', 'Infinity', '1e999', '5abc']) {
    const answer = await fetch(`${base}/valve/1?value=true&power=${encodeURIComponent(bad)}`, {
      method: 'POST',
    });
    assert.is(answer.status, 422, JSON.stringify(bad));
  }
});

test('path parameters arrive decoded and bad encoding is 422', async () => {
  const good = await fetch(`${base}/valve/zaw%C3%B3r%201?value=true`, { method: 'POST' });
  assert.equal(await good.json(), { id: 'zawór 1', value: true });
  assert.is((await raw(`${base}/valve/%E0%A4?value=true`, {}, 'POST')).status, 422);
});

test('HEAD equals GET without the body, and every answer has X-Request-Id', async () => {
  const head = await fetch(`${base}/valve/1`, { method: 'HEAD' });
  assert.is(head.status, 200);
  assert.is(head.headers.get('content-length'), '7');
  assert.is(head.headers.get('x-request-id'), 'made-id');
  const named = await fetch(`${base}/nowhere`, { headers: { 'x-request-id': 'mine-1' } });
  assert.is(named.headers.get('x-request-id'), 'mine-1');
});

test('SVC-004 no CORS wildcard; a foreign Origin or Host is 403', async () => {
  assert.is((await raw(`${base}/health`, { host: 'evil.example' })).status, 403);
  assert.is((await raw(`${base}/health`, { host: '127.0.0.1.evil.example' })).status, 403);
  assert.is((await raw(`${base}/health`, { host: 'localhost:1' })).status, 200);
  assert.is((await raw(`${base}/valve/1`, { origin: 'http://evil.example' }, 'POST')).status, 403);
  assert.is((await raw(`${base}/valve/1`, { origin: 'null' }, 'POST')).status, 403);
  const same = await raw(`${base}/health`, { origin: base });
  assert.is(same.status, 200);
  assert.is(same.headers['access-control-allow-origin'], undefined);
  const allowing = await start({
    SVC_ALLOWED_ORIGINS: 'https://panel.example',
    SVC_ALLOWED_HOSTS: 'rig.example',
  });
  const listed = await raw(`${allowing}/health`, { origin: 'https://panel.example', host: 'rig.example' });
  assert.is(listed.status, 200);
  assert.is(listed.headers['access-control-allow-origin'], 'https://panel.example');
  assert.throws(() => exposureFrom({ SVC_ALLOWED_ORIGINS: '*' }, '127.0.0.1'), /refused/);
});

test('SVC-003 with a token, requests without it are 401, except GET /health', async () => {
  const guarded = await start({ SVC_API_TOKEN: TOKEN });
  assert.is((await fetch(`${guarded}/health`)).status, 200);
  assert.is((await fetch(`${guarded}/metrics`)).status, 401);
  assert.is((await fetch(`${guarded}/nowhere`)).status, 401);
  assert.is(
    (await fetch(`${guarded}/stop`, { method: 'POST' })).status,
    200,
    'loopback safe-state needs none',
  );
  const bearer = (token: string) =>
    fetch(`${guarded}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  assert.is((await bearer(`${TOKEN}x`)).status, 401);
  assert.is((await bearer(`${TOKEN.slice(0, -1)}x`)).status, 401, 'same length, one character off');
  assert.is((await bearer(TOKEN)).status, 200);
});

test('SVC-002 a bind beyond loopback without token or SVC_ALLOW_INSECURE=1 refuses the start', () => {
  assert.throws(() => exposureFrom({}, '0.0.0.0'), /SVC_API_TOKEN is not set/);
  assert.throws(() => exposureFrom({}, '::'), /SVC_API_TOKEN is not set/);
  assert.throws(() => exposureFrom({ SVC_API_TOKEN: 'short' }, '0.0.0.0'), /16 or more/);
  assert.is(exposureFrom({ SVC_ALLOW_INSECURE: '1' }, '0.0.0.0').insecure, true);
  assert.is(exposureFrom({ SVC_API_TOKEN: TOKEN }, '0.0.0.0').insecure, false);
  assert.is(exposureFrom({}, '127.0.0.1').insecure, false);
});

test('SVC-001 flag beats variable beats default, and a bad value is refused by name', () => {
  const of = (flags: { host?: string; port?: string }, env: Record<string, string>) =>
    bindOptions({ flags, env, prefix: 'SVC_BRIDGE', defaultPort: 8202 });
  assert.equal(of({}, {}), { host: '127.0.0.1', port: 8202 });
  assert.equal(of({}, { SVC_BRIDGE_PORT: '9000' }), { host: '127.0.0.1', port: 9000 });
  assert.equal(of({ port: '9001' }, { SVC_BRIDGE_PORT: '9000' }), { host: '127.0.0.1', port: 9001 });
  assert.throws(() => of({}, { SVC_BRIDGE_PORT: '65536' }), /SVC_BRIDGE_PORT "65536"/);
  assert.throws(() => of({ port: '80a' }, {}), /--port "80a"/);
});

test('SVC-007 /metrics and /openapi.json describe the service', async () => {
  await fetch(`${base}/health`);
  const metrics = await (await fetch(`${base}/metrics`)).text();
  assert.match(
    metrics,
    'svc_http_requests_total{service="svc-test",route="/health",method="GET",status="200"}',
  );
  assert.match(metrics, 'route="/valve/:id"');
  const api = (await (await fetch(`${base}/openapi.json`)).json()) as {
    openapi: string;
    paths: Record<string, Record<string, { parameters: unknown[] }>>;
  };
  assert.is(api.openapi, '3.1.0');
  assert.equal(api.paths['/valve/{id}']?.post?.parameters, [
    { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
    { name: 'value', in: 'query', required: true, schema: { type: 'boolean' } },
    { name: 'power', in: 'query', required: false, schema: { type: 'number', minimum: 0, maximum: 100 } },
  ]);
});

test('a client that goes away aborts the signal of its handler', async () => {
  const gone = new AbortController();
  const pending = fetch(`${base}/watched`, { signal: gone.signal }).catch(() => 'gone');
  await systemClock.sleep(50);
  gone.abort();
  assert.is(await pending, 'gone');
  for (let i = 0; i < 100 && aborted.length === 0; i++) await systemClock.sleep(10);
  assert.equal(aborted, ['client']);
});

test('a port in use is reported with its address', async () => {
  const port = Number(new URL(base).port);
  const second = new HttpService({
    service: 'second',
    version: '0',
    routes: [],
    exposure: exposureFrom({}, '127.0.0.1'),
    clock: systemClock,
    metrics: new MetricRegistry(),
    randomId: () => 'x',
    log: () => {},
  });
  try {
    await second.listen('127.0.0.1', port);
    assert.unreachable();
  } catch (error) {
    assert.is((error as CodedError).code, 'port_in_use');
    assert.match((error as CodedError).message, `127.0.0.1:${port}`);
  }
});

test.run();
