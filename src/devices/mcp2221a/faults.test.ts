import * as assert from 'uvu/assert';
import { suite } from '../../lib/testing/suite.ts';
import { hexOf } from '../../transports/hex.ts';
import { REPORT_BYTES } from '../../transports/hid/hid-transport.ts';
import type { DeviceError } from '../device-error.ts';
import type { Mcp2221aOptions } from './driver.ts';
import type { HidFault } from './fault.ts';
import { mcp2221aInMemory } from './in-memory.ts';

const test = suite('mcp2221a driver against twin');

const failure = (promise: Promise<unknown>): Promise<DeviceError> =>
  promise.then(
    () => {
      throw new Error('it resolved');
    },
    (error: DeviceError) => error,
  );

const VOLTS = { 1: 0.635, 2: 0.755, 3: 0.885 };

/** Opened, with 0.635, 0.755 and 0.885 V on the pins. */
async function opened(driver: Mcp2221aOptions = {}) {
  const rig = mcp2221aInMemory({ volts: (input) => VOLTS[input], driver });
  await rig.step(rig.adc.open());
  rig.events.length = 0;
  const sent = () => rig.events.flatMap((event) => (event.kind === 'in' ? [event.bytes[0]] : []));
  const settings = (bytes: number[]) => {
    const report = new Uint8Array(REPORT_BYTES);
    report.set(bytes);
    rig.twin.receive(report);
    return rig.clock.advance(10);
  };
  return { ...rig, sent, settings };
}

test('DEV-045 the driver configures a chip as it comes and reads the voltages at its pins', async () => {
  const { adc, step, clock } = await opened();
  const outcomes = await step(adc.readAll());
  assert.equal(
    outcomes.map((outcome) => (outcome.ok ? outcome.sample.raw10bit : outcome.error.code)),
    [197, 234, 274],
  );
  const startedAt = clock.monotonic();
  const sample = await step(adc.read(2));
  assert.is(sample.volts, (234 * 3.3) / 1024);
  assert.ok(clock.monotonic() - startedAt <= 10);
  await adc.close();
  assert.is(clock.pending, 0);
});

for (const [source, raw] of [
  ['vdd', 197],
  ['1.024', 635],
  ['2.048', 317],
  ['4.096', 158],
] as const) {
  test(`DEV-009 with the reference ${source} the converters really use it`, async () => {
    const { adc, step } = await opened({ referenceSource: source });
    const sample = await step(adc.read(1));
    assert.is(sample.raw10bit, raw);
    assert.ok(Math.abs(sample.volts - 0.635) < sample.referenceVolts / 1024);
  });
}

const FAULTS: [what: string, fault: HidFault, code: string][] = [
  ['silent', { silent: true }, 'device_timeout'],
  ['late beyond the limit', { late_ms: 700 }, 'device_timeout'],
  ['another echo', { corrupt: 'echo' }, 'device_timeout'],
];
for (const [what, fault, code] of FAULTS) {
  test(`DEV-043 ${what}: the reading fails, the chip is opened anew, nothing is left pending`, async () => {
    const { adc, step, twin, clock, pipe, sent } = await opened();
    twin.faultOnce(fault);
    const error = await step(failure(adc.read(1)));
    assert.equal([error.code, error.device, error.endpoint], [code, 'usb-adc-usbhid', 'memory']);
    assert.is(adc.state, 'opening');
    assert.is(pipe.opens, 1);
    const sample = await step(adc.read(1));
    assert.is(sample.raw10bit, 197);
    assert.is(pipe.opens, 2);
    assert.ok(sent().includes(0x60), 'the open sequence was repeated');
    await adc.close();
    twin.powerUp();
    assert.is(clock.pending, 0);
  });
}

const SURVIVED: [what: string, fault: HidFault][] = [
  ['late within the limit', { late_ms: 400 }],
  ['doubled', { doubled: true }],
  ['truncated', { truncate: 20 }],
  ['empty', { truncate: 0 }],
  ['another result', { corrupt: 'result' }],
  ['a word above ten bits', { corrupt: 'word' }],
  ['another program asks as well', { foreign: true }],
];
for (const [what, fault] of SURVIVED) {
  for (const [at, faults] of [
    ['settings', [fault]],
    ['status', [{}, fault]],
    ['both', [fault, fault]],
  ] as const) {
    test(`DEV-002 ${what} in the answer to ${at}: the reading is the true one`, async () => {
      const { adc, step, twin } = await opened();
      twin.faultOnce(...faults);
      assert.is((await step(adc.read(1))).raw10bit, 197);
      twin.knobs.patch({ g1_v: 1.65 });
      assert.is((await step(adc.read(1))).raw10bit, 512);
      assert.is(adc.statistics.opens, 1);
    });
  }
}

