import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { REPORT_BYTES } from '../../transports/hid/hid-transport.ts';
import { TransportError } from '../../transports/transport-error.ts';
import type { DeviceError } from '../device-error.ts';
import { failure } from '../failure.ts';
import { mcp2221aInMemory, opened } from './in-memory.ts';

const test = suite('mcp2221a driver: gone, silent, back');

test('DEV-042 unplugged: absent at once; plugged in again: found within 5 s and set up, without a restart', async () => {
  for (const awayMs of [10, 300, 1000, 4999, 5000, 20_000, 61_234]) {
    const { adc, step, twin, pipe, clock } = await opened();
    const reading = failure(adc.read(1));
    await clock.advance(1);
    pipe.unplug();
    twin.powerUp();
    assert.is((await step(reading)).code, 'device_unavailable');
    await clock.advance(awayMs);
    assert.is(adc.state, 'absent');
    const error = await failure(adc.read(1));
    assert.equal([error.code, error.device], ['device_unavailable', 'usb-adc-usbhid']);
    pipe.plug();
    await clock.advance(5050);
    assert.is(adc.state, 'open', `after ${awayMs} ms`);
    assert.is((await step(adc.read(1))).raw10bit, 197);
    await adc.close();
    assert.is(clock.pending, 0);
  }
});

test('DEV-042 keepOpen finds a chip that is plugged in only later', async () => {
  const { adc, step, pipe, clock } = mcp2221aInMemory();
  pipe.unplug();
  adc.keepOpen();
  await clock.advance(17_000);
  assert.is(adc.state, 'absent');
  assert.is((await failure(adc.read(1))).reason, 'port_absent');
  pipe.plug();
  await clock.advance(5050);
  assert.is(adc.state, 'open');
  await step(adc.close());
  assert.is(clock.pending, 0);
});

test('DEV-043 a silent chip is tried again with waits of 0.2 s doubling to 4.5 s, and found when it answers', async () => {
  const { adc, step, twin, pipe, clock } = await opened();
  twin.faultEach(() => ({ silent: true }));
  await step(failure(adc.read(1)));
  const opens: number[] = [];
  let seen = pipe.opens;
  for (const startedAt = clock.monotonic(); clock.monotonic() - startedAt < 40_000; ) {
    await clock.advance(50);
    if (pipe.opens > seen) opens.push(clock.monotonic());
    seen = pipe.opens;
  }
  const gaps = opens.slice(1).map((at, index) => at - (opens[index] ?? 0));
  // Each attempt takes up to half a second itself, then the wait.
  const waits = [400, 800, 1600, 3200, 4500, 4500, 4500];
  for (const [index, gap] of gaps.entries())
    assert.ok(gap >= (waits[index] ?? 4500) && gap <= (waits[index] ?? 4500) + 600, gaps.join());
  twin.faultEach(undefined);
  await clock.advance(6000);
  assert.is((await step(adc.read(1))).raw10bit, 197);
  await adc.close();
  assert.is(clock.pending, 0);
});

/** How long after its first answer the chip is open again, milliseconds of the stepped clock. */
async function recoveryMs({ adc, clock, events }: Awaited<ReturnType<typeof opened>>): Promise<number> {
  const isAnswer = ({ kind }: { kind: string }) => kind === 'out';
  while (!events.some(isAnswer)) await clock.advance(5);
  const heardAt = clock.monotonic();
  while (adc.state !== 'open') await clock.advance(5);
  return clock.monotonic() - heardAt;
}

test('DEV-051 after 1 to 30 lost replies in a row a chip is open again within 2 s of its first answer', async () => {
  for (let lost = 1; lost <= 30; lost++) {
    const rig = await opened();
    rig.twin.faultOnce(...new Array(lost).fill({ silent: true }));
    assert.is((await rig.step(failure(rig.adc.read(1)))).code, 'device_timeout');
    const tookMs = await recoveryMs(rig);
    assert.ok(tookMs <= 2000, `${tookMs} ms after ${lost} lost replies`);
    assert.is((await rig.step(rig.adc.read(1))).raw10bit, 197);
    await rig.adc.close();
    assert.is(rig.clock.pending, 0);
  }
});

test('DEV-051 however long a chip was silent, it is open within 2 s of the moment from which it answers', async () => {
  for (let silentMs = 1000; silentMs < 40_000; silentMs += 733) {
    const { adc, step, twin, clock } = await opened();
    twin.faultEach(() => ({ silent: true }));
    await step(failure(adc.read(1)));
    await clock.advance(silentMs);
    assert.is((await failure(adc.read(1))).code, 'device_unavailable');
    twin.faultEach(undefined);
    await clock.advance(2000);
    assert.is(adc.state, 'open', `after ${silentMs} ms of silence`);
    assert.is((await step(adc.read(1))).raw10bit, 197);
    await adc.close();
    assert.is(clock.pending, 0);
  }
});

test('DEV-051 a chip that answers and falls silent again and again is open within 2 s of the end of that', async () => {
  // true: answered. With four harmless commands, five losses with a sign of life between them would leave no sync request.
  for (const pattern of [
    '010101010101',
    '0010010010010',
    '0001000100010001',
    '0110110110110',
    '01010001000',
  ]) {
    const rig = await opened();
    rig.twin.faultOnce(...[...pattern].map((sign) => (sign === '1' ? {} : { silent: true })));
    await rig.step(failure(rig.adc.read(1)));
    const asked = () => rig.events.filter(({ kind }) => kind === 'in').length;
    while (asked() < pattern.length) await rig.clock.advance(5);
    await rig.clock.advance(2000);
    assert.is(rig.adc.state, 'open', pattern);
    assert.is((await rig.step(rig.adc.read(1))).raw10bit, 197);
    await rig.adc.close();
    assert.is(rig.clock.pending, 0);
  }
});

