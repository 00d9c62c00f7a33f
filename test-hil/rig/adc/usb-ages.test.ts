import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { until } from './adc-bench.ts';
import { describesAges, judgesAges } from './ages.ts';
import { closeUsb, onOwnUsb, onUsb } from './usb.ts';

const test = suite('built svc-adc-usb: samples that may be served again');

const FRESH = '/api/v1/adc/1?max_age_ms=1000';

test('SVC-018 max_age_ms is 0 to 1000, once, for a single sample', () => onUsb((call) => judgesAges(call)));

test('SVC-007 the description is valid and has max_age_ms', () =>
  onUsb((_call, _rig, { url }) => describesAges(url)));

test('SVC-018 within its age one device read serves many requests with its own time, and all inputs', () =>
  onUsb(async (call, rig) => {
    const first = await call('/api/v1/adc/1');
    const before = rig.traced;
    await rig.turn('usbhid', { g1_v: 2 });
    for (let i = 0; i < 10; i++) assert.equal((await call(FRESH)).body, first.body);
    const list = await call('/api/v1/adc?max_age_ms=1000');
    assert.equal((list.body as object[])[0], first.body);
    const asked = rig.bench.trace('usbhid').filter(({ n }) => n > before);
    assert.equal(
      asked.map(({ kind }) => kind),
      ['knobs'],
      'the device was not asked',
    );
    const { volts } = (await call('/api/v1/adc/1')).body as { volts: number };
    assert.ok(Math.abs(volts - 2) < 0.01, 'without max_age_ms a sample is taken');
    assert.is(((await call(FRESH)).body as { volts: number }).volts, volts);
  }));

test('SVC-018 an older one is taken anew, once for all who wait', () =>
  onUsb(async (call, rig) => {
    await call('/api/v1/adc/1');
    await systemClock.sleep(520);
    const isStatus = ({ kind, bytes }: { kind: string; bytes?: string }) =>
      kind === 'in' && /^10\b/.test(bytes ?? '');
    const statuses = () => rig.bench.trace('usbhid').filter(isStatus).length;
    const before = statuses();
    const sentAt = Date.now();
    await rig.turn('usbhid', { reply_delay_ms: 20 });
    const answers = await Promise.all(Array.from({ length: 8 }, () => call('/api/v1/adc/1?max_age_ms=500')));
    for (const { status, body } of answers) {
      assert.is(status, 200);
      assert.ok(Date.parse((body as { observed_at: string }).observed_at) >= sentAt);
    }
    assert.is(statuses() - before, 1, 'who came while it was taken is served by it too');
  }));

test('SVC-014 a loss that no one has asked for leaves nothing old, and after the return it is the present voltage', () =>
  onUsb(async (call, rig) => {
    assert.is((await call('/api/v1/adc/1')).status, 200);
    await rig.turn('usbhid', { unplug: true });
    await systemClock.sleep(100);
    const { status, body } = await call(FRESH);
    assert.is(status, 503, JSON.stringify(body));
    assert.not.ok('reading' in (body as object));
    await rig.turn('usbhid', { g1_v: 2, unplug: false });
    await until(async () => (await call(FRESH)).status === 200);
    assert.ok(((await call(FRESH)).body as { volts: number }).volts > 1.9);
  }));

test('SVC-014 while an input fails, nothing is kept of the others either', () =>
  onOwnUsb(async (call, rig) => {
    await rig.turn('usbhid', { unplug: true, ignore_sram_set: [2] });
    await rig.turn('usbhid', { unplug: false });
    await until(async () => (await call('/api/v1/adc')).status === 200);
    await call(FRESH);
    const before = rig.traced;
    await call(FRESH);
    assert.ok(rig.traced > before, 'the device was asked');
  }));

test.after(closeUsb);
test.run();
