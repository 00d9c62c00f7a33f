import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { until } from './adc-bench.ts';
import { closeUsb, onOwnUsb, onUsb } from './usb.ts';

/** The limit is 2.5 s of the service's own time; a busy machine adds to it. */
const SLOW_MS = 20_000;

const test = suite('built svc-adc-usb: readings');

test('SVC-018 SVC-013 three items, each with its reading once more in `reading`', () =>
  onUsb(async (call) => {
    const { status, body } = await call('/api/v1/adc');
    assert.is(status, 200);
    const items = body as Record<string, unknown>[];
    assert.equal(
      items.map(({ channel, input_name: name, physical_input: input, raw_10bit: raw, volts }) => [
        channel,
        name,
        input,
        raw,
        volts,
      ]),
      [
        [1, 'G1', 'MCP2221A.G1', 197, 0.634863],
        [2, 'G2', 'MCP2221A.G2', 234, 0.754102],
        [3, 'G3', 'MCP2221A.G3', 274, 0.883008],
      ],
    );
    for (const { ok, unit, reading, ...members } of items) {
      assert.is(ok, true);
      assert.is(unit, 'V');
      assert.equal(reading, members);
      assert.is(members.adapter, 'usb-adc-usbhid');
      assert.is(members.bench, true);
      assert.is(members.simulated, false);
    }
    const single = await call('/api/v1/adc/3');
    assert.is((single.body as { reading: { volts: number } }).reading.volts, 0.883008);
  }));

test('SVC-014 SVC-015 one pin that is not as set fails its item alone', () =>
  onOwnUsb(async (call, rig) => {
    await rig.turn('usbhid', { ignore_sram_set: [2], unplug: true });
    await rig.turn('usbhid', { unplug: false });
    await until(async () => (await call('/api/v1/adc')).status === 200);
    const [first, second] = (await call('/api/v1/adc')).body as Record<string, unknown>[];
    assert.is(first?.ok, true);
    const { error, ...rest } = second ?? {};
    assert.equal(rest, {
      ok: false,
      unit: 'V',
      channel: 2,
      input_name: 'G2',
      adapter: 'usb-adc-usbhid',
      physical_input: 'MCP2221A.G2',
      code: 'adc_config_not_applied',
    });
    assert.type(error, 'string');
    const single = await call('/api/v1/adc/2');
    assert.is(single.status, 503);
    assert.is((single.body as { code: string }).code, 'adc_config_not_applied');
  }));

test('SVC-017 a chip that does not answer is 503 device_timeout within its limit', () =>
  onUsb(async (call, rig) => {
    await rig.turn('usbhid', { reply_delay_ms: 60_000 });
    const startedAt = performance.now();
    const { status, body } = await call('/api/v1/adc/1');
    assert.is(status, 503);
    assert.is((body as { code: string }).code, 'device_timeout');
    assert.ok(performance.now() - startedAt < SLOW_MS);
  }));

test.after(closeUsb);
test.run();
