import { once } from 'node:events';
import { createServer as createHttp, type Server as HttpServer, type RequestListener } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { TransportError } from '../transport-error.ts';
import { getJson } from './get-json.ts';

const test = suite('JSON by HTTP');
const limits = { timeoutMs: 800, maxBytes: 1000, clock: systemClock };

let server: Server | HttpServer | undefined;
const sockets = new Set<Socket>();

async function listen(made: Server | HttpServer): Promise<string> {
  server = made;
  made.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
  });
  made.listen(0, '127.0.0.1');
  await once(made, 'listening');
  return `http://127.0.0.1:${(made.address() as AddressInfo).port}/api/v1/adc`;
}

const serve = (listener: RequestListener) => listen(createHttp(listener));
/** Answers every connection with these bytes and then ends it or holds it open. */
const raw = (text: string, end = true) =>
  listen(createServer((socket) => void (end ? socket.resume().end(text) : socket.resume().write(text))));

test.after.each(async () => {
  const opened = server;
  server = undefined;
  for (const socket of sockets) socket.destroy();
  if (opened) await new Promise((resolve) => opened.close(resolve));
});

async function faultOf(promise: Promise<unknown>): Promise<TransportError> {
  try {
    await promise;
  } catch (error) {
    assert.instance(error, TransportError);
    return error as TransportError;
  }
  throw new Error('it was answered');
}

const messageWhenRejected = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'answered',
    (error: Error) => error.message,
  );

async function untilNoSocket(): Promise<void> {
  while (sockets.size > 0) await systemClock.sleep(2);
}

test('an answer comes with the token sent, and no socket is kept', async () => {
  let authorization: string | undefined;
  const url = await serve((request, response) => {
    authorization = request.headers.authorization;
    response.end('{"volts":0.635}');
  });
  assert.equal(await getJson(url, { ...limits, token: 'abc' }), { volts: 0.635 });
  assert.is(authorization, 'Bearer abc');
  await untilNoSocket();
});

const faults: [title: string, reason: string, status: number | undefined, start: () => Promise<string>][] = [
  ['status 500', 'status', 500, () => serve((_, response) => response.writeHead(500).end('{}'))],
  ['status 204', 'status', 204, () => serve((_, response) => response.writeHead(204).end())],
  [
    'a redirect',
    'redirect',
    302,
    () => serve((_, response) => response.writeHead(302, { location: 'http://elsewhere/' }).end('{}')),
  ],
  ['an announced size above the limit', 'too_large', 200, () => serve((_, r) => r.end(' '.repeat(1001)))],
  [
    'a body that never ends',
    'too_large',
    200,
    () =>
      serve((_, response) => {
        response.write('[');
        const more = () =>
          void (response.writable && response.write(' '.repeat(700), () => setImmediate(more)));
        more();
      }),
  ],
  ['a page instead of JSON', 'not_json', 200, () => serve((_, response) => response.end('<html>'))],
  ['half a JSON text', 'not_json', 200, () => serve((_, response) => response.end('{"volts":0.6'))],
  ['an empty body', 'not_json', 200, () => serve((_, response) => response.end())],
  [
    'bytes that are not valid UTF-8',
    'not_json',
    200,
    () => serve((_, r) => r.end(Buffer.from('22ff22', 'hex'))),
  ],
  ['silence', 'timeout', undefined, () => serve(() => {})],
  [
    'a body that stalls',
    'timeout',
    undefined,
    () => raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a"', false),
  ],
  ['a body cut off', 'unreachable', 200, () => raw('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n{"a"')],
  ['no HTTP at all', 'unreachable', undefined, () => raw('SSH-2.0-OpenSSH\r\n')],
  ['no server there', 'unreachable', undefined, async () => 'http://127.0.0.1:1/api'],
];

for (const [title, reason, status, start] of faults) {
  test(`${title} is http_failed (${reason}) and leaves no socket`, async () => {
    const url = await start();
    const timeoutMs = reason === 'timeout' ? 60 : 2000;
    const error = await faultOf(getJson(url, { ...limits, timeoutMs }));
    assert.is(error.code, 'http_failed');
    assert.is(error.reason, reason, error.message);
    assert.is(error.status, status);
    assert.match(error.message, `GET ${url} `);
    assert.match(error.message, /; (check|write) /);
    await untilNoSocket();
  });
}

test('a redirect is not followed, also to the same server', async () => {
  let asked = 0;
  const url = await serve((_, response) => {
    asked += 1;
    response.writeHead(307, { location: '/api/v1/adc' }).end();
  });
  await faultOf(getJson(url, limits));
  assert.is(asked, 1);
});

test('the time limit counts the whole exchange: a slow drip does not extend it', async () => {
  const url = await serve((_, response) => {
    const drip = setInterval(() => response.write(' '), 10);
    response.on('close', () => clearInterval(drip));
  });
  const error = await faultOf(getJson(url, { ...limits, timeoutMs: 80 }));
  assert.is(error.reason, 'timeout');
  await untilNoSocket();
});

test('a caller that gives up ends the exchange with its own reason', async () => {
  const url = await serve(() => {});
  const giveUp = new AbortController();
  const answer = getJson(url, { ...limits, signal: giveUp.signal });
  setTimeout(() => giveUp.abort(new Error('no longer wanted')), 20);
  assert.is(await messageWhenRejected(answer), 'no longer wanted');
  await untilNoSocket();
  const late = getJson(url, { ...limits, signal: giveUp.signal });
  assert.is(await messageWhenRejected(late), 'no longer wanted');
});

test('a token that cannot be sent is an error that does not show it', async () => {
  const error = await faultOf(getJson('http://127.0.0.1:1/', { ...limits, token: 'secret\n' }));
  assert.is(error.code, 'http_failed');
  assert.not.match(error.message, 'secret');
});

test('a password in the address never appears in an error', async () => {
  const error = await faultOf(getJson('http://rig:secret@127.0.0.1:1/', limits));
  assert.not.match(error.message, 'secret');
  assert.not.match(error.address, 'secret');
});

for (const address of ['', 'bank', 'ftp://bank/', 'bench:/run/bank.sock']) {
  test(`"${address}" is not an address of a web server`, async () => {
    const error = await faultOf(getJson(address, limits));
    assert.is(error.code, 'address_invalid');
    assert.match(error.message, 'http://<host>');
  });
}

test.run();
