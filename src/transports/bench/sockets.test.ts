import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { hexOf } from '../hex.ts';
import { BenchI2cBus } from '../i2c/bench-i2c-bus.ts';
import { openByteTransport } from '../open.ts';
import type { TransportError } from '../transport-error.ts';
import { encodeMessage, MessageReader } from './messages.ts';

const test = suite('bench sockets');

let folder = '';
let path = '';
let server: Server | undefined;
let clients: Socket[] = [];

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: TransportError) => error.code,
  );

async function listen(serve: (client: Socket) => void): Promise<void> {
  const opened = createServer((client) => {
    clients.push(client);
    client.on('error', () => {});
    serve(client);
  });
  server = opened;
  opened.listen(path);
  await once(opened, 'listening');
}

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-sockets-'));
  path = join(folder, 'twin.sock');
  clients = [];
  server = undefined;
});

test.after.each(async () => {
  for (const client of clients) client.destroy();
  const opened = server;
  if (opened) await new Promise((resolve) => opened.close(resolve));
  rmSync(folder, { recursive: true, force: true });
});

test('messages are cut out of a stream whatever its pieces', () => {
  const stream = Buffer.concat([encodeMessage({ a: 1 }), encodeMessage('ä'), encodeMessage([])]);
  for (const size of [1, 2, 5, stream.length]) {
    const reader = new MessageReader();
    const seen: unknown[] = [];
    for (let at = 0; at < stream.length; at += size)
      seen.push(...reader.push(stream.subarray(at, at + size)));
    assert.equal(seen, [{ a: 1 }, 'ä', []]);
  }
  assert.throws(
    () => new MessageReader().push(Buffer.from('ffffffff', 'hex')),
    /message of 4294967295 bytes/,
  );
});

test('bytes go both ways, and the end of the bench is reported', async () => {
  await listen((client) => client.on('data', (bytes) => client.write(bytes)));
  const port = openByteTransport(`bench:${path}`, { baud: 9600 });
  let heard = '';
  let gone = '';
  port.onBytes((bytes) => {
    heard += hexOf(bytes);
  });
  port.onClosed((cause) => {
    gone = cause.code;
  });
  assert.is(await codeOf(port.write(Uint8Array.of(1))), 'port_closed');
  await port.open();
  await port.write(Uint8Array.of(1, 2));
  while (heard === '') await systemClock.sleep(5);
  assert.is(heard, '01 02');
  clients[0]?.destroy();
  while (gone === '') await systemClock.sleep(5);
  assert.is(gone, 'port_gone');
  assert.is(port.isOpen, false);
});

test('closing on purpose reports nothing', async () => {
  await listen(() => {});
  const port = openByteTransport(`bench:${path}`, { baud: 9600 });
  let told = false;
  port.onClosed(() => {
    told = true;
  });
  await port.open();
  await port.close();
  await port.close();
  await systemClock.sleep(20);
  assert.is(told, false);
});

test('an I2C answer that comes too late is never taken for the next transfer', async () => {
  const held: (() => void)[] = [];
  await listen((client) => {
    client.on('data', () => {
      const answer = encodeMessage({ ok: true, bytes: clients.length === 1 ? '11 11' : '22 22' });
      if (clients.length === 1) held.push(() => client.write(answer));
      else client.write(answer);
    });
  });
  const clock = new SteppedClock();
  const bus = new BenchI2cBus({ address: `bench:${path}`, path, clock });
  const first = codeOf(bus.transfer(0x48, new Uint8Array(), 2));
  while (held.length === 0) await systemClock.sleep(5);
  await clock.advance(1000);
  assert.is(await first, 'i2c_timeout');
  held[0]?.();
  assert.is(hexOf(await bus.transfer(0x48, new Uint8Array(), 2)), '22 22');
  await bus.close();
  assert.is(clock.pending, 0);
});

test('DEV-043 an I2C transfer that is given up before its turn is never sent', async () => {
  const heard: unknown[] = [];
  const held: (() => void)[] = [];
  await listen((client) => {
    const reader = new MessageReader();
    client.on('data', (chunk: Uint8Array) => {
      for (const message of reader.push(chunk)) heard.push(message);
      held.push(() => client.write(encodeMessage({ ok: true, bytes: '' })));
    });
  });
  const bus = new BenchI2cBus({ address: `bench:${path}`, path, clock: systemClock });
  const give = new AbortController();
  const send = (byte: number, signal?: AbortSignal) => bus.transfer(0x48, Uint8Array.of(byte), 0, signal);
  const first = send(1);
  const second = send(2, give.signal).catch((reason: unknown) => reason);
  const third = send(3);
  while (held.length === 0) await systemClock.sleep(5);
  give.abort('given up');
  held[0]?.();
  await first;
  assert.is(await second, 'given up');
  while (held.length === 1) await systemClock.sleep(5);
  held[1]?.();
  await third;
  assert.equal(heard, [
    { address: 0x48, write: '01', read: 0 },
    { address: 0x48, write: '03', read: 0 },
  ]);
  await bus.close();
});

test('an answer of another length is refused', async () => {
  await listen((client) => client.on('data', () => client.write(encodeMessage({ ok: true, bytes: '11' }))));
  const bus = new BenchI2cBus({ address: `bench:${path}`, path, clock: systemClock });
  assert.is(await codeOf(bus.transfer(0x48, new Uint8Array(), 2)), 'port_failed');
  await bus.close();
});

test.run();
