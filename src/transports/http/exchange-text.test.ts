import { createServer, type Server, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { exchangeText } from './exchange-text.ts';

const test = suite('exchange of text over HTTP');

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nfirst';
const SECOND = 'HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nsecond';

interface Peer {
  url: string;
  connections: number;
  requests: string[];
}

/** Answers each request, and does to the connection what a test wants. */
async function withPeer(
  answer: (socket: Socket, request: number, connection: number) => void,
  work: (peer: Peer) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const peer: Peer = { url: '', connections: 0, requests: [] };
  const server: Server = createServer((socket) => {
    const connection = ++peer.connections;
    sockets.add(socket);
    socket.on('error', () => {});
    let head = '';
    socket.on('data', (part) => {
      head += part.toString('latin1');
      if (!head.includes('\r\n\r\n')) return;
      peer.requests.push(head);
      head = '';
      answer(socket, peer.requests.length, connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  peer.url = `http://127.0.0.1:${address.port}/x`;
  try {
    await work(peer);
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
}

const ask = (
  url: string,
  method = 'GET',
  extra: { body?: string; isAskedAgain?: boolean; onLine?: (line: string) => void } = {},
) =>
  exchangeText({
    method,
    url,
    headers: { accept: 'application/json' },
    isAskedAgain: true,
    maxBytes: 1000,
    ...extra,
  });

const whyOf = (answer: Promise<unknown>): Promise<string> =>
  answer.then(
    () => 'it was answered',
    (error: Error) => error.message,
  );

test('reads are asked over one connection, what acts over a new one that is closed behind it', () =>
  withPeer(
    (socket) => socket.write(ANSWER),
    async (peer) => {
      for (let n = 0; n < 3; n++)
        assert.equal(await ask(peer.url).answer, { status: 200, location: null, text: 'first' });
      assert.is(peer.connections, 1);
      for (let n = 0; n < 2; n++) await ask(peer.url, 'POST', { body: '{"a":1}' }).answer;
      assert.is(peer.connections, 3);
      const posted = peer.requests.at(-1) ?? '';
      assert.match(posted, /connection: close/i);
      assert.match(posted, /content-length: 7\r\n/i);
      assert.match(posted, /\r\n\r\n\{"a":1\}$/);
    },
  ));

for (const [how, late] of [
  ['in the same packet', false],
  ['while the connection is idle', true],
] as const)
  test(`a second answer that nobody asked for, ${how}, is never the answer to the next request`, () =>
    withPeer(
      (socket, request) => {
        if (request > 1) socket.write(ANSWER.replace('first', 'fresh'));
        else if (late) {
          socket.write(ANSWER);
          setTimeout(() => socket.write(SECOND), 50);
        } else socket.write(ANSWER + SECOND);
      },
      async (peer) => {
        // The first may be lost with its connection; the next one is never answered with what came before it was asked.
        await ask(peer.url).answer.catch(() => {});
        await new Promise((resolve) => setTimeout(resolve, 200));
        const next = await ask(peer.url).answer.then(({ text }) => text, String);
        assert.not.match(next, 'second');
        assert.is((await ask(peer.url).answer).text, 'fresh');
      },
    ));

test('an answer that breaks off, is too long or no HTTP is none; the error says which', async () => {
  for (const [bytes, why] of [
    ['HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nfirst', /broke off after 5 bytes/],
    ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nfirst\r\n', /broke off after 5 bytes/],
    [`HTTP/1.1 200 OK\r\ncontent-length: 2000\r\n\r\n${'x'.repeat(2000)}`, /more than 1000 bytes/],
    ['no HTTP at all\r\n\r\n', /Parse Error/],
    ['', /hang up/],
    ['HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n', /without an answer/],
  ] as const)
    await withPeer(
      (socket) => socket.end(bytes),
      async (peer) => assert.match(await whyOf(ask(peer.url).answer), why),
    );
});

test('a read whose kept connection breaks before an answer is asked once more, over a new one, and only once', () =>
  withPeer(
    (socket, request, connection) => {
      // The first is answered and kept; what comes over it next, and one more connection, is cut.
      if (request === 1 || connection > 3) socket.write(ANSWER);
      else if (connection === 2) socket.write(ANSWER.replace('first', 'again'));
      else socket.destroy();
    },
    async (peer) => {
      await ask(peer.url).answer;
      assert.is((await ask(peer.url).answer).text, 'again');
      assert.equal([peer.connections, peer.requests.length], [2, 3]);
      assert.match(await whyOf(ask(peer.url).answer), /hang up|ECONNRESET/);
      assert.equal([peer.connections, peer.requests.length], [3, 4]);
    },
  ));

test('a caller that asks again by itself is told of a broken kept connection', () =>
  withPeer(
    (socket, request) => (request === 1 ? socket.write(ANSWER) : socket.destroy()),
    async (peer) => {
      await ask(peer.url).answer;
      assert.match(await whyOf(ask(peer.url, 'GET', { isAskedAgain: false }).answer), /hang up|ECONNRESET/);
      assert.is(peer.requests.length, 2);
    },
  ));

test('what acts is never sent again', () =>
  withPeer(
    (socket, request) => (request === 1 ? socket.write(ANSWER) : socket.destroy()),
    async (peer) => {
      await ask(peer.url).answer;
      assert.match(await whyOf(ask(peer.url, 'POST').answer), /hang up|ECONNRESET/);
      assert.is(peer.requests.length, 2);
    },
  ));

test('a redirect is an answer; nobody is asked at the other address', () =>
  withPeer(
    (socket) => socket.write('HTTP/1.1 307 x\r\nlocation: /other\r\ncontent-length: 0\r\n\r\n'),
    async (peer) => {
      assert.equal(await ask(peer.url).answer, { status: 307, location: '/other', text: '' });
      assert.is(peer.requests.length, 1);
    },
  ));

test('a cancelled exchange rejects with the reason and breaks its connection, before and within the answer', async () => {
  for (const bytes of ['', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nfirst']) {
    let gone: Promise<void> = Promise.resolve();
    await withPeer(
      (socket) => {
        gone = new Promise((resolve) => socket.once('close', () => resolve()));
        socket.write(bytes);
      },
      async (peer) => {
        const exchange = ask(peer.url);
        while (peer.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        exchange.cancel(new Error('no longer wanted'));
        assert.is(await whyOf(exchange.answer), 'no longer wanted');
        await gone;
      },
    );
  }
});

test('a cancelled exchange whose answer is there keeps it, and its connection', () =>
  withPeer(
    (socket) => socket.write(ANSWER),
    async (peer) => {
      const exchange = ask(peer.url);
      await exchange.answer;
      exchange.cancel(new Error('too late'));
      assert.is((await exchange.answer).text, 'first');
      await ask(peer.url).answer;
      assert.is(peer.connections, 1);
    },
  ));

test('an address or a header that cannot be sent, and a port without a program, say so', async () => {
  assert.match(await whyOf(ask('not an address').answer), /Invalid URL/);
  const header = {
    method: 'GET',
    url: 'http://127.0.0.1:9/',
    headers: { authorization: 'a\nb' },
    isAskedAgain: true,
    maxBytes: 9,
  };
  assert.match(await whyOf(exchangeText(header).answer), /Invalid character in header/);
  assert.match(await whyOf(ask('http://127.0.0.1:9/').answer), /ECONNREFUSED/);
});

test('lines come as they arrive, whole in the middle of a letter and without their end; one that is refused ends the exchange', async () => {
  const head = 'HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n';
  const bytes = Buffer.from(`${head}one\r\nµ two\n\nthree`);
  const parts = [...bytes].map((byte) => Buffer.from([byte]));
  await withPeer(
    (socket) => {
      const next = () => {
        const part = parts.shift();
        if (part) socket.write(part, () => setImmediate(next));
        else socket.end();
      };
      next();
    },
    async ({ url }) => {
      const lines: string[] = [];
      const { text } = await ask(url, 'GET', { onLine: (line) => lines.push(line) }).answer;
      assert.equal(lines, ['one\r', 'µ two', '', 'three']);
      assert.is(text, '', 'nobody wants it a second time');
    },
  );
  for (const body of ['refused\n', 'refused'])
    await withPeer(
      (socket) => socket.end(`${head}${body}`),
      async ({ url }) => {
        const onLine = () => {
          throw new Error('not this one');
        };
        assert.is(await whyOf(ask(url, 'GET', { onLine }).answer), 'not this one');
      },
    );
});

test.run();
