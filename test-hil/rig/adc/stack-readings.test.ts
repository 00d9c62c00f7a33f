import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { closeStack, itemsOf, onOwnStack, onStack, type StackItem } from './stack.ts';

const test = suite('built svc-adc-stack: readings');

test('SVC-012 SVC-013 SVC-018 SVC-009 /api/v1/adc is ai01, ai02, ai03 with identity, readings and marks', () =>
  onStack(async (call) => {
    const { status, body } = await call('/api/v1/adc');
    assert.is(status, 200);
    const [first, second, third] = itemsOf(body);
    const { endpoint, observed_at: observedAt, ...reading } = first?.reading ?? {};
    assert.equal(
      { ...first, reading },
      {
        ok: true,
        logical_channel: 1,
        logical_name: 'ai01',
        adapter: 'usb-adc-usbhid',
        physical_input: 'MCP2221A.G1',
        nominal_range_volts: [0, 3.3],
        unit: 'V',
        reading: {
          channel: 1,
          input_name: 'G1',
          adapter: 'usb-adc-usbhid',
          physical_input: 'MCP2221A.G1',
          raw_10bit: 197,
          volts: 0.634863,
          millivolts: 634.86,
          samples: 1,
          reference_volts: 3.3,
          saturated: false,
          transport: 'hid',
          simulated: false,
          bench: true,
        },
      },
    );
    assert.match(String(endpoint), /usbhid\.sock$/);
    assert.match(String(observedAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    for (const [item, name, input, volts, raw] of [
      [second, 'ai02', 'AIN1', 0.755, 75_500],
      [third, 'ai03', 'AIN2', 0.885, 88_500],
    ] as const) {
      assert.is(item?.logical_name, name);
      assert.is(item?.reading?.volts, volts);
      assert.is(item?.reading?.raw_hundredth_millivolts, raw);
      assert.is(item?.reading?.over_range, false);
      assert.is(item?.reading?.transport, 'uart');
      assert.is(item?.reading?.bench, true);
      assert.equal(item?.nominal_range_volts, [0, 10]);
      for (const place of [item, item?.reading]) {
        assert.is(place?.adapter, 'usb-adc-uart');
        assert.is(place?.physical_input, `DFR1184.${input}`);
      }
    }
    assert.is(itemsOf(body).length, 3);
  }));

test('samples are averaged before they are converted', () =>
  onStack(async (call) => {
    const { body } = await call('/api/v1/adc?samples=3');
    for (const { reading } of itemsOf(body)) assert.is(reading?.samples, 3);
    assert.equal(
      itemsOf(body).map(({ reading }) => reading?.volts),
      [0.634863, 0.755, 0.885],
    );
  }));

test('a saturated input of the chip is marked', () =>
  onStack(async (call, rig) => {
    await rig.turn('usbhid', { g1_v: 5 });
    const { reading } = (await call('/api/v1/adc/1')).body as StackItem;
    assert.is(reading?.raw_10bit, 1023);
    assert.is(reading?.saturated, true);
  }));

test('SVC-010 the hardware mode changes nothing: the readings come from the configured transport', () =>
  onOwnStack(
    async (call, rig) => {
      await rig.turn('usbhid', { g1_v: 1.65 });
      const { reading } = (await call('/api/v1/adc/1')).body as StackItem;
      assert.is(reading?.raw_10bit, 512);
      assert.is(reading?.simulated, false);
    },
    () => ({ SVC_HARDWARE_MODE: 'mock', HARDWARE_MODE: 'mock' }),
  ));

test('SVC-007 a scrape of /metrics asks no device, and a failed channel shows no old voltage', () =>
  onOwnStack(async (call, rig) => {
    await call('/api/v1/adc');
    const traced = rig.traced;
    const metrics = String((await call('/metrics')).body);
    assert.is(rig.traced, traced, 'no device traffic');
    assert.match(metrics, 'svc_adc_volts{channel="ai01",adapter="usb-adc-usbhid"} 0.634863');
    assert.match(metrics, 'svc_device_up{device="usb-adc-uart"} 1');
    await rig.turn('uart', { unplugged: true });
    await call('/api/v1/adc');
    const after = String((await call('/metrics')).body);
    assert.match(after, 'svc_device_up{device="usb-adc-uart"} 0');
    assert.match(after, /svc_device_errors_total\{device="usb-adc-uart",code="device_unavailable"\} 2/);
    assert.match(after, /svc_adc_volts\{channel="ai02",adapter="usb-adc-uart"\} nan/i);
    assert.match(after, 'svc_adc_volts{channel="ai01",adapter="usb-adc-usbhid"} 0.634863');
  }));

test.after(closeStack);
test.run();
