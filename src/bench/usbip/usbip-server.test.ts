import { createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { Mcp2221aTwin } from '../../devices/mcp2221a/twin.ts';
import type { TwinEvent } from '../../devices/twin-event.ts';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { ByteClient } from '../../test-kit/usbip/byte-client.ts';
import { STATUS_ANSWER, type UsbTwins, usbTwins } from '../../test-kit/usbip/twins.ts';
import { importRequest, UsbHost, words } from '../../test-kit/usbip/usb-host.ts';
import { bytesOf } from '../../transports/hex.ts';
import { HidHub } from '../usb/hid-hub.ts';
import { mcp2221aUsbDevice } from '../usb/mcp2221a.ts';
import { MAX_WAITING_TRANSFERS, OPERATION_LIMIT_MS } from './server/connection.ts';
import { UsbipServer } from './usbip-server.ts';

interface Context {
  twins: UsbTwins;
  server: UsbipServer;
  port: number;
}

const test = suite<Context>('USB/IP server');

const LIST = '01 11 80 05 00 00 00 00';
const STATUS = `10${' 00'.repeat(63)}`;

/** Waits for something that happens on its own. */
async function until(happened: () => boolean): Promise<void> {
  while (!happened()) await systemClock.sleep(2);
}

const codeOf = (act: () => unknown): string => {
  try {
    act();
    return 'nothing thrown';
  } catch (error) {
    return error instanceof CodedError ? error.code : String(error);
  }
};

test.before.each(async (context) => {
  context.twins = usbTwins();
  context.server = new UsbipServer({ devices: context.twins.devices, port: 0, clock: systemClock });
  context.port = await context.server.open();
});

test.after.each(({ server }) => server.close());

test('the list names both devices, and the server hangs up after it', async ({ port }) => {
  const client = await ByteClient.open(port);
  client.send(LIST);
  assert.is(await client.read(12), '01 11 00 05 00 00 00 00 00 00 00 02');
  const first = await client.read(312);
  assert.match(first, / 00 00 00 01 00 00 00 02 00 00 00 02 04 D8 00 DD 01 00 EF 02 01 01 01 03$/);
  assert.is(await client.read(12), '02 02 01 00 0A 00 00 00 03 00 00 00');
  const second = await client.read(312);
  assert.match(second, / 00 00 00 01 00 00 00 03 00 00 00 02 1F FB 00 C9 01 06 FF 00 00 01 01 01$/);
  assert.is(await client.read(4), 'FF 00 00 00');
  await client.ended();
  assert.is(client.unread, 0);
});

test('a request that comes byte by byte is the same request', async ({ port }) => {
  const client = await ByteClient.open(port);
  for (const byte of LIST.split(' ')) {
    client.send(byte);
    await systemClock.sleep(1);
  }
  assert.is(await client.read(4), '01 11 00 05');
  client.close();
});

test('an import answers with the device; an unknown bus id with status 4 (no such device)', async ({
  port,
}) => {
  const client = await ByteClient.open(port);
  client.send(importRequest('1-2'));
  assert.is(await client.read(8), '01 11 00 03 00 00 00 00');
  assert.match(
    await client.read(312),
    /^2F 73 79 73 2F .* 31 2D 32 00 .* 1F FB 00 C9 01 06 FF 00 00 01 01 01$/,
  );
  client.close();
  for (const busId of ['1-3', '', '1-', '../1-1']) {
    const other = await ByteClient.open(port);
    other.send(importRequest(busId));
    assert.is(await other.read(8), '01 11 00 03 00 00 00 04', busId);
    await other.ended();
  }
});

test('a device that a host has is busy (status 2) for every other, and free when that host is gone', async (context) => {
  const { port, server, twins } = context;
  const host = await UsbHost.import(port, '1-1', 2);
  assert.is(server.isImported('1-1'), true);
  const second = await ByteClient.open(port);
  second.send(importRequest('1-1'));
  assert.is(await second.read(8), '01 11 00 03 00 00 00 02');
  await second.ended();
  assert.is(await host.control('80 00 00 00 00 00 02 00'), '00 00');
  host.client.close();
  await until(() => !server.isImported('1-1'));
  assert.is(twins.hub.users, 0);
  (await UsbHost.import(port, '1-1', 2)).client.close();
});

test('a host that dies in the middle of a transfer leaves the twin free and nothing pending', async (context) => {
  const { port, server, twins } = context;
  const host = await UsbHost.import(port, '1-1', 2);
  await host.configure();
  host.submit({ direction: 'in', endpoint: 3, length: 64 });
  host.client.send(words(1, 9, 0x10002, 0, 3, 0, 64));
  host.client.close();
  await until(() => server.connections === 0);
  assert.is(twins.hub.users, 0);
  const next = await UsbHost.import(port, '1-1', 2);
  await next.configure();
  assert.is(await next.control('80 08 00 00 00 00 01 00'), '01');
  next.submit({ direction: 'in', endpoint: 3, length: 64 });
  next.submit({ direction: 'out', endpoint: 3, data: STATUS });
  await next.reply('out');
  assert.match((await next.reply('in')).data, STATUS_ANSWER);
  next.client.close();
});

test('the next host gets a device fresh from power-up', async ({ port, server }) => {
  const first = await UsbHost.import(port, '1-1', 2);
  await first.configure();
  await first.control('21 20 00 00 00 00 07 00', '80 25 00 00 00 00 08');
  first.submit({ direction: 'out', endpoint: 3, data: STATUS });
  await first.reply('out');
  first.client.close();
  await until(() => !server.isImported('1-1'));
  const second = await UsbHost.import(port, '1-1', 2);
  assert.is(await second.control('80 08 00 00 00 00 01 00'), '00');
  assert.is(await second.control('A1 21 00 00 00 00 07 00'), '00 C2 01 00 00 00 08');
  await second.configure();
  second.submit({ direction: 'in', endpoint: 3, length: 64 });
  assert.is(await second.control('80 00 00 00 00 00 02 00'), '00 00', 'no answer of the first host is left');
  second.client.close();
});

test('a user beside the host sees the same reports', async ({ port, twins }) => {
  const host = await UsbHost.import(port, '1-1', 2);
  await host.configure();
  const seen: number[] = [];
  const leave = twins.hub.onReport((report) => seen.push(report.length));
  host.submit({ direction: 'out', endpoint: 3, data: STATUS });
  await host.reply('out');
  await until(() => seen.length > 0);
  assert.equal(seen, [64]);
  leave();
  host.client.close();
});

test('DEV-042 a pulled plug ends the connection at once; plugged in again it can be imported', async (context) => {
  const { port, server, twins } = context;
  const host = await UsbHost.import(port, '1-1', 2);
  const other = await UsbHost.import(port, '1-2', 3);
  server.unplug('1-1');
  assert.is(twins.hub.users, 0);
  await host.client.ended();
  const list = await ByteClient.open(port);
  list.send(LIST);
  assert.is(await list.read(12), '01 11 00 05 00 00 00 00 00 00 00 01');
  assert.match(await list.read(312), / 1F FB 00 C9 /);
  await list.ended();
  const refused = await ByteClient.open(port);
  refused.send(importRequest('1-1'));
  assert.is(await refused.read(8), '01 11 00 03 00 00 00 04');
  assert.is(await other.control('C0 A1 00 00 33 00 02 00'), 'C0 5D', 'the other device stays');
  server.plug('1-1');
  (await UsbHost.import(port, '1-1', 2)).client.close();
  other.client.close();
});

test('DEV-042 a reset (70) pulls the plug in the middle of its own transfer; back again, it works', async () => {
  const away = (event: TwinEvent): void => {
    if (event.kind === 'reenumerate') server.unplug('1-1');
  };
  const twin = new Mcp2221aTwin({ clock: systemClock, random: seededRandom(3), listener: away });
  const hub = new HidHub(twin);
  const devices = [{ busId: '1-1', usb: mcp2221aUsbDevice(hub) }];
  const server = new UsbipServer({ devices, port: 0, clock: systemClock });
  const port = await server.open();
  const host = await UsbHost.import(port, '1-1', 2);
  await host.configure();
  host.submit({ direction: 'in', endpoint: 3, length: 64 });
  host.submit({ direction: 'out', endpoint: 3, data: `70 AB CD EF${' 00'.repeat(60)}` });
  await host.client.ended();
  await until(() => server.connections === 0);
  assert.is(hub.users, 0);
  server.plug('1-1');
  const again = await UsbHost.import(port, '1-1', 2);
  await again.configure();
  again.submit({ direction: 'out', endpoint: 3, data: STATUS });
  await again.reply('out');
  again.submit({ direction: 'in', endpoint: 3, length: 64 });
  assert.match((await again.reply('in')).data, STATUS_ANSWER);
  again.client.close();
  await server.close();
});

const HOSTILE: [fault: string, bytes: string][] = [
  ['another version', '01 06 80 05 00 00 00 00'],
  ['a web browser', '47 45 54 20 2F 20 48 54 54 50 2F 31 2E 31 0D 0A'],
  ['a transfer before the import', `${words(1, 1, 0x10002, 1, 0, 0, 18, 0, 0, 0)} 80 06 00 01 00 00 12 00`],
  ['an unknown command', importRequest('1-1') + words(9, 1, 0x10002, 1, 0, 0, 18, 0, 0, 0, 0, 0)],
  ['a transfer for another device', importRequest('1-1') + words(1, 1, 0x10003, 1, 0, 0, 18, 0, 0, 0, 0, 0)],
  ['an unlink for another device', importRequest('1-1') + words(2, 1, 0x20002, 0, 0, 0, 0, 0, 0, 0, 0, 0)],
  ['a transfer of 4 GiB', importRequest('1-1') + words(1, 1, 0x10002, 0, 3, 0, -1, 0, 0, 0, 0, 0)],
  ['an isochronous transfer', importRequest('1-1') + words(1, 1, 0x10002, 1, 3, 0, 64, 0, 8, 0, 0, 0)],
];
for (const [fault, bytes] of HOSTILE)
  test(`${fault} closes the connection and frees the device`, async ({ port, server, twins }) => {
    const client = await ByteClient.open(port);
    client.send(bytes);
    await client.ended();
    await until(() => server.connections === 0);
    assert.is(server.isImported('1-1'), false);
    assert.is(twins.hub.users, 0);
  });

test('too many pending transfers close the connection', async ({ port, server }) => {
  const host = await UsbHost.import(port, '1-1', 2);
  await host.configure();
  for (let count = 0; count < MAX_WAITING_TRANSFERS; count++)
    host.submit({ direction: 'in', endpoint: 2, length: 64 });
  assert.is(await host.control('80 00 00 00 00 00 02 00'), '00 00');
  host.submit({ direction: 'in', endpoint: 2, length: 64 });
  await host.client.ended();
  assert.is(server.isImported('1-1'), false);
});

/** GET_DESCRIPTOR of the configuration, so many times; each is answered with 155 bytes. */
function askOften(host: UsbHost, times: number): void {
  const request = bytesOf(`${words(1, 1, 0x10002, 1, 0, 0, 107, 0, 0, 0)} 80 06 00 02 00 00 6B 00`);
  for (let lump = 0; lump < times / 2000; lump++)
    host.client.send(Buffer.concat(new Array<Uint8Array>(2000).fill(request)));
}

test('a host that asks and does not read is not listened to, and another one is', async ({ port }) => {
  const host = await UsbHost.import(port, '1-1', 2);
  const other = await UsbHost.import(port, '1-2', 3);
  host.client.stopReading();
  askOften(host, 200_000);
  let unsent = host.client.unsent;
  for (let unchanged = 0; unchanged < 100; unchanged++) {
    assert.is(await other.control('80 00 00 00 00 00 02 00'), '00 00');
    if (host.client.unsent < unsent) unchanged = 0;
    unsent = host.client.unsent;
  }
  // Of 11 MB of requests the kernel's buffers take some.
  assert.ok(unsent > 1e6, `${unsent} bytes unsent`);
  host.client.close();
  other.client.close();
});

test('a host that reads again after a while gets every answer', async ({ port }) => {
  const host = await UsbHost.import(port, '1-1', 2);
  host.client.stopReading();
  askOften(host, 60_000);
  await systemClock.sleep(200);
  host.client.readAgain();
  await host.client.skip(60_000 * 155);
  assert.is(await host.control('80 00 00 00 00 00 02 00'), '00 00');
  host.client.close();
});

test('a silent client is disconnected in time', async ({ twins }) => {
  const clock = new SteppedClock();
  const server = new UsbipServer({ devices: twins.devices, port: 0, clock });
  const port = await server.open();
  const silent = await ByteClient.open(port);
  silent.send('01 11 80');
  const host = await UsbHost.import(port, '1-1', 2);
  await until(() => server.connections === 2);
  await clock.advance(OPERATION_LIMIT_MS - 1);
  assert.is(server.connections, 2);
  await clock.advance(1);
  await silent.ended();
  assert.is(await host.control('80 00 00 00 00 00 02 00'), '00 00', 'an import has no time limit');
  assert.is(clock.pending, 0);
  host.client.close();
  await server.close();
});

test('an answer that is held back when its host dies leaves no timer', async ({ twins }) => {
  const clock = new SteppedClock();
  const server = new UsbipServer({ devices: twins.devices, port: 0, clock });
  const port = await server.open();
  const host = await UsbHost.import(port, '1-2', 3);
  twins.tic.faultOnce({ late_ms: 60_000 });
  host.submit({ direction: 'in', endpoint: 0, length: 2, setup: 'C0 A1 00 00 33 00 02 00' });
  await until(() => clock.pending === 1);
  host.client.close();
  await until(() => server.connections === 0);
  assert.is(clock.pending, 0);
  await server.close();
});

test('random bytes and damaged requests leave nothing behind', async ({ port, server, twins }) => {
  const random = seededRandom(7);
  const byte = () => Math.floor(random() * 256);
  const valid = Buffer.from(
    (
      importRequest('1-1') +
      words(1, 1, 0x10002, 0, 0, 0, 0, 0, 0, 0, 0x00090100, 0) +
      words(1, 2, 0x10002, 1, 3, 0, 64, 0, 0, 0, 0, 0) +
      words(1, 3, 0x10002, 0, 3, 0, 64, 0, 0, 0, 0, 0) +
      STATUS +
      words(2, 4, 0x10002, 0, 0, 2, 0, 0, 0, 0, 0, 0)
    ).replaceAll(' ', ''),
    'hex',
  );
  for (let run = 0; run < 150; run++) {
    const bytes = run % 3 === 0 ? Buffer.from(Array.from({ length: 1 + byte() }, byte)) : Buffer.from(valid);
    if (run % 3 !== 0)
      for (let change = 0; change <= run % 5; change++) bytes[Math.floor(random() * bytes.length)] = byte();
    const client = await ByteClient.open(port);
    client.send(bytes);
    if (run % 2 === 0) await systemClock.sleep(1);
    client.close();
    await until(() => server.connections === 0);
  }
  assert.is(twins.hub.users, 0);
  const host = await UsbHost.import(port, '1-1', 2);
  await host.configure();
  host.client.close();
});

test('closing hangs up on every host and can be done twice', async ({ port, server, twins }) => {
  const host = await UsbHost.import(port, '1-1', 2);
  await server.close();
  await host.client.ended();
  assert.is(twins.hub.users, 0);
  await server.close();
});

test('a port that is taken is reported with the address and what to do', async ({ twins }) => {
  const other = createServer();
  const port = await new Promise<number>((resolve) => {
    other.listen(0, '127.0.0.1', () => {
      const address = other.address();
      resolve(typeof address === 'object' && address ? address.port : 0);
    });
  });
  const server = new UsbipServer({ devices: twins.devices, port, clock: systemClock });
  const error = await server.open().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof CodedError && error.code === 'bench_port_in_use');
  assert.match(error.message, new RegExp(`127\\.0\\.0\\.1:${port} .*give another port`));
  await server.close();
  await new Promise((resolve) => other.close(resolve));
});

