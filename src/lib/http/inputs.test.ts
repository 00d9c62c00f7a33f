import * as assert from 'uvu/assert';
import * as z from 'zod';
import { exchangeBytes, startTestService, type TestService } from '../../test-kit/http/service.ts';
import { suite } from '../../test-kit/suite.ts';
import { numberText } from './query-types.ts';
import { type RouteContext, route } from './route.ts';

const test = suite('inputs of requests');

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
];

async function onService(work: (service: TestService) => Promise<void>): Promise<void> {
  const started = await startTestService(routes);
  try {
    await work(started);
  } finally {
    started.service.destroy();
  }
}

test('each target gets its own inputs, however often it is asked for', () =>
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

test('SVC-005 a body is looked at also where the route takes none', () =>
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

test.run();