test('DEV-043 an answer from before a time-out is not taken for a later one, however late it comes', async () => {
  // From just behind the time-out to the middle of the next open sequence and the readings behind it.
  for (let lateMs = 500; lateMs <= 740; lateMs += 1) {
    const { adc, step, twin } = await opened();
    twin.faultOnce({}, { late_ms: lateMs });
    await step(failure(adc.read(1)));
    twin.knobs.patch({ g1_v: 1.65 });
    assert.is((await step(adc.read(1))).raw10bit, 512, `${lateMs} ms`);
  }
});

test('DEV-019 two callers never interleave: each reading is a 61 and a 10', async () => {
  const { adc, step, sent } = await opened();
  await step(Promise.all([adc.read(1), adc.readAll(), adc.read(3), adc.readMany(3), adc.verify()]));
  assert.equal(
    sent(),
    [
      // The last command of the opening was a status, so the first 61 needs no fence.
      0x61, 0x10, 0x61, 0x10, 0x61, 0x10, 0x61, 0x10, 0x10, 0x10, 0x61,
    ],
  );
});

test('DEV-019 never is a second command sent while one is unanswered', async () => {
  const { adc, step, twin, events } = await opened();
  twin.knobs.patch({ i2c_map: [0x48], reply_delay_ms: 3 });
  await step(Promise.all([adc.readMany(5), adc.scanI2c(), adc.identify(), adc.verify()]));
  let outstanding = 0;
  for (const event of events) {
    if (event.kind === 'in') outstanding += 1;
    if (event.kind === 'out') outstanding -= 1;
    assert.ok(outstanding === 0 || outstanding === 1);
  }
});

test('DEV-004 nothing that the driver does sends 70, B1 or B2', async () => {
  const { adc, step, twin, sent, pipe, clock } = await opened({ referenceSource: '2.048' });
  twin.knobs.patch({ i2c_map: [0x48, 0x50] });
  await step(Promise.all([adc.readAll(), adc.readMany(3), adc.identify(), adc.verify(), adc.scanI2c()]));
  twin.faultOnce({ silent: true });
  await step(failure(adc.read(1)));
  await step(adc.read(1));
  pipe.unplug();
  twin.powerUp();
  pipe.plug();
  await clock.advance(6000);
  await step(adc.read(1));
  const known = [0x10, 0x40, 0x51, 0x60, 0x61, 0x91, 0xb0];
  assert.equal(
    sent().filter((command) => !known.includes(command ?? 0)),
    [],
  );
});

test('DEV-008 a chip that takes no settings gives no reading and says so', async () => {
  const { adc, twin, step, clock } = mcp2221aInMemory();
  twin.knobs.patch({ ignore_sram_set: true });
  const error = await step(failure(adc.open()));
  assert.is(error.code, 'adc_config_not_applied');
  assert.is(adc.state, 'closed');
  assert.is((await step(failure(adc.read(1)))).code, 'adc_config_not_applied');
  assert.is(clock.pending, 0);
  twin.knobs.reset();
  adc.keepOpen();
  assert.is((await step(adc.read(1))).raw10bit, 0);
});

test('DEV-008 one pin that does not follow fails alone', async () => {
  const { adc, twin, step } = mcp2221aInMemory({ volts: (input) => VOLTS[input] });
  twin.knobs.patch({ ignore_sram_set: [2] });
  await step(adc.open());
  const outcomes = await step(adc.readAll());
  assert.equal(
    outcomes.map((outcome) => (outcome.ok ? outcome.sample.raw10bit : outcome.error.code)),
    [197, 'adc_config_not_applied', 274],
  );
  assert.match((await step(failure(adc.read(2)))).message, /GP2 has function 1 where 2 was set/);
  const health = await step(adc.verify());
  assert.is(health.verified, false);
  assert.match(health.faults.join(), /GP2/);
  // It follows again: found out without a restart.
  twin.knobs.reset();
  assert.is((await step(adc.read(2))).raw10bit, 234);
  assert.is((await step(adc.verify())).verified, true);
});

test('DEV-008 settings that another program changed fail one reading and are put right before the next', async () => {
  const { adc, step, settings } = await opened();
  for (const bytes of [
    [0x60, 0, 0, 0, 0, 0x83],
    [0x60, 0, 0, 0, 0, 0, 0, 0x80, 2, 0, 0, 0],
  ]) {
    await settings(bytes);
    assert.is((await step(failure(adc.readAll()))).code, 'adc_config_not_applied');
    assert.is((await step(adc.read(1))).raw10bit, 197);
  }
});

