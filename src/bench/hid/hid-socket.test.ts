import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { HidTwin } from '../../devices/twin.ts';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { encodeMessage } from '../../transports/bench/messages.ts';
import type { HidTransport } from '../../transports/hid/hid-transport.ts';
import { openHidTransport, type TransportError } from '../../transports/index.ts';
import { HidSocket } from './hid-socket.ts';

const test = suite('HID bench socket');

/** A device that answers every report with the same bytes, as often as it is set to. */
class Echo implements HidTwin {
  send: (report: Uint8Array) => void = () => {};
  received: Uint8Array[] = [];
  answers = 1;

  connect(send: (report: Uint8Array) => void): void {
    this.send = send;
  }

  receive(report: Uint8Array): void {
    this.received.push(report);
    for (let count = 0; count < this.answers; count++) this.send(report);
  }
}

let folder = '';
let twin: Echo;
let socket: HidSocket;
let hid: HidTransport;
let reports: Uint8Array[];
let closedWith: string[];

const outReport = (first: number) => Uint8Array.from([0, first, ...new Array<number>(63).fill(0)]);

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await systemClock.sleep(1);
}

async function plug(pollingMs: number, clock: Clock = systemClock): Promise<void> {
  socket = new HidSocket({ path: join(folder, 'usbhid.sock'), twin, clock, pollingMs });
  await socket.open();
  hid = openHidTransport(`bench:${socket.path}`);
  hid.onReport((report) => reports.push(report));
  hid.onClosed((cause) => closedWith.push(cause.code));
}

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-hid-'));
  twin = new Echo();
  reports = [];
  closedWith = [];
});

test.after.each(async () => {
  await hid.close();
  await socket.close();
  rmSync(folder, { recursive: true, force: true });
});

test('DEV-002 an OUT report is 65 bytes for the client and 64 for the device, and 64 come back', async () => {
  await plug(1);
  await hid.open();
  assert.equal(hid.endpoint, { backend: 'bench', path: socket.path, kernelDriver: null });
  await hid.write(outReport(0x10));
  await until(() => reports.length === 1);
  assert.is(twin.received[0]?.length, 64);
  assert.is(reports[0]?.length, 64);
  assert.is(reports[0]?.[0], 0x10);
  for (const wrong of [outReport(1).subarray(1), new Uint8Array(66), Uint8Array.from(outReport(0)).fill(1)]) {
    const fault = await hid.write(wrong).then(
      () => undefined,
      (error: unknown) => error,
    );
    assert.instance(fault, RangeError);
  }
});

test('a round trip takes more than one polling interval', async () => {
  await plug(1);
  await hid.open();
  const times: number[] = [];
  for (let count = 0; count < 60; count++) {
    const startedAt = systemClock.monotonic();
    const before = reports.length;
    const arrived = new Promise<void>((resolve) => {
      const end = hid.onReport(() => {
        end();
        resolve();
      });
    });
    await hid.write(outReport(count));
    await arrived;
    times.push(systemClock.monotonic() - startedAt);
    assert.is(reports.length, before + 1);
  }
  times.sort((a, b) => a - b);
  assert.ok((times[0] ?? 0) >= 1, `shortest ${times[0]} ms`);
  assert.ok((times[30] ?? 0) >= 1.2, `median ${times[30]} ms`);
});

test('every client hears every report, and a write of one is heard by the other', async () => {
  await plug(0);
  const other = openHidTransport(`bench:${socket.path}`);
  const heard: Uint8Array[] = [];
  other.onReport((report) => heard.push(report));
  await hid.open();
  await other.open();
  await until(() => socket.clients === 2);
  await hid.write(outReport(7));
  await until(() => reports.length === 1 && heard.length === 1);
  await other.close();
  await until(() => socket.clients === 1);
});

test('DEV-042 a pulled plug is reported, the socket is gone, and after the re-plug it opens again', async () => {
  await plug(1);
  await hid.open();
  await socket.close();
  await until(() => closedWith.length > 0);
  assert.equal(closedWith, ['port_gone']);
  assert.is(hid.endpoint, undefined);
  assert.is(existsSync(socket.path), false);
  const absent = await hid.open().catch((error: TransportError) => error);
  assert.is(absent?.code, 'port_absent');
  const closed = await hid.write(outReport(1)).catch((error: TransportError) => error);
  assert.is(closed?.code, 'port_closed');
  await socket.open();
  await hid.open();
  await hid.write(outReport(9));
  await until(() => reports.length === 1);
});

test('reports under way when the plug is pulled are lost, and nothing arrives after the re-plug', async () => {
  const clock = new SteppedClock();
  await plug(1, clock);
  await hid.open();
  await hid.write(outReport(3));
  while (clock.pending === 0) await systemClock.sleep(1);
  await clock.advance(1);
  assert.is(twin.received.length, 1);
  await hid.write(outReport(4));
  await systemClock.sleep(10);
  await socket.close();
  assert.is(clock.pending, 0);
  assert.is(socket.clients, 0);
  twin.send(outReport(5).subarray(1));
  await until(() => closedWith.length > 0);
  await socket.open();
  await hid.open();
  await until(() => socket.clients === 1);
  await clock.advance(20);
  await systemClock.sleep(10);
  assert.equal(reports, []);
  assert.is(twin.received.length, 1);
});

for (const [title, bytes] of [
  ['a length that is not believable', Buffer.from('ffffffff', 'hex')],
  ['no JSON', Buffer.from('000000027b7b', 'hex')],
  ['a short report', encodeMessage({ out: '10' })],
  ['no report', encodeMessage({ in: '10' })],
] as const) {
  test(`a malformed request closes the connection: ${title}`, async () => {
    await plug(1);
    await hid.open();
    const rude = connect(socket.path);
    rude.on('error', () => {});
    const hungUp = new Promise((resolve) => rude.once('close', resolve));
    rude.resume().write(bytes);
    await hungUp;
    await until(() => socket.clients === 1);
    assert.equal(twin.received, []);
    assert.equal(closedWith, []);
  });
}

test('a client that floods is slowed down to one report a frame, and none is lost', async () => {
  twin.answers = 0;
  await plug(1);
  await hid.open();
  const startedAt = systemClock.monotonic();
  await Promise.all(Array.from({ length: 60 }, (_, count) => hid.write(outReport(count))));
  await until(() => twin.received.length === 60);
  assert.ok(systemClock.monotonic() - startedAt >= 58);
  assert.equal(
    twin.received.map((report) => report[0]),
    Array.from({ length: 60 }, (_, count) => count),
  );
});

test('closing while it is being opened leaves nothing open', async () => {
  await plug(1);
  const opening = hid.open();
  await hid.close();
  await opening;
  await until(() => socket.clients === 0);
  assert.is(hid.endpoint, undefined);
  assert.equal(closedWith, []);
});

test.run();
