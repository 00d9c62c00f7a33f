import * as assert from 'uvu/assert';
import * as z from 'zod';
import { exchangeBytes, startTestService, type TestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { numberText } from './query-types.ts';
import { type RouteContext, route } from './route.ts';

const test = suite('inputs that are checked once');

const schemas = {
  params: z.object({ id: z.string().regex(/^\d$/, 'must be a digit') }),
  query: z.object({ n: numberText({ min: 1, max: 3 }).default(1) }),
};
const path = '/item/:id';
type Inputs = Pick<RouteContext<object, object, object>, 'params' | 'query' | 'body'>;
const seen = ({ params, query, body }: Inputs) => ({ params, query, body });
const routes = [
  route({ ...schemas, method: 'GET', path, summary: 'read', handler: seen }),
  route({ ...schemas, method: 'POST', path, summary: 'do', actuating: true, handler: seen }),
  route({
    ...schemas,
    method: 'GET',
    path: '/spoiling/:id',
    summary: 'changes what it was given',
    handler: ({ query }) => {
      query.n += 1;
      return query;
    },
  }),
];

async function onService(work: (service: TestService) => Promise<void>): Promise<void> {
  const started = await startTestService(routes);
  try {
    await work(started);
  } finally {
    started.service.destroy();
  }
}

test('a target asked for again gets the same inputs, and each other one its own', () =>
  onService(async ({ url }) => {
    const answer = async (target: string) => (await fetch(url + target)).json();
    for (let round = 0; round < 3; round++) {
      assert.equal(await answer('/item/1'), { params: { id: '1' }, query: { n: 1 }, body: {} });
      assert.equal(await answer('/item/2'), { params: { id: '2' }, query: { n: 1 }, body: {} });
      assert.equal(await answer('/item/1?n=2'), { params: { id: '1' }, query: { n: 2 }, body: {} });
      assert.equal(await answer('/item/1?n=2&x=1'), { params: { id: '1' }, query: { n: 2 }, body: {} });
      assert.equal(await answer('/item/%31?n=%33'), { params: { id: '1' }, query: { n: 3 }, body: {} });
    }
  }));

test('what is refused is refused each time, and by each method for its own reasons', () =>
  onService(async ({ url }) => {
    for (let round = 0; round < 3; round++) {
      for (const target of ['/item/x', '/item/1?n=4', '/item/1?n=1&n=1', '/item/%zz'])
        assert.is((await fetch(url + target)).status, 422, target);
      assert.is((await fetch(`${url}/item/1?n=1&x=1`)).status, 200);
      assert.is((await fetch(`${url}/item/1?n=1&x=1`, { method: 'POST' })).status, 422);
    }
  }));

test('SVC-005 a body is looked at also when the target is known', () =>
  onService(async ({ url }) => {
    assert.is((await fetch(`${url}/item/1`)).status, 200);
    const withBody = (body: string, type = 'application/json') =>
      exchangeBytes(
        url,
        `GET /item/1 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
    assert.match(await withBody('{}'), /^HTTP\/1\.1 200 /);
    assert.match(await withBody('{'), /^HTTP\/1\.1 400 /);
    assert.match(await withBody('{"a":1}'), /^HTTP\/1\.1 422 /);
    assert.match(await withBody('{}', 'text/plain'), /^HTTP\/1\.1 415 /);
    assert.match(await withBody('x'.repeat(70_000)), /^HTTP\/1\.1 413 /);
  }));

test('a handler cannot change the inputs of those who come after it', () =>
  onService(async ({ url, logged }) => {
    for (let round = 0; round < 2; round++) assert.is((await fetch(`${url}/spoiling/1`)).status, 500);
    assert.match(logged.join(), 'read only');
  }));

test('more targets than are remembered are answered right', () =>
  onService(async ({ url }) => {
    for (let i = 0; i < 600; i++) {
      const answer = (await (await fetch(`${url}/item/${i % 10}?x=${i % 300}`)).json()) as Inputs;
      assert.equal(answer.params, { id: String(i % 10) });
    }
  }));

test.run();