test('DEV-008 with a Vrm reference a later write of pin functions by somebody is found out', async () => {
  const { adc, step, settings } = await opened({ referenceSource: '2.048' });
  await settings([0x60, 0, 0, 0, 0, 0, 0, 0x80, 2, 2, 2, 2]);
  const error = await step(failure(adc.read(1)));
  assert.match(error.message, /the ADC reference reads 01 where 05/);
  assert.is((await step(adc.read(1))).raw10bit, 317);
});

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

test('DEV-043 a silent chip is tried again with waits of 0.2 s doubling to 5 s, and found when it answers', async () => {
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
  const waits = [400, 800, 1600, 3200, 5000, 5000, 5000];
  for (const [index, gap] of gaps.entries())
    assert.ok(gap >= (waits[index] ?? 5000) && gap <= (waits[index] ?? 5000) + 600, gaps.join());
  twin.faultEach(undefined);
  await clock.advance(6000);
  assert.is((await step(adc.read(1))).raw10bit, 197);
  await adc.close();
  assert.is(clock.pending, 0);
});

test('DEV-043 closing in the middle of everything leaves nothing behind, and it opens again', async () => {
  for (let afterMs = 0; afterMs < 40; afterMs += 1) {
    const { adc, step, twin, clock } = mcp2221aInMemory({ volts: (input) => VOLTS[input] });
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

test('DEV-044 a safe-state call goes ahead of waiting work and ends the running scan', async () => {
  const { adc, step, clock } = await opened();
  const order: string[] = [];
  const note = (name: string) => (end: unknown) =>
    order.push(`${name} ${(end as DeviceError).code ?? 'done'}`);
  const scan = adc.scanI2c().then(note('scan'), note('scan'));
  const waiting = adc.read(1).then(note('normal'), note('normal'));
  await clock.advance(101);
  const safe = adc.read(2, { priority: 'safe' }).then(note('safe'), note('safe'));
  await step(Promise.all([scan, waiting, safe]));
  assert.equal(order, ['scan superseded', 'safe done', 'normal done']);
});

test('a waiting caller has a deadline and can be cancelled; the seventeenth is refused', async () => {
  const { adc, step, clock } = await opened();
  const scan = adc.scanI2c();
  assert.is((await step(failure(adc.read(1, { deadlineMs: 50 })))).code, 'device_busy');
  const controller = new AbortController();
  const cancelled = failure(adc.read(1, { signal: controller.signal }));
  await clock.advance(1);
  controller.abort();
  assert.is((await step(cancelled)).code, 'aborted');
  const waiting = Array.from({ length: 16 }, () => adc.read(1));
  assert.equal(await failure(adc.read(1)).then(({ code, reason }) => [code, reason]), [
    'device_busy',
    'queue_full',
  ]);
  await step(Promise.all([scan, ...waiting]));
});

test('an answer to a cancelled check is not taken for the next check', async () => {
  for (const [fences, isConfirmed] of [
    [true, false],
    [false, true],
  ] as const) {
    const { adc, step, twin, clock, settings } = await opened({ rules: { fences } });
    twin.faultOnce({ late_ms: 100 });
    const controller = new AbortController();
    const cancelled = failure(adc.verify({ signal: controller.signal }));
    await clock.advance(5);
    controller.abort();
    await step(cancelled);
    // Another program changes the settings; its answer waits behind the late one.
    await settings([0x60, 0, 0, 0, 0, 0, 0, 0x80, 2, 0, 0, 0]);
    const confirmed = await step(adc.verify().then((health) => health.verified)).catch(() => false);
    assert.is(confirmed, isConfirmed, fences ? 'with fences' : 'the same without fences is found out');
  }
});

test('a doubled answer to one flash page is not taken for the next page', async () => {
  const product = async (fences: boolean) => {
    const { adc, step, twin } = await opened({ rules: { fences } });
    twin.faultOnce({ doubled: true });
    return (await step(adc.identify())).product;
  };
  assert.is(await product(true), 'MCP2221 USB-I2C/UART Combo');
  assert.is(await product(false), 'Microchip Technology Inc.', 'the same without fences is found out');
});

test('a program that keeps talking to the chip is found out, and named', async () => {
  const { adc, step, twin } = await opened();
  twin.faultEach(() => ({ foreign: true }));
  const error = await step(failure(adc.read(1)));
  assert.equal([error.code, error.reason], ['corrupt_response', 'foreign']);
  assert.match(error.message, /stop the other program/);
  twin.faultEach(undefined);
  assert.is((await step(adc.read(1))).raw10bit, 197);
});

test('reports that nobody asked for are thrown away and counted', async () => {
  const { adc, step, pipe, clock } = await opened();
  for (const bytes of [[0x10], [0x61], [0xff]]) {
    const report = new Uint8Array(REPORT_BYTES);
    report.set(bytes);
    pipe.send(report);
  }
  pipe.send(new Uint8Array(3));
  await clock.advance(10);
  assert.is(adc.statistics.unsolicited, 4);
  assert.is((await step(adc.read(1))).raw10bit, 197);
});

test('DEV-011 the scan finds the devices that are there, and readings go on afterwards', async () => {
  const { adc, step, twin, clock } = await opened();
  twin.knobs.patch({ i2c_map: [0x08, 0x48, 0x50, 0x77] });
  const startedAt = clock.monotonic();
  const result = await step(adc.scanI2c());
  assert.equal(result.addresses, [0x08, 0x48, 0x50, 0x77]);
  assert.is(result.speedHz, 100_000);
  assert.ok(clock.monotonic() - startedAt < 5000);
  assert.is(twin.isWedged, false);
  assert.is((await step(adc.read(1))).raw10bit, 197);
  twin.knobs.patch({ nack: true });
  assert.equal((await step(adc.scanI2c())).addresses, []);
});

test('DEV-011 a bus held low is i2c_bus_stuck, the engine is never wedged, and it recovers', async () => {
  for (const knob of ['sda_stuck', 'scl_stuck']) {
    const { adc, step, twin, events } = await opened();
    twin.knobs.patch({ [knob]: true, i2c_map: [0x48] });
    assert.is((await step(failure(adc.scanI2c()))).code, 'i2c_bus_stuck');
    assert.not.ok(events.some((event) => event.kind === 'in' && hexOf(event.bytes).startsWith('10 00 10')));
    twin.knobs.patch({ [knob]: false });
    assert.equal((await step(adc.scanI2c())).addresses, [0x48]);
    assert.is(twin.isWedged, false);
  }
});

test('DEV-011 a bus that gets stuck in the middle of a scan ends it, and the next scan works', async () => {
  const { adc, step, twin, clock } = await opened();
  twin.knobs.patch({ i2c_map: [0x70] });
  const scan = failure(adc.scanI2c());
  await clock.advance(300);
  twin.knobs.patch({ sda_stuck: true });
  assert.is((await step(scan)).code, 'i2c_bus_stuck');
  twin.knobs.patch({ sda_stuck: false });
  assert.equal((await step(adc.scanI2c())).addresses, [0x70]);
  assert.is(twin.isWedged, false);
});

test('DEV-011 a scan that takes longer than 5 s is given up', async () => {
  const { adc, step, twin, clock } = await opened();
  twin.knobs.patch({ reply_delay_ms: 50 });
  const startedAt = clock.monotonic();
  const error = await step(failure(adc.scanI2c()));
  assert.equal([error.code, error.reason], ['device_timeout', 'deadline']);
  assert.ok(clock.monotonic() - startedAt <= 5010);
  twin.knobs.patch({ reply_delay_ms: 0, i2c_map: [0x48] });
  assert.equal((await step(adc.scanI2c())).addresses, [0x48]);
});

test('DEV-011 a scan that is cut off anywhere leaves an engine that the next scan can use', async () => {
  for (let afterMs = 1; afterMs < 60; afterMs += 1) {
    const { adc, step, twin, clock } = await opened();
    twin.knobs.patch({ i2c_map: [0x09, 0x48] });
    const controller = new AbortController();
    const cut = failure(adc.scanI2c({ signal: controller.signal }));
    await clock.advance(afterMs);
    controller.abort();
    await step(cut);
    assert.equal((await step(adc.scanI2c())).addresses, [0x09, 0x48], `cut after ${afterMs} ms`);
    assert.is(twin.isWedged, false);
  }
});

test('the identity is what the flash says', async () => {
  const { adc, step } = await opened();
  const { manufacturer, product, factorySerial, hardwareRevision, firmwareRevision } = await step(
    adc.identify(),
  );
  assert.equal(
    [manufacturer, product, factorySerial, hardwareRevision, firmwareRevision],
    ['Microchip Technology Inc.', 'MCP2221 USB-I2C/UART Combo', '01234567', 'A6', '12'],
  );
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