test('DEV-051 a silent chip that is unplugged is absent, and found when it is plugged in again', async () => {
  const { adc, step, twin, pipe, clock } = await opened();
  twin.faultEach(() => ({ silent: true }));
  await step(failure(adc.read(1)));
  await clock.advance(3000);
  assert.ok(pipe.endpoint, 'it is listened to');
  pipe.unplug();
  await clock.advance(10_000);
  assert.is((await failure(adc.read(1))).reason, 'port_absent');
  twin.faultEach(undefined);
  twin.powerUp();
  pipe.plug();
  await clock.advance(5050);
  assert.is((await step(adc.read(1))).raw10bit, 197);
  await adc.close();
  assert.is(clock.pending, 0);
});

test('DEV-051 closed while a silent chip is listened to: no handle, timer or request is left', async () => {
  for (let afterMs = 0; afterMs < 1500; afterMs += 37) {
    const { adc, step, twin, pipe, clock, events } = await opened();
    twin.faultEach(() => ({ silent: true }));
    await step(failure(adc.read(1)));
    await clock.advance(500 + afterMs);
    await step(adc.close());
    assert.equal([pipe.endpoint, clock.pending], [undefined, 0], `closed after ${afterMs} ms`);
    const { length } = events;
    await clock.advance(10_000);
    assert.is(events.length, length);
  }
});

test('DEV-043 closing in the middle of everything leaves nothing behind, and it opens again', async () => {
  for (let afterMs = 0; afterMs < 40; afterMs += 1) {
    const { adc, step, twin, clock } = mcp2221aInMemory({
      volts: (input) => [0.635, 0.755, 0.885][input - 1] ?? 0,
    });
    adc.keepOpen();
    const readings = [adc.read(1), adc.readMany(10), adc.scanI2c()].map((reading) =>
      reading.catch((error: DeviceError) => error.code),
    );
    await clock.advance(afterMs);
    await adc.close();
    const ends = await step(Promise.all(readings));
    assert.ok(ends.some((end) => end === 'device_unavailable'));
    twin.powerUp();
    assert.is(clock.pending, 0, `closed after ${afterMs} ms`);
    await step(adc.open());
    assert.is((await step(adc.read(1))).raw10bit, 197);
  }
});

test('DEV-042 a chip that goes in the moment of its answer ends the work at hand', async () => {
  const { adc, step, pipe, twin } = await opened();
  const end = pipe.onReport(() => pipe.unplug());
  const error = await step(failure(adc.read(1)));
  assert.equal([error.code, error.reason], ['device_unavailable', 'port_gone']);
  assert.is(adc.state, 'absent');
  end();
  twin.powerUp();
  pipe.plug();
  await adc.close();
});

test('DEV-042 a write that fails closes the handle, also when nobody says that the chip went away', async () => {
  const { adc, step, pipe, clock } = await opened();
  const { write } = pipe;
  pipe.write = async () => {
    throw new TransportError('port_gone', pipe.address, 'EIO');
  };
  const error = await step(failure(adc.read(1)));
  assert.equal([error.code, error.reason], ['device_unavailable', 'write_failed']);
  assert.equal([adc.state, adc.lastFault?.reason], ['absent', 'port_gone']);
  assert.is(pipe.endpoint, undefined);
  pipe.write = write;
  await clock.advance(300);
  assert.is((await step(adc.read(1))).raw10bit, 197);
});

test('DEV-043 closed while the handle is being opened: it is closed, and the next opening stays open', async () => {
  for (let afterMs = 0; afterMs < 60; afterMs += 1) {
    const { adc, step, pipe, clock, twin } = mcp2221aInMemory();
    const open = pipe.open.bind(pipe);
    // The first opening is slow, so that it would end in the middle of the second.
    let openingMs = 20;
    pipe.open = () => clock.sleep(openingMs).then(open);
    adc.keepOpen();
    await clock.advance(afterMs);
    openingMs = 1;
    const reopened = adc.close().then(() => adc.open());
    await step(reopened);
    await clock.advance(1000);
    assert.is(adc.state, 'open', `closed after ${afterMs} ms`);
    assert.ok(pipe.endpoint);
    await step(adc.close());
    twin.powerUp();
    assert.equal([pipe.endpoint, clock.pending], [undefined, 0]);
  }
});

test('a spoilt answer in the open sequence does not keep it from opening', async () => {
  for (const fault of [
    { truncate: 8 },
    { corrupt: 'result' },
    { corrupt: 'word' },
    { doubled: true },
  ] as const) {
    for (let index = 0; index < 5; index++) {
      const { adc, step, twin, pipe } = mcp2221aInMemory();
      twin.faultOnce(...new Array(index).fill({}), fault);
      await step(adc.open());
      assert.equal([adc.state, pipe.opens], ['open', 1]);
    }
  }
});

test('a reset of the chip by somebody is a loss, and is set up anew', async () => {
  const { adc, step, twin, pipe, clock, events } = await opened();
  const reset = new Uint8Array(REPORT_BYTES);
  reset.set([0x70, 0xab, 0xcd, 0xef]);
  twin.receive(reset);
  const away = events.find((event) => event.kind === 'reenumerate');
  assert.ok(away);
  pipe.unplug();
  await clock.advance(away.awayMs);
  pipe.plug();
  await clock.advance(5050);
  assert.is((await step(adc.read(1))).raw10bit, 197);
});

test.run();
