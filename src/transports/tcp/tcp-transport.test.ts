import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { TransportError } from '../transport-error.ts';
import { TcpTransport } from './tcp-transport.ts';

interface Context {
  server: Server;
  clients: Socket[];
  port: number;
}

const test = suite<Context>('tcp transport');

test.before.each(async (context) => {
  context.clients = [];
  context.server = createServer((socket) => {
    socket.on('error', () => {});
    context.clients.push(socket);
    socket.on('data', (bytes) => socket.write(bytes));
  });
  await new Promise<void>((resolve) => context.server.listen(0, '127.0.0.1', resolve));
  context.port = (context.server.address() as AddressInfo).port;
});

test.after.each(async ({ server, clients }) => {
  for (const client of clients) client.destroy();
  await new Promise<void>((resolve) => server.close(() => resolve()));
});

const failure = (promise: Promise<unknown>): Promise<TransportError> =>
  promise.then(
    () => {
      throw new Error('it resolved');
    },
    (error: TransportError) => error,
  );

test('bytes go out and come back', async ({ port }) => {
  const transport = new TcpTransport({ host: '127.0.0.1', port });
  await transport.open();
  const received = new Promise<Uint8Array>((resolve) => transport.onBytes(resolve));
  await transport.write(Uint8Array.of(1, 2, 3));
  assert.equal([...(await received)], [1, 2, 3]);
  await transport.close();
  assert.is((await failure(transport.write(Uint8Array.of(1)))).code, 'port_closed');
});

test('no server listens: port_absent with address and remedy', async ({ port, server }) => {
  await new Promise<void>((resolve) => server.close(() => resolve()));
  const error = await failure(new TcpTransport({ host: '127.0.0.1', port }).open());
  assert.is(error.code, 'port_absent');
  assert.is(error.address, `tcp:127.0.0.1:${port}`);
  assert.match(error.message, /no server listens there; start the server/);
});

test('a name that is not known: port_absent', async () => {
  const error = await failure(new TcpTransport({ host: 'valves.invalid', port: 502 }).open());
  assert.is(error.code, 'port_absent');
});

test('DEV-042 the other side hangs up: port_gone is reported once, and it can be opened again', async (context) => {
  const transport = new TcpTransport({ host: '127.0.0.1', port: context.port });
  const ends: string[] = [];
  transport.onClosed((cause) => ends.push(cause.code));
  await transport.open();
  while (context.clients.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const closed = new Promise((resolve) => transport.onClosed(resolve));
  context.clients[0]?.destroy();
  await closed;
  assert.equal(ends, ['port_gone']);
  assert.is(transport.isOpen, false);
  await transport.open();
  await transport.close();
  assert.equal(ends, ['port_gone']);
});

test.run();