test('beyond loopback only when it is wanted in so many words', () => {
  const options = { devices: [], clock: systemClock };
  assert.is(
    codeOf(() => new UsbipServer({ ...options, host: '0.0.0.0' })),
    'start_refused',
  );
  assert.is(
    codeOf(() => new UsbipServer({ ...options, host: '192.168.7.1' })),
    'start_refused',
  );
  assert.is(
    codeOf(() => new UsbipServer({ ...options, host: '0.0.0.0', allowRemote: true })),
    'nothing thrown',
  );
  assert.is(
    codeOf(() => new UsbipServer({ ...options, host: '::1' })),
    'nothing thrown',
  );
});

test('bus ids are checked: their form, and that each is used once', ({ twins, server }) => {
  const usb = mcp2221aUsbDevice(twins.hub);
  const make = (...busIds: string[]) =>
    new UsbipServer({ devices: busIds.map((busId) => ({ busId, usb })), clock: systemClock });
  for (const busId of ['', '1', '1-', 'usb1', '1-1/..', `1-${'1.'.repeat(20)}1`])
    assert.throws(() => make(busId), /bus id ".*" is not of the form/);
  assert.throws(() => make('1-1', '1-2', '1-1'), /each can be used once/);
  assert.is(
    codeOf(() => server.unplug('1-9')),
    'device_unknown',
  );
});

test.run();
