import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import * as z from 'zod';
import { startTestService, type TestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { systemClock } from '../clock/clock.ts';
import { eventStream, eventText, json, ndjsonStream, stream } from './reply.ts';
import { route } from './route.ts';

interface Context extends TestService {
  made: number;
  ended: string[];
}

const test = suite<Context>('streamed answers');

const PIECE = `${'x'.repeat(9_999)}\n`;

test.before.each(async (context) => {
  context.made = 0;
  context.ended = [];
  async function* endless(signal: AbortSignal) {
    try {
      for (;;) {
        context.made += 1;
        yield PIECE;
        await systemClock.sleep(0, signal);
      }
    } finally {
      context.ended.push('endless');
    }
  }
  async function* waiting(signal: AbortSignal) {
    yield { n: 1 };
    try {
      await systemClock.sleep(60_000, signal);
    } finally {
      context.ended.push('waiting');
    }
  }
  async function* deaf() {
    yield 'first\n';
    await new Promise(() => {});
  }
  async function* failing() {
    yield { n: 1 };
    throw new Error('secret');
  }
  const numbers = async function* (count: number) {
    for (let n = 1; n <= count; n++) yield { n };
  };
  const events = async function* () {
    yield { comment: 'still\nthere' };
    yield { id: 7, event: 'block.end', data: { seq: 7, text: 'a\nb' } };
  };
  const get = (path: string, handler: (signal: AbortSignal) => object) =>
    route({
      method: 'GET',
      path,
      summary: path,
      answerType: ['application/x-ndjson', 'text/event-stream', 'text/plain'],
      deadlineMs: 50,
      handler: ({ signal }) => handler(signal),
    });
  const started = await startTestService([
    get('/endless', (signal) => stream(endless(signal), 'text/plain')),
    get('/waiting', (signal) => ndjsonStream(waiting(signal))),
    get('/deaf', () => stream(deaf(), 'text/plain')),
    get('/failing', () => ndjsonStream(failing())),
    get('/events', () => eventStream(events())),
    get('/refused', () => json({ no: 'stream' }, 409)),
    route({
      method: 'GET',
      path: '/numbers',
      summary: 'numbers',
      query: z.object({ count: z.coerce.number() }),
      answerType: 'application/x-ndjson',
      handler: ({ query }) => ndjsonStream(numbers(query.count)),
    }),
  ]);
  Object.assign(context, started);
});

test.after.each(({ service }) => service.destroy());

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (let i = 0; i < 200 && !(await holds()); i++) await systemClock.sleep(10);
  assert.ok(await holds());
}

/** Opens a connection that asks and does not read on its own. */
function ask(url: string, path: string) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
  return socket;
}

test('lines come one by one, and the answer ends with its source', async ({ url }) => {
  const answer = await fetch(`${url}/numbers?count=3`);
  assert.is(answer.headers.get('content-type'), 'application/x-ndjson');
  assert.is(answer.headers.get('x-request-id'), 'made-id');
  assert.is(await answer.text(), '{"n":1}\n{"n":2}\n{"n":3}\n');
});

test('events are written as the standard says, and a line break makes no second field', async ({ url }) => {
  const answer = await fetch(`${url}/events`);
  assert.is(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
  assert.is(
    await answer.text(),
    ': still there\n\nid: 7\nevent: block.end\ndata: {"seq":7,"text":"a\\nb"}\n\n',
  );
  assert.is(eventText({ event: 'a\r\ndata: forged', data: null }), 'event: a data: forged\ndata: null\n\n');
});

test('the deadline of the route does not end a stream that has begun', async ({ url }) => {
  const answer = await fetch(`${url}/waiting`);
  const reader = answer.body?.getReader();
  assert.is(new TextDecoder().decode((await reader?.read())?.value), '{"n":1}\n');
  const next = reader?.read().then(() => 'ended');
  assert.is(await Promise.race([next, systemClock.sleep(150).then(() => 'goes on')]), 'goes on');
  await reader?.cancel();
});

test('a client that goes away ends the source', async (context) => {
  const gone = new AbortController();
  const answer = await fetch(`${context.url}/waiting`, { signal: gone.signal });
  await answer.body?.getReader().read();
  gone.abort();
  await until(() => context.ended.includes('waiting'));
});

/** The buffers of the kernel take some megabytes before it is felt. @returns how many pieces were made until then */
async function untilItStandsStill(context: Context): Promise<number> {
  let made = -1;
  await until(async () => {
    made = context.made;
    await systemClock.sleep(100);
    return made > 1 && context.made === made;
  });
  return made;
}

test('a client that reads nothing stops the source, and gets all when it reads again', async (context) => {
  const socket = ask(context.url, '/endless').pause();
  const before = await untilItStandsStill(context);
  assert.ok(before * PIECE.length < 20_000_000, `${before} pieces`);
  socket.resume();
  await until(() => context.made > before + 10);
  assert.equal(context.ended, []);
  socket.destroy();
  await until(() => context.ended.length === 1);
});

test('a source that waits for a client that reads nothing is ended when that goes away', async (context) => {
  const socket = ask(context.url, '/endless').pause();
  await untilItStandsStill(context);
  socket.destroy();
  await until(() => context.ended.length === 1);
});

test('stopping the service ends streams in order, also one whose source hears nothing', async (context) => {
  const texts = ['/waiting', '/deaf'].map(async (path) => (await fetch(context.url + path)).text());
  const unread = ask(context.url, '/endless').pause();
  await until(() => context.made > 1);
  await systemClock.sleep(100);
  const startedAt = systemClock.monotonic();
  await context.service.close(300);
  assert.equal(await Promise.all(texts), ['{"n":1}\n', 'first\n']);
  assert.ok(systemClock.monotonic() - startedAt < 2000);
  assert.equal(context.ended.sort(), ['endless', 'waiting']);
  unread.destroy();
});

test('a source that fails breaks the answer off: half of it is not taken for the whole', async (context) => {
  const answer = await fetch(`${context.url}/failing`);
  assert.is(answer.status, 200);
  assert.is(
    await answer.text().then(
      () => 'whole',
      () => 'broken off',
    ),
    'broken off',
  );
  await until(() => context.logged.length > 0);
  assert.match(context.logged.join(), /\/failing \[made-id\].*secret/);
});

test('HEAD of a stream has its head and does not start it', async (context) => {
  const head = await fetch(`${context.url}/endless`, { method: 'HEAD' });
  assert.equal([head.status, head.headers.get('content-type')], [200, 'text/plain']);
  assert.is(context.made, 0);
});

test('a stream is counted once, when it begins', async (context) => {
  const count = 'svc_http_requests_total{service="svc-test",route="/waiting",method="GET",status="200"} 1';
  const duration =
    'svc_http_request_duration_seconds_count{service="svc-test",route="/waiting",method="GET"} 1';
  const answer = await fetch(`${context.url}/waiting`);
  const reader = answer.body?.getReader();
  await reader?.read();
  assert.match(await context.metrics.render(), count);
  await reader?.cancel();
  await until(() => context.ended.length === 1);
  await systemClock.sleep(20);
  assert.match(await context.metrics.render(), count);
  assert.match(await context.metrics.render(), duration);
});

test('thousands of pieces pass without a warning of listeners that pile up', async ({ url }) => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error) => warnings.push(warning);
  process.on('warning', onWarning);
  const text = await (await fetch(`${url}/numbers?count=5000`)).text();
  process.off('warning', onWarning);
  assert.is(text.trim().split('\n').length, 5000);
  assert.equal(warnings, []);
});

test.run();
