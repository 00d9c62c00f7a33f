import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { until } from './adc-bench.ts';
import { closeUart, type Members, onOwnUart, onUart } from './uart.ts';

const test = suite('built svc-adc-uart: readings');

test('SVC-018 SVC-013 two items, each with its reading once more in `reading`', () =>
  onUart(async (call, rig) => {
    const { status, body } = await call('/api/v1/adc');
    assert.is(status, 200);
    const items = body as Members[];
    assert.equal(
      items.map((item) => [
        item.channel,
        item.input_name,
        item.physical_input,
        item.raw_hundredth_millivolts,
        item.volts,
      ]),
      [
        [1, 'AIN1', 'DFR1184.AIN1', 75_500, 0.755],
        [2, 'AIN2', 'DFR1184.AIN2', 88_500, 0.885],
      ],
    );
    for (const { ok, unit, reading, ...members } of items) {
      assert.equal([ok, unit], [true, 'V']);
      assert.equal(reading, members);
      assert.is(members.adapter, 'usb-adc-uart');
      assert.equal([members.simulated, members.bench], [false, true]);
      assert.is(members.endpoint, rig.uart);
    }
  }));

test('/api/v1/device is there without the module', () =>
  onOwnUart(
    async (call) => {
      assert.equal((await call('/api/v1/device')).body, {
        product: 'DFR1184',
        adapter: 'usb-adc-uart',
        adc_chip: 'ADS1115',
        channels: ['AIN1', 'AIN2'],
        measurement_range_volts: [0, 10],
        effective_bits: 15,
        nominal_resolution_millivolts: 0.3125,
        reported_unit: '0.01 mV',
        transport: 'UART 9600 8N1',
        serial_port: `/dev/no-module-${process.pid}`,
        baudrate: 9600,
        protocol: { probe: 'AT\r\n', read: '0xbb', write: '0xcc' },
      });
      const reading = await call('/api/v1/adc/1');
      assert.is(reading.status, 503);
      const { code, error, endpoint } = reading.body as Members;
      assert.is(code, 'device_unavailable');
      assert.match(String(error), `/dev/no-module-${process.pid}`);
      assert.is(endpoint, `/dev/no-module-${process.pid}`);
    },
    { UARTADC_SERIAL_PORT: `/dev/no-module-${process.pid}` },
  ));

test('samples with a pause between them: the mean, and others in between', () =>
  onUart(async (call, rig) => {
    await rig.turn('uart', { ain1_v: 1 });
    const before = rig.traced;
    const series = call('/api/v1/adc/1?samples=4&sample_delay=0.2');
    await until(async () => rig.traced > before + 4);
    const single = await call('/api/v1/adc/2');
    assert.is(single.status, 200);
    await rig.turn('uart', { ain1_v: 2 });
    const {
      samples,
      volts,
      raw_hundredth_millivolts: raw,
      observed_at: last,
    } = ((await series).body as { reading: Members }).reading;
    assert.is(samples, 4);
    assert.ok(Number(volts) > 1 && Number(volts) < 2, String(volts));
    assert.is(volts, Number(raw) / 100_000);
    assert.ok(String(last) > String((single.body as Members).observed_at), 'the single one came in between');
  }));

const DELAY = 'sample_delay: must be a number from 0 to 10';

test('SVC-020 the delay counts: too long is 422 with the largest number, and a bad delay is refused', () =>
  onUart(async (call) => {
    for (const [query, code, part] of [
      ['samples=4&sample_delay=10', 'sample_budget_exceeded', 'largest number here is 3'],
      ['sample_delay=10.1', 'invalid_parameter', DELAY],
      ['sample_delay=-1', 'invalid_parameter', DELAY],
      ['sample_delay=soon', 'invalid_parameter', DELAY],
    ] as const) {
      const { status, body } = await call(`/api/v1/adc/1?${query}`);
      assert.is(status, 422, query);
      assert.is((body as Members).code, code, query);
      assert.match(String((body as Members).error), part);
    }
  }));

test('DEV-019 20 callers at once never interleave on the line', () =>
  onUart(async (call, rig) => {
    const before = rig.traced;
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => call(`/api/v1/adc/${1 + (i % 2)}`)),
    );
    for (const [i, { status, body }] of answers.entries()) {
      assert.is(status, 200);
      assert.is((body as { reading: Members }).reading.volts, i % 2 === 0 ? 0.755 : 0.885);
    }
    const heard = rig.bench
      .trace('uart')
      .flatMap(({ kind, bytes, n }) =>
        kind === 'in' && n > before ? [(bytes ?? '').replaceAll(' ', '').toLowerCase()] : [],
      );
    const reads = heard.flatMap((frame, index) =>
      frame === 'bb3103' ? [heard.slice(index - 2, index).join(' ')] : [],
    );
    assert.ok(reads.length > 0 && reads.length <= 20);
    for (const before of reads) assert.match(before, /^cc20010[12] bb2001$/);
  }));

test.after(closeUart);
test.run();
