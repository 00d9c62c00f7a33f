import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { REPORT_BYTES } from '../../transports/hid/hid-transport.ts';
import type { DeviceError } from '../device-error.ts';
import { failure } from '../failure.ts';
import type { HidFault } from './fault.ts';
import { opened } from './in-memory.ts';

const test = suite('mcp2221a driver under faults');

const FAULTS: [what: string, fault: HidFault, code: string][] = [
  ['silent', { silent: true }, 'device_timeout'],
  ['late beyond the limit', { late_ms: 350 }, 'device_timeout'],
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
  ['late within the limit', { late_ms: 200 }],
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

test('DEV-002 any two faults one after the other: the true reading or an error, never another value', async () => {
  const faults: HidFault[] = [...FAULTS, ...SURVIVED].map(([, fault]) => fault);
  for (const first of faults) {
    for (const second of faults) {
      const { adc, step, twin, clock } = await opened();
      twin.faultOnce({}, first, second);
      const ends: (number | string)[] = [];
      for (const [volts, raw] of [
        [1.65, 512],
        [3.0, 930],
        [0.5, 155],
        [2.0, 620],
      ] as const) {
        twin.knobs.patch({ g1_v: volts });
        const end = await step(adc.read(1).catch((error: DeviceError) => error));
        await clock.advance(1000);
        ends.push(end instanceof Error ? end.code : end.raw10bit - raw);
      }
      const isTrue = ends.every((end) => typeof end === 'string' || end === 0);
      // Two faults spoil two readings at most.
      assert.ok(
        isTrue && ends.filter((end) => end !== 0).length <= 2,
        `${JSON.stringify([first, second])}: ${ends}`,
      );
    }
  }
});

test('DEV-043 an answer from before a time-out is not taken for a later one, however late it comes', async () => {
  // From just behind the time-out to the middle of the next open sequence and the readings behind it.
  for (let lateMs = 250; lateMs <= 490; lateMs += 1) {
    const { adc, step, twin } = await opened();
    twin.faultOnce({}, { late_ms: lateMs });
    await step(failure(adc.read(1)));
    twin.knobs.patch({ g1_v: 1.65 });
    assert.is((await step(adc.read(1))).raw10bit, 512, `${lateMs} ms`);
  }
});

test('an answer to a cancelled check is not taken for the next check', async () => {
  for (const [syncRequests, isConfirmed] of [
    [true, false],
    [false, true],
  ] as const) {
    const { adc, step, twin, clock, request } = await opened({ rules: { syncRequests } });
    twin.faultOnce({ late_ms: 100 });
    const controller = new AbortController();
    const cancelled = failure(adc.verify({ signal: controller.signal }));
    await clock.advance(5);
    controller.abort();
    await step(cancelled);
    // Another program changes the settings; its answer waits behind the late one.
    await request([0x60, 0, 0, 0, 0, 0, 0, 0x80, 2, 0, 0, 0]);
    const confirmed = await step(adc.verify().then((health) => health.verified)).catch(() => false);
    assert.is(
      confirmed,
      isConfirmed,
      syncRequests ? 'with sync requests' : 'the same without sync requests is found out',
    );
  }
});

test('a program that keeps talking to the chip is found out, and named', async () => {
  const { adc, step, pipe, clock } = await opened();
  const gpioAnswer = new Uint8Array(REPORT_BYTES);
  gpioAnswer[0] = 0x51;
  let isTalking = true;
  const talk = () => {
    pipe.send(gpioAnswer);
    if (isTalking) clock.after(1, talk);
  };
  talk();
  const error = await step(failure(adc.read(1)));
  assert.equal([error.code, error.reason], ['corrupt_response', 'foreign']);
  assert.match(error.message, /stop the other program/);
  isTalking = false;
  await clock.advance(5);
  assert.is((await step(adc.read(1))).raw10bit, 197);
});

test('reports that were not requested are thrown away and counted', async () => {
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

test.run();
