import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { readScenarioUrl } from './read-url.ts';

const url = suite('scenario from a URL');
const MIB = 1_048_576;
const HEADERS: string[] = [];
const text =
  (body: string, type = 'text/plain'): RequestListener =>
  (_, response) =>
    response.writeHead(200, { 'content-type': type }).end(body);
const routes: Record<string, RequestListener> = {
  '/raw': text('GOAL:\n  LOG x\n'),
  '/json': text('{"scenario":{"dsl":"GOAL:"}}', 'application/json'),
  '/html': text('<p>editor</p>', 'text/html; charset=utf-8'),
  '/empty': text(' \n'),
  '/missing': (_, response) => response.writeHead(404).end('GOAL:'),
  '/limit': text('#'.repeat(MIB)),
  '/large': text('#'.repeat(MIB + 1)),
  '/endless': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    const more = () => {
      while (response.write('#'.repeat(65_536)) && !response.destroyed);
    };
    response.on('drain', more);
    more();
  },
  '/redirect': (_, response) => response.writeHead(302, { location: '/raw' }).end(),
  '/private': (request, response) => {
    HEADERS.push(request.headers.authorization ?? '');
    response.end('GOAL:');
  },
  '/silent': () => {},
};
let server: Server;
let base = '';

url.before(async () => {
  server = createServer((request, response) => routes[request.url ?? '']?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
url.after(() => {
  server.closeAllConnections();
  server.close();
});

const read = async (path: string, clock = new SteppedClock()) => {
  const source = await readScenarioUrl(base + path, { fetch, clock });
  assert.is(clock.pending, 0, 'no timer is left');
  return { ...source, text: Buffer.from(source.bytes).toString() };
};
const refusal = async (path: string): Promise<string> => {
  try {
    await read(path);
  } catch (error) {
    assert.instance(error, Error);
    return (error as Error).message;
  }
  return 'not refused';
};

url('raw text, JSON and a redirected address are read', async () => {
  assert.is((await read('/raw')).text, 'GOAL:\n  LOG x\n');
  assert.is((await read('/json')).text, 'GOAL:');
  assert.is((await read('/redirect')).text, 'GOAL:\n  LOG x\n');
  assert.is((await read('/raw')).directory, undefined);
});

url('LANG-007 HTML, empty answers and other statuses are refused, naming the address', async () => {
  for (const [path, reason] of [
    ['/html', 'HTML page'],
    ['/empty', 'empty'],
    ['/missing', '404'],
  ] as const) {
    const message = await refusal(path);
    assert.match(message, reason);
    assert.match(message, base + path);
  }
});

url('exactly 1 MiB is read, one byte more is not', async () => {
  assert.is((await read('/limit')).bytes.byteLength, MIB);
  assert.match(await refusal('/large'), '1 MiB');
  assert.match(await refusal('/endless'), '1 MiB');
});

url('a server that never answers is given up after 20 s', async () => {
  const clock = new SteppedClock();
  const reading = read('/silent', clock).then(
    () => 'read',
    (error: Error) => error.message,
  );
  await clock.advance(19_999);
  assert.is(clock.pending, 1, 'still waiting');
  await clock.advance(1);
  assert.match(await reading, 'no complete answer within 20 s');
});

url('a server that is not there is named with its reason', async () => {
  try {
    await readScenarioUrl('http://127.0.0.1:9/x', { fetch, clock: new SteppedClock() });
    assert.unreachable();
  } catch (error) {
    assert.match(
      (error as Error).message,
      /cannot read http:\/\/127\.0\.0\.1:9\/x: .*(ECONNREFUSED|bad port).*check the address/,
    );
  }
});

url('user name and password are sent but never shown', async () => {
  const address = base.replace('://', '://anna:s%40cret@');
  const source = await readScenarioUrl(`${address}/private`, { fetch, clock: new SteppedClock() });
  assert.is(HEADERS.at(-1), `Basic ${Buffer.from('anna:s@cret').toString('base64')}`);
  assert.is(source.name, `${base}/private`);
});

url.run();
