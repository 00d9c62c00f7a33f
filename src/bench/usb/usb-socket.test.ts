import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { UsbTwin } from '../../devices/twin.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { encodeMessage } from '../../transports/bench/messages.ts';
import { openUsbControl, type TransportError, type UsbControl } from '../../transports/index.ts';
import type { Setup } from '../../transports/memory/usb-pipe.ts';
import { UsbSocket } from './usb-socket.ts';

const test = suite('USB bench socket');
const WHO = { vendorId: 0x1ffb, productId: 0x00c9, serial: '00425280', bcdDevice: 0x0106 };
const READ = { request: 0xa1, value: 0, index: 0x33 };

let folder = '';
let seen: Setup[];
let identity = WHO;
let socket: UsbSocket;
let usb: UsbControl;
let closedWith: string[];

/** Knows request A1 (VIN 24000 mV) and 85, refuses the rest. */
const twin = {
  answerDelayMs: 0,
  control: (setup: Setup) => {
    seen.push(setup);
    if (setup.request === 0xa1) return Uint8Array.of(0xc0, 0x5d, 1, 2, 3);
    return setup.request === 0x85 ? new Uint8Array() : undefined;
  },
} satisfies UsbTwin;

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: TransportError) => error.code,
  );

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await systemClock.sleep(1);
}

test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-usb-'));
  seen = [];
  closedWith = [];
  identity = WHO;
  twin.answerDelayMs = 0;
  socket = new UsbSocket({
    path: join(folder, 'tic.sock'),
    twin,
    identity: () => identity,
    clock: systemClock,
  });
  await socket.open();
  usb = openUsbControl(`bench:${socket.path}`, { timeoutMs: 200 });
  usb.onClosed((cause) => closedWith.push(cause.code));
});

test.after.each(async () => {
  await usb.close();
  await socket.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the twin says who it is, and again after a change of firmware', async () => {
  assert.is(usb.identity, undefined);
  await usb.open();
  assert.equal(usb.identity, { ...WHO, path: socket.path });
  await usb.close();
  assert.is(usb.identity, undefined);
  identity = { ...WHO, bcdDevice: 0x0105 };
  await usb.open();
  assert.is(usb.identity?.bcdDevice, 0x0105);
});

test('an answer that is held back comes then; one held back for ever is a time-out; neither is a refusal', async () => {
  await usb.open();
  twin.answerDelayMs = 60;
  const startedAt = systemClock.monotonic();
  assert.equal(await usb.controlIn(READ, 2), Uint8Array.of(0xc0, 0x5d));
  assert.ok(systemClock.monotonic() - startedAt >= 55);
  twin.answerDelayMs = Number.POSITIVE_INFINITY;
  assert.is(await codeOf(usb.controlIn(READ, 2)), 'usb_timeout');
});

test('DEV-020 an OUT and an IN request arrive as setup packets, and no more than asked for comes back', async () => {
  await usb.open();
  await usb.controlOut({ request: 0x85, value: 0xff38, index: 0xffff });
  assert.equal(await usb.controlIn(READ, 2), Uint8Array.of(0xc0, 0x5d));
  assert.equal(seen, [
    { requestType: 0x40, request: 0x85, value: 0xff38, index: 0xffff, length: 0 },
    { requestType: 0xc0, request: 0xa1, value: 0, index: 0x33, length: 2 },
  ]);
});

test('a STALL is usb_stall, names the request, and the next transfer works', async () => {
  await usb.open();
  const refused = await usb.controlOut({ request: 0x13, value: 0, index: 0 }).catch((e: TransportError) => e);
  assert.is(refused?.code, 'usb_stall');
  assert.match(refused?.message ?? '', 'request 13 (STALL)');
  assert.is((await usb.controlIn(READ, 2)).length, 2);
});

test('transfers at the same time get their own answers', async () => {
  await usb.open();
  const outcomes = await Promise.all([
    codeOf(usb.controlIn(READ, 2)),
    codeOf(usb.controlOut({ request: 0x99, value: 0, index: 0 })),
    codeOf(usb.controlOut({ request: 0x85, value: 0, index: 0 })),
  ]);
  assert.equal(outcomes, ['resolved', 'usb_stall', 'resolved']);
});

test('DEV-042 a pulled plug ends what is under way, and after the re-plug it opens again', async () => {
  assert.is(await codeOf(usb.controlIn(READ, 2)), 'port_closed');
  await usb.open();
  await socket.close();
  await until(() => closedWith.length > 0);
  assert.equal(closedWith, ['port_gone']);
  assert.is(existsSync(socket.path), false);
  assert.is(await codeOf(usb.controlIn(READ, 2)), 'port_closed');
  assert.is(await codeOf(usb.open()), 'port_absent');
  await socket.open();
  await usb.open();
  assert.is((await usb.controlIn(READ, 2)).length, 2);
  assert.is(socket.clients, 1);
});

test('a malformed request closes the connection, another one goes on', async () => {
  await usb.open();
  for (const nonsense of [
    { id: 1 },
    { id: 1, requestType: 256, request: 0, value: 0, index: 0, length: 0 },
  ]) {
    const rude = connect(socket.path);
    rude.on('error', () => {});
    const hungUp = new Promise((resolve) => rude.once('close', resolve));
    rude.resume().write(encodeMessage(nonsense));
    await hungUp;
  }
  assert.equal(seen, []);
  assert.is((await usb.controlIn(READ, 2)).length, 2);
});

/** A server in the place of the twin's. */
async function impostor(serve: (write: (message: unknown) => void, end: () => void) => void) {
  await socket.close();
  const server = createServer((client) => {
    client.on('error', () => {}).resume();
    serve(
      (message) => client.write(encodeMessage(message)),
      () => client.destroy(),
    );
  });
  await new Promise<void>((resolve) => server.listen(socket.path, resolve));
  return () => new Promise<void>((resolve) => void server.close(() => resolve()));
}

test('DEV-043 silence is usb_timeout, and a late answer is not taken for the next one', async () => {
  let write: (message: unknown) => void = () => {};
  const stop = await impostor((send) => {
    write = send;
    send({ identity: WHO });
  });
  await usb.open();
  assert.is(await codeOf(usb.controlIn(READ, 2)), 'usb_timeout');
  const second = usb.controlIn(READ, 2);
  write({ id: 1, ok: true, data: '1111' });
  write({ id: 2, ok: true, data: '2222' });
  assert.equal(await second, Uint8Array.of(0x22, 0x22));
  await usb.close();
  await stop();
});

test('what does not say who it is, is not a USB twin', async () => {
  const stop = await impostor(() => {});
  assert.is(await codeOf(usb.open()), 'port_failed');
  await stop();
});

test('a connection that ends in the middle of a transfer rejects it', async () => {
  let end = () => {};
  const stop = await impostor((send, hangUp) => {
    end = hangUp;
    send({ identity: WHO });
  });
  await usb.open();
  const transfer = codeOf(usb.controlIn(READ, 2));
  await systemClock.sleep(10);
  end();
  assert.is(await transfer, 'port_gone');
  await stop();
});

test('closing rejects what is under way', async () => {
  const stop = await impostor((send) => send({ identity: WHO }));
  await usb.open();
  const transfer = codeOf(usb.controlIn(READ, 2));
  await usb.close();
  assert.is(await transfer, 'port_closed');
  assert.equal(closedWith, []);
  await stop();
});

test.run();
