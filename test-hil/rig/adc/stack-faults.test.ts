import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { until } from './adc-bench.ts';
import { closeStack, healthOf, itemsOf, onOwnStack, onStack, problemOf, type StackItem } from './stack.ts';

/** The limit is 2.5 s of the service's own time; a busy machine adds to it. */
const SLOW_MS = 20_000;

const test = suite('built svc-adc-stack: faults');

test('SVC-014 SVC-015 SVC-017 a silent module fails its two channels with their identity and no reading; the third is good', () =>
  onStack(async (call, rig) => {
    await rig.turn('uart', { silent: true });
    const startedAt = performance.now();
    const { status, body } = await call('/api/v1/adc');
    const tookMs = performance.now() - startedAt;
    assert.is(status, 200);
    assert.ok(tookMs < SLOW_MS, `${tookMs} ms`);
    const [first, second, third] = itemsOf(body);
    assert.is(first?.ok, true);
    for (const [item, name, input] of [
      [second, 'ai02', 'DFR1184.AIN1'],
      [third, 'ai03', 'DFR1184.AIN2'],
    ] as const) {
      assert.is(item?.ok, false);
      assert.is(item?.logical_name, name);
      assert.is(item?.adapter, 'usb-adc-uart');
      assert.is(item?.physical_input, input);
      assert.equal(item?.nominal_range_volts, [0, 10]);
      assert.not.ok('reading' in (item ?? {}), JSON.stringify(item));
      assert.is(item?.code, 'device_timeout');
      assert.match(item?.error ?? '', /DIP/i);
    }
    await rig.turn('uart', { unplugged: true });
    const single = await call('/api/v1/adc/2');
    assert.is(single.status, 503);
    const problem = problemOf(single.body);
    assert.is(problem.code, 'device_unavailable');
    assert.is(problem.logical_name, 'ai02');
    assert.is(problem.physical_input, 'DFR1184.AIN1');
    assert.not.ok('reading' in problem);
  }));

test('SVC-015 none good: 503 with all items in `channels`', () =>
  onStack(async (call, rig) => {
    await rig.turn('uart', { unplugged: true });
    await rig.turn('usbhid', { unplug: true });
    const { status, body } = await call('/api/v1/adc');
    assert.is(status, 503);
    const { channels, code, error } = problemOf(body);
    assert.is(code, 'device_unavailable');
    assert.match(error ?? '', 'no channel gave a reading');
    assert.equal(
      channels?.map(({ logical_name: name, ok }) => [name, ok]),
      [
        ['ai01', false],
        ['ai02', false],
        ['ai03', false],
      ],
    );
    assert.not.ok(JSON.stringify(body).includes('"reading"'));
    assert.not.ok(JSON.stringify(body).includes('"volts"'));
  }));

test('SVC-019 a module value over 11 V is 503 corrupt_response', () =>
  onStack(async (call, rig) => {
    await rig.turn('uart', { raw_override: 1_100_001 });
    const { status, body } = await call('/api/v1/adc/3');
    assert.is(status, 503);
    assert.is(problemOf(body).code, 'corrupt_response');
    await rig.turn('uart', { raw_override: 1_100_000 });
    const good = await call('/api/v1/adc/3');
    assert.is(good.status, 200);
    const { reading } = good.body as StackItem;
    assert.is(reading?.volts, 11);
    assert.is(reading?.over_range, true);
  }));

test('SVC-011 /health is 200 and ok is the AND of its components, whatever fails', () =>
  onOwnStack(async (call, rig) => {
    const well = healthOf((await call('/health?wait_ms=2500')).body);
    assert.is(well.ok, true);
    assert.is(well.status, 'connected');
    assert.equal(Object.keys(well.components), ['usb-adc-usbhid', 'usb-adc-uart']);
    assert.equal(well.sources, { ai01: 'usb-adc-usbhid', ai02: 'usb-adc-uart', ai03: 'usb-adc-uart' });
    assert.is(well.components['usb-adc-usbhid']?.bench, true);
    const state = async () => {
      const startedAt = performance.now();
      const { status, body } = await call('/health?wait_ms=2500');
      assert.is(status, 200);
      assert.ok(performance.now() - startedAt < SLOW_MS);
      const { ok, status: word, components } = healthOf(body);
      assert.is(
        ok,
        Object.values(components).every((component) => component.ok),
      );
      assert.is(word, ok ? 'connected' : 'degraded');
      return [components['usb-adc-usbhid']?.status, components['usb-adc-uart']?.status];
    };
    await rig.turn('uart', { silent: true });
    assert.equal(await state(), ['connected', 'timeout']);
    await rig.turn('uart', { silent: false, unplugged: true });
    await rig.turn('usbhid', { ignore_sram_set: true });
    await rig.turn('usbhid', { unplug: true });
    await until(async () => (await state())[1] === 'not_found');
    assert.equal(
      await state(),
      ['not_found', 'not_found'],
      JSON.stringify((await call('/health?wait_ms=2500')).body),
    );
    await rig.turn('usbhid', { unplug: false });
    await until(async () => (await state())[0] === 'error');
    const failing = healthOf((await call('/health?wait_ms=2500')).body);
    assert.is(failing.ok, false);
    assert.match(failing.components['usb-adc-usbhid']?.message ?? '', 'usb-adc-usbhid on bench:');
  }));

test('DEV-042 unplugged and plugged in again, both devices come back without a restart', () =>
  onStack(async (call, rig) => {
    for (const [device, knob, path] of [
      ['usbhid', 'unplug', '/api/v1/adc/1'],
      ['uart', 'unplugged', '/api/v1/adc/3'],
    ] as const) {
      await rig.turn(device, { [knob]: true });
      assert.is((await call(path)).status, 503);
      await rig.turn(device, { [knob]: false });
      await until(async () => (await call(path)).status === 200);
    }
  }));

test.after(closeStack);
test.run();
