import { existsSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { temporaryFolder } from '../../test-kit/end-with-parent.ts';
import { suite } from '../../test-kit/suite.ts';
import { ByteClient } from '../../test-kit/usbip/byte-client.ts';
import { STATUS_ANSWER, type UsbTwins, usbTwins } from '../../test-kit/usbip/twins.ts';
import { CAPABILITIES, hello, UsbredirHost } from '../../test-kit/usbip/usbredir-host.ts';
import { bytesOf } from '../../transports/hex.ts';
import { HELLO_LIMIT_MS, MAX_WAITING_TRANSFERS } from './connection.ts';
import { UsbredirSocket } from './usbredir-socket.ts';

interface Context {
  twins: UsbTwins;
  adc: UsbredirSocket;
  tic: UsbredirSocket;
}

const test = suite<Context>('usb-redir server');

/** Types of messages, by their numbers in usbredirproto.h. */
const RESET = 3;
const SET_CONFIGURATION = 6;
const GET_CONFIGURATION = 7;
const SET_ALT_SETTING = 9;
const START_INTERRUPT = 15;
const STOP_INTERRUPT = 16;
const CANCEL = 21;
const BULK = 101;
const INTERRUPT = 103;
/** An OUT report to endpoint 3: its status is requested. */
const STATUS_REPORT = `03 00 40 00 10${' 00'.repeat(63)}`;

test.before.each(async (context) => {
  const folder = temporaryFolder('usbredir-');
  context.twins = usbTwins();
  const [adc, tic] = context.twins.devices.map(
    ({ usb }, index) =>
      new UsbredirSocket({ path: join(folder, `${index}.sock`), device: usb, clock: systemClock }),
  );
  if (!adc || !tic) throw new Error('two twins are missing');
  context.adc = adc;
  context.tic = tic;
  await adc.open();
  await tic.open();
});

test.after.each(async ({ adc, tic }) => {
  await adc.close();
  await tic.close();
});

async function configured(socket: UsbredirSocket): Promise<UsbredirHost> {
  const { host } = await UsbredirHost.connect(socket.path);
  host.send(SET_CONFIGURATION, 1, '01');
  await host.read();
  await host.read();
  assert.equal(await host.read(), { type: 8, id: 1, body: '00 01' });
  return host;
}

test('hello has a 32-bit number and the capabilities that xHCI of QEMU demands', async ({ tic }) => {
  const client = await ByteClient.open(tic.path);
  assert.is(await client.read(12), '00 00 00 00 44 00 00 00 00 00 00 00');
  assert.match(Buffer.from(bytesOf(await client.read(64))).toString(), /^svc-bench /);
  assert.is(await client.read(4), '72 00 00 00');
  client.close();
});

test('interfaces, endpoints and identity are told before anything is asked', async ({ adc }) => {
  const { host, description } = await UsbredirHost.connect(adc.path);
  const [interfaces, endpoints, identity] = description;
  assert.equal(
    description.map(({ type }) => type),
    [4, 5, 1],
  );
  assert.match(String(interfaces?.body), /^03 00 00 00 00 01 02 00/);
  // Types of endpoints 0 to 3 out and 0x80 to 0x83: control, none, bulk, interrupt; control, interrupt, bulk, interrupt.
  const types = endpoints?.body.split(' ').slice(0, 32) ?? [];
  assert.is(types.slice(0, 5).join(' '), '00 FF 02 03 FF');
  assert.is(types.slice(16, 21).join(' '), '00 03 02 03 FF');
  assert.is(identity?.body, '01 EF 02 01 D8 04 DD 00 00 01');
  host.client.close();
});

test('descriptors and vendor requests go over control transfers', async ({ tic }) => {
  const { host } = await UsbredirHost.connect(tic.path);
  const device = await host.control(7, '80 06 00 01 00 00 12 00');
  assert.equal([device.type, device.id], [100, 7]);
  assert.match(device.body, /^80 06 80 00 00 01 00 00 12 00 12 01 00 02 FF 00 00 08 FB 1F C9 00/);
  const vin = await host.control(8, 'C0 A1 00 00 33 00 02 00');
  assert.match(vin.body, /^80 A1 C0 00 00 00 33 00 02 00 C0 5D$/);
  const unknown = await host.control(9, 'C0 77 00 00 00 00 02 00');
  assert.is(unknown.body, '80 77 C0 04 00 00 00 00 00 00', 'a STALL without data');
  host.client.close();
});

test('a configuration is set and asked for; an unknown one and another alternate setting are refused', async ({
  tic,
}) => {
  const host = await configured(tic);
  assert.is((await host.ask(GET_CONFIGURATION, 2)).body, '00 01');
  assert.equal(await host.ask(SET_ALT_SETTING, 3, '00 00'), { type: 11, id: 3, body: '00 00 00' });
  assert.is((await host.ask(SET_ALT_SETTING, 4, '00 01')).body, '04 00 00');
  host.send(SET_CONFIGURATION, 5, '09');
  await host.read();
  await host.read();
  assert.is((await host.read()).body, '04 01');
  host.send(RESET, 6);
  assert.is((await host.ask(GET_CONFIGURATION, 7)).body, '00 00');
  host.client.close();
});

test('reports come as they are made once the host has begun to receive, and no more when it has ended', async ({
  adc,
}) => {
  const host = await configured(adc);
  assert.equal(await host.ask(START_INTERRUPT, 2, '83'), { type: 17, id: 2, body: '00 83' });
  for (const id of [3, 4]) {
    const answers = [await host.ask(INTERRUPT, id, STATUS_REPORT), await host.read()];
    const report = answers.find(({ id: of }) => of === 0);
    const done = answers.find(({ id: of }) => of === id);
    assert.is(done?.body, '03 00 40 00');
    assert.match(String(report?.body.slice(0, 11)), '83 00 40 00');
    assert.match(String(report?.body.slice(12)), STATUS_ANSWER);
  }
  assert.equal(await host.ask(STOP_INTERRUPT, 5, '83'), { type: 17, id: 5, body: '00 83' });
  assert.equal(await host.ask(INTERRUPT, 6, STATUS_REPORT), { type: INTERRUPT, id: 6, body: '03 00 40 00' });
  assert.is((await host.ask(GET_CONFIGURATION, 7)).id, 7, 'no report was sent');
  host.client.close();
});

test('an interrupt endpoint that the device does not have is refused', async ({ tic }) => {
  const host = await configured(tic);
  assert.is((await host.ask(START_INTERRUPT, 2, '81')).body, '02 81');
  assert.is((await host.ask(BULK, 3, '82 00 40 00 00 00 00 00 00 00')).body.slice(0, 5), '82 04');
  host.client.close();
});

test('a transfer that waits is cancelled, and one that has ended is answered once', async ({ adc }) => {
  const host = await configured(adc);
  host.send(BULK, 2, '82 00 40 00 00 00 00 00 00 00');
  assert.equal(await host.ask(CANCEL, 2), { type: BULK, id: 2, body: '82 01 00 00 00 00 00 00 00 00' });
  host.send(CANCEL, 2);
  host.send(CANCEL, 99);
  assert.is((await host.ask(GET_CONFIGURATION, 3)).id, 3);
  host.client.close();
});

test('a host that disconnects in the middle of a transfer leaves the device free for the next one', async ({
  adc,
}) => {
  const host = await configured(adc);
  host.send(BULK, 2, '82 00 40 00 00 00 00 00 00 00');
  host.client.send('65 00 00 00 4A 00 00 00 03');
  host.client.close();
  while (adc.clients > 0) await systemClock.sleep(2);
  const next = await configured(adc);
  assert.is((await next.ask(GET_CONFIGURATION, 2)).body, '00 01');
  next.client.close();
});

test('one host at a time: a second one is disconnected, and the first goes on', async ({ adc }) => {
  const host = await configured(adc);
  const second = await ByteClient.open(adc.path);
  await second.ended();
  assert.is((await host.ask(GET_CONFIGURATION, 2)).body, '00 01');
  assert.is(adc.clients, 1);
  host.client.close();
});

test('unplugged, the host is disconnected and the socket is gone; plugged in it is there again', async ({
  adc,
}) => {
  const host = await configured(adc);
  await adc.close();
  await host.client.ended();
  assert.not(existsSync(adc.path));
  await adc.open();
  (await configured(adc)).client.close();
});

const MALFORMED: readonly (readonly [string, string])[] = [
  ['a message before hello', '07 00 00 00 00 00 00 00 00 00 00 00'],
  ['a hello that is too short', '00 00 00 00 40 00 00 00 00 00 00 00'],
  ['a hello of 4 GB', '00 00 00 00 FF FF FF FF 00 00 00 00'],
];
for (const [what, bytes] of MALFORMED)
  test(`${what} closes the connection`, async ({ adc }) => {
    const client = await ByteClient.open(adc.path);
    client.send(bytes);
    await client.ended();
    (await configured(adc)).client.close();
  });

test('a host without the capabilities is disconnected', async ({ adc }) => {
  for (const missing of [1, 4, 5, 6]) {
    const client = await ByteClient.open(adc.path);
    client.send(hello(CAPABILITIES & ~(1 << missing)));
    await client.ended();
  }
});

const head = (type: number, length: number) =>
  Buffer.from(Uint32Array.from([type, length, 1, 0]).buffer)
    .toString('hex')
    .replace(/../g, '$& ')
    .trim();
const BROKEN: readonly (readonly [string, string])[] = [
  ['an unknown type', head(77, 0)],
  ['an isochronous packet', head(102, 4)],
  ['a second hello', head(0, 68)],
  ['a message that is shorter than its type', head(6, 0)],
  ['a message that is longer than its type', head(6, 2)],
  ['data of 1 MB', head(101, 1_048_576)],
  ['a control transfer without its head', head(100, 9)],
  ['an OUT transfer with less data than it says', `${head(103, 5)} 03 00 40 00 10`],
  ['an IN transfer with data', `${head(103, 5)} 83 00 01 00 10`],
  ['an IN transfer of 4 GB', `${head(101, 10)} 82 00 FF FF 00 00 00 00 FF FF`],
];
for (const [what, bytes] of BROKEN)
  test(`${what} closes the connection, and the device is free`, async ({ adc }) => {
    const host = await configured(adc);
    host.client.send(bytes);
    await host.client.ended();
    (await configured(adc)).client.close();
  });

test('two transfers of one number, or more than the limit, close the connection', async ({ adc }) => {
  const bulk = '82 00 40 00 00 00 00 00 00 00';
  const host = await configured(adc);
  host.send(BULK, 2, bulk);
  host.send(BULK, 2, bulk);
  await host.client.ended();
  const other = await configured(adc);
  for (let id = 2; id < MAX_WAITING_TRANSFERS + 3; id++) other.send(BULK, id, bulk);
  await other.client.ended();
});

test('messages that come byte by byte are the same messages', async ({ tic }) => {
  const client = await ByteClient.open(tic.path);
  for (const byte of hello(CAPABILITIES)) client.send(Uint8Array.of(byte));
  await client.skip(80);
  assert.is((await client.read(4)).slice(0, 5), '04 00');
  client.close();
});

test('a client that does not say hello is disconnected after a while', async ({ twins }) => {
  const clock = new SteppedClock();
  const path = join(temporaryFolder('usbredir-'), 'slow.sock');
  const [device] = twins.devices;
  if (!device) throw new Error('no twin');
  const socket = new UsbredirSocket({ path, device: device.usb, clock });
  await socket.open();
  const client = await ByteClient.open(path);
  await client.skip(80);
  await clock.advance(HELLO_LIMIT_MS);
  await client.ended();
  await socket.close();
});

test.run();
