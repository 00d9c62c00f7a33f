import { request } from 'node:http';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/lib/testing/suite.ts';
import { onAdcBench } from './adc-bench.ts';
import { closeStack, itemsOf, onOwnStack, onStack, problemOf, type StackItem } from './stack.ts';

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

test('SVC-016 SVC-006 channel 0, 4 and text are 422 with the exact sentence', () =>
  onStack(async (call) => {
    for (const [path, value] of [
      ['0', '0'],
      ['4', '4'],
      ['one', 'one'],
      ['1.5', '1.5'],
      ['01', '01'],
      ['-1', '-1'],
      ['%20', ' '],
      ['', ''],
      ['1e0', '1e0'],
    ] as const) {
      const { status, body, headers } = await call(`/api/v1/adc/${path}`);
      assert.is(status, 422, path);
      assert.is(headers.get('content-type'), 'application/problem+json');
      assert.equal(body, {
        type: 'urn:svc:problem:invalid_channel',
        title: 'Invalid channel',
        status: 422,
        detail: 'channel must be 1, 2 or 3',
        code: 'invalid_channel',
        error: 'channel must be 1, 2 or 3',
        ok: false,
        errors: [{ in: 'path', field: 'n', message: 'must be 1..3', value }],
      });
    }
  }));

test('SVC-020 bad samples are 422: out of range, text, repeated, and over the budget of 300 for a batch', () =>
  onStack(async (call) => {
    for (const [query, code] of [
      ['samples=0', 'invalid_parameter'],
      ['samples=10001', 'invalid_parameter'],
      ['samples=-1', 'invalid_parameter'],
      ['samples=1.5', 'invalid_parameter'],
      ['samples=ten', 'invalid_parameter'],
      ['samples=', 'invalid_parameter'],
      ['samples=1&samples=2', 'invalid_parameter'],
      ['samples=301', 'sample_budget_exceeded'],
      ['samples=10000', 'sample_budget_exceeded'],
    ] as const) {
      const { status, body } = await call(`/api/v1/adc?${query}`);
      assert.is(status, 422, query);
      const { code: is, errors } = body as { code: string; errors: { field: string }[] };
      assert.is(is, code, query);
      assert.is(errors[0]?.field, 'samples', query);
    }
    const single = await call('/api/v1/adc/2?samples=601');
    assert.match(problemOf(single.body).error ?? '', 'the largest number here is 600');
    assert.is((await call('/api/v1/adc/1?unknown=1')).status, 200, 'a reading route ignores unknown keys');
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
  onStack(async (call, rig) => {
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

test('SVC-005 wrong method 405 with Allow, unknown path 404, oversized body 413', () =>
  onAdcBench(async (rig) => {
    const { call, url } = await rig.start('svc-adc-stack');
    const wrong = await call('/api/v1/adc/1', { method: 'POST' });
    assert.is(wrong.status, 405);
    assert.is(wrong.headers.get('allow'), 'GET, HEAD');
    assert.is(problemOf(wrong.body).code, 'method_not_allowed');
    const unknown = await call('/api/v1/adc/1/2');
    assert.is(unknown.status, 404);
    assert.is(problemOf(unknown.body).error, 'no such path: /api/v1/adc/1/2');
    const large = await call('/api/v1/adc', { method: 'POST', body: 'x'.repeat(70_000) });
    assert.is(large.status, 405, 'the method is refused before its body is read');
    const { status, body } = await sent(`${url}/api/v1/adc`, 'x'.repeat(70_000));
    assert.is(status, 413);
    assert.match(body, '"code":"payload_too_large"');
    assert.match(body, 'body is larger than 65536 bytes (SVC_MAX_BODY_BYTES)');
  }));

/** A GET with a body, which fetch does not send. */
function sent(url: string, body: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': body.length };
    const asked = request(url, { method: 'GET', headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

test.after(closeStack);
test.run();
