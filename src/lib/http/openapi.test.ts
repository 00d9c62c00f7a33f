import * as assert from 'uvu/assert';
import * as z from 'zod';
import { runGeneratedClient, validDescription } from '../../test-kit/http/openapi.ts';
import { startTestService, type TestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { MARK_VARIABLE } from './answer-tap.ts';
import { inTurns, openApi } from './openapi.ts';
import { numberText } from './query-types.ts';
import { stream } from './reply.ts';
import { route } from './route.ts';

const test = suite('openapi.json of the kit');
let started: TestService;

test.before(async () => {
  started = await startTestService([
    route({
      method: 'GET',
      path: '/health',
      summary: 'health',
      access: 'open',
      handler: () => ({ ok: true }),
    }),
    route({
      method: 'GET',
      path: ['/item/:id/:part', '/api/item/:id/:part'],
      summary: 'item',
      params: z.object({ id: numberText({ integer: true, min: 1 }) }),
      query: z.object({
        unit: z
          .string()
          .transform((unit) => unit.toUpperCase())
          .optional(),
      }),
      answer: z.object({ volts: z.number().nullable(), at: z.string().optional() }),
      handler: ({ params }) => ({ volts: params.id / 2 }),
    }),
    route({
      method: 'POST',
      path: '/item',
      summary: 'make',
      access: 'loopback',
      body: z.strictObject({ n: z.int().min(1).default(5), tags: z.array(z.enum(['a', 'b'])).optional() }),
      handler: ({ body }) => body,
    }),
    route({
      method: 'GET',
      path: '/events',
      summary: 'events',
      answerType: 'text/event-stream',
      handler: () => stream((async function* () {})(), 'text/event-stream'),
    }),
  ]);
});

test.after(() => started.service.destroy());

interface Operation {
  parameters: { name: string; in: string; required: boolean; schema: object }[];
  security: object[];
  requestBody?: { content: object };
  responses: Record<string, { content: object }>;
}

test("SVC-007 the description is valid OpenAPI 3.1 and names every path, the kit's own included", async () => {
  const { paths } = (await validDescription(started.url)) as {
    paths: Record<string, Record<string, Operation>>;
  };
  assert.equal(Object.keys(paths), [
    '/health',
    '/item/{id}/{part}',
    '/api/item/{id}/{part}',
    '/item',
    '/events',
    '/metrics',
    '/openapi.json',
  ]);
  const item = paths['/item/{id}/{part}']?.get;
  assert.equal(
    item?.parameters.map(({ name, in: place, required, schema }) => [name, place, required, schema]),
    [
      ['id', 'path', true, { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }],
      ['part', 'path', true, { type: 'string' }],
      ['unit', 'query', false, { type: 'string' }],
    ],
  );
  assert.equal(Object.keys(paths['/metrics']?.get?.responses['200']?.content ?? {}), ['text/plain']);
  assert.equal(Object.keys(paths['/events']?.get?.responses['200']?.content ?? {}), ['text/event-stream']);
  assert.equal(paths['/health']?.get?.security, []);
  assert.equal(paths['/item']?.post?.security, [{ token: [] }, {}]);
});

test('SVC-007 a client made from the description is typed by the validators, and reads', async () => {
  const reading = (member: string) => `
    const item = await get('/item/{id}/{part}', { id: 3, part: 'x' });
    const volts: number | null = item.${member};
    console.log(volts);`;
  assert.is(await runGeneratedClient(started.url, reading('volts')), '1.5\n');
  const wrong = await runGeneratedClient(started.url, reading('volt')).catch(String);
  assert.match(wrong, /does not compile:\n.*Property 'volt' does not exist/);
});

test('SVC-007 the description is written when it is first asked for, once, and other work is done between its operations', async () => {
  const mark = process.env[MARK_VARIABLE];
  // A process that a test started writes it at once, to compare its answers with it.
  delete process.env[MARK_VARIABLE];
  let written = 0;
  const one = route({ method: 'GET', path: '/one', summary: 'one', handler: () => ({}) });
  const { service, url } = await startTestService([
    Object.defineProperty(one, 'summary', { get: () => `written ${++written} times` }),
  ]);
  process.env[MARK_VARIABLE] = mark;
  try {
    assert.is(written, 0);
    const ask = async () => (await fetch(`${url}/openapi.json`)).text();
    const [first, second] = await Promise.all([ask(), ask()]);
    assert.match(first, /written 1 times/);
    assert.is(second, first);
    assert.is(await ask(), first);
  } finally {
    service.destroy();
  }
  const described = { service: 'svc-test', version: '1.2.3' };
  const events: string[] = [];
  const writing = inTurns(openApi(described, [one, one])).then(() => events.push('written'));
  setImmediate(() => events.push('other work'));
  await writing;
  assert.equal(events, ['other work', 'written']);
});

test.run();
