import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { acquireLock } from '../../lib/lock/lock.ts';
import { onSensorBench, startSensors, until } from '../../test-kit/services/sensors.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('sensor service');
type Body = Record<string, unknown>;

const sensor = (id: string) => `/api/v1/hardware/sensor/${id}`;
const batch = (ids: string) => `/api/v1/hardware/sensors/batch?sensor_ids=${ids}`;

test('SVC-009 in mock mode every answer is simulated, health says mock_mode, and no device is up or down', async () => {
  const service = await startSensors();
  const { status, body } = await service.get(sensor('nc-sensor'));
  const { sensor_id, unit, ok, simulated, bench, raw, source, physical_input } = body;
  assert.equal(
    [status, sensor_id, unit, ok, simulated, bench, raw, source, physical_input],
    [200, 'ai01', 'V', true, true, false, null, 'plant', 'ADS1115.AIN0'],
  );
  const health = (await service.get('/health?wait_ms=2500')).body;
  assert.equal(
    [
      health.ok,
      health.status,
      health.service,
      health.mock_mode,
      health.simulated,
      health.bus,
      health.address,
    ],
    [true, 'ok', 'svc-sensors', true, true, 1, '0x48'],
  );
  assert.not.ok((await service.text('/metrics')).includes('svc_device_up'));
  await service.shutDown('test_end');
});

test('SVC-009 in real mode the value is what the chip converted, with the answer of section 7, marked as bench', () =>
  onSensorBench(async ({ bench, env, start }) => {
    await bench.setKnobs('ads1115', { ain0_v: 0.635 });
    const service = await start();
    const { status, body } = await service.get(sensor('ai01'));
    const { observed_at, age_ms, ...rest } = body;
    assert.is(status, 200);
    assert.equal(rest, {
      sensor_id: 'ai01',
      value: 0.635,
      unit: 'V',
      ok: true,
      simulated: false,
      bench: true,
      adapter: 'sensor-adc',
      physical_input: 'ADS1115.AIN0',
      raw: 5080,
      saturated: false,
      source: `${env.SVC_I2C_BUS}#0x48`,
    });
    assert.ok(Math.abs(Date.parse(String(observed_at)) - systemClock.now()) < 60_000);
    assert.ok(Number(age_ms) >= 0);
    const health = (await service.get('/health?wait_ms=2500')).body;
    assert.equal(
      [health.ok, health.status, health.mock_mode, health.initialized, health.message, health.bench],
      [true, 'ok', false, true, 'ready', true],
    );
    assert.match(await service.text('/metrics'), 'svc_adc_volts{channel="ai01",adapter="sensor-adc"} 0.635');
  }));

test('names: ai01..ai04, aliases of the file, built-in aliases and 0..3 lead to the same inputs; others are 422', () =>
  onSensorBench(async ({ bench, start }) => {
    await bench.setKnobs('ads1115', { ain0_v: 0.1, ain1_v: 0.2, ain2_v: 0.3, ain3_v: 0.4 });
    const service = await start({}, 'aliases: {mask: ai04}');
    const expected: [string, string, number][] = [
      ['ai01', 'ai01', 0.1],
      ['AI02', 'ai02', 0.2],
      ['wc_sensor', 'ai03', 0.3],
      ['mask', 'ai04', 0.4],
      ['0', 'ai01', 0.1],
      ['3', 'ai04', 0.4],
    ];
    for (const [name, id, value] of expected) {
      const { body } = await service.get(sensor(name));
      assert.equal([body.sensor_id, body.value], [id, value], name);
    }
    for (const name of ['ai05', '4', '-1', '00', 'valve-1', '%20', 'constructor']) {
      const { status, body } = await service.get(sensor(name));
      assert.equal([status, body.code], [422, 'unknown_sensor'], name);
      assert.equal(body.errors, [
        {
          in: 'path',
          field: 'id',
          message: 'must be ai01, ai02, ai03, ai04, 0..3 or an alias of svc.yaml',
          value: decodeURIComponent(name),
        },
      ]);
    }
  }));

test('each failure of a batch is counted, also when the batch is answered', () =>
  onSensorBench(async ({ bench, start }) => {
    const service = await start();
    await bench.setKnobs('ads1115', { nack: true });
    assert.is((await service.get(batch('ai01,ai02'))).status, 503);
    const counted = 'svc_device_errors_total{device="sensor-adc",code="device_unavailable"}';
    assert.match(await service.text('/metrics'), `${counted} 2`);
    assert.is((await service.get(sensor('ai01'))).status, 503);
    assert.match(await service.text('/metrics'), `${counted} 3`);
  }));

test('SVC-042 a batch is 200 with one good sensor, 503 with none, and bad lists are 422', () =>
  onSensorBench(async ({ bench, start }) => {
    const service = await start();
    const good = await service.get(batch('ai01,wc-sensor,3'));
    assert.equal(
      [good.status, good.body.ok, good.body.complete, good.body.degraded],
      [200, true, true, false],
    );
    const items = good.body.sensors as Record<string, Body>;
    assert.equal(Object.keys(items).sort(), ['3', 'ai01', 'wc-sensor']);
    assert.is(items['wc-sensor']?.sensor_id, 'ai03');
    await bench.setKnobs('ads1115', { nack: true });
    const none = await service.get(batch('ai01,nc-sensor'));
    assert.equal(
      [none.status, none.body.code, none.body.ok, none.body.complete, none.body.degraded],
      [503, 'device_unavailable', false, false, true],
    );
    const failed = none.body.sensors as Record<string, Body>;
    const { error, ...rest } = failed['nc-sensor'] ?? {};
    assert.equal(rest, { sensor_id: 'ai01', value: null, ok: false, code: 'device_unavailable' });
    assert.match(String(error), 'no device answers at 0x48');
    const many = new Array(17).fill('ai01').join(',');
    for (const [list, code] of [
      ['', 'invalid_parameter'],
      ['ai01,,ai02', 'invalid_parameter'],
      [many, 'invalid_parameter'],
      ['ai01,ai09', 'unknown_sensor'],
    ] as const) {
      const { status, body } = await service.get(batch(list));
      assert.equal([status, body.code], [422, code], list);
    }
    assert.is((await service.get('/api/v1/hardware/sensors/batch')).status, 422);
  }));

test('health tells "permission denied" apart from "not found", and both from a chip that hangs', () =>
  onSensorBench(async ({ bench, env, start }) => {
    const service = await start();
    const seen = async () => {
      const { status, body } = await service.get('/health?wait_ms=2500');
      assert.is(status, 200);
      return [body.ok, body.initialized, body.status, String(body.message).split(':')[0]];
    };
    await bench.setKnobs('ads1115', { permission_denied: true });
    assert.equal(await seen(), [false, false, 'permission_denied', 'permission denied']);
    await bench.reset();
    await bench.setKnobs('ads1115', { nack: true });
    assert.equal(await seen(), [false, false, 'not_found', 'not found']);
    await bench.reset();
    await until(async () => (await seen())[0] === true);
    const none = await start({ SVC_I2C_BUS: `${env.SVC_I2C_BUS}-not-there` });
    const gone = (await none.get('/health?wait_ms=2500')).body;
    assert.equal([gone.ok, gone.status], [false, 'not_found']);
    assert.is((await none.get(sensor('ai01'))).status, 503);
  }));

test('a missing bus of this machine is not found; the service runs and answers 503', async () => {
  const service = await startSensors({ SVC_HARDWARE_MODE: 'real', SVC_I2C_BUS: '253' });
  const { body } = await service.get('/health?wait_ms=2500');
  assert.equal([body.ok, body.status, body.bus, body.bench], [false, 'not_found', 253, false]);
  assert.match(String(body.message), '/dev/i2c-253');
  const read = await service.get(sensor('ai01'));
  assert.equal([read.status, read.body.code, read.body.device], [503, 'device_unavailable', 'sensor-adc']);
  await service.shutDown('test_end');
});

test('SVC-017 DEV-027 a foreign configuration and a conversion that does not end give an error and NaN, no voltage', () =>
  onSensorBench(async ({ bench, start }) => {
    const service = await start();
    await service.get(sensor('ai01'));
    for (const [knob, status, code] of [
      ['foreign_config', 503, 'adc_foreign_config'],
      ['slow', 504, 'device_timeout'],
    ] as const) {
      await bench.setKnobs('ads1115', { [knob]: true });
      const { status: told, body } = await service.get(sensor('ai01'));
      assert.equal([told, body.code, body.value], [status, code, undefined], knob);
      assert.match(await service.text('/metrics'), 'svc_adc_volts{channel="ai01",adapter="sensor-adc"} Nan');
      await bench.reset();
      await until(async () => (await service.get(sensor('ai01'))).status === 200);
    }
  }));

test('a saturated conversion is marked', () =>
  onSensorBench(async ({ bench, start }) => {
    const service = await start();
    await bench.setKnobs('ads1115', { ain2_v: 5 });
    const { body } = await service.get(sensor('ai03'));
    assert.equal([body.saturated, body.raw], [true, 0x7fff]);
  }));

test('DEV-042 a chip that was pulled is 503 and works again after it is back, without a restart', () =>
  onSensorBench(async ({ bench, start }) => {
    const service = await start();
    await bench.setKnobs('ads1115', { unplugged: true });
    await until(async () => (await service.get(sensor('ai01'))).status === 503);
    assert.match(await service.text('/metrics'), 'svc_device_up{device="sensor-adc"} 0');
    await bench.setKnobs('ads1115', { unplugged: false });
    await until(async () => (await service.get(sensor('ai01'))).status === 200);
    assert.match(await service.text('/metrics'), 'svc_device_up{device="sensor-adc"} 1');
  }));

test('a chip that another program holds: health says held and who, readings are 409 with the holder', () =>
  onSensorBench(async ({ env, start }) => {
    const holder = { service: 'svc-other', pid: 4321, port: 8299, since: '2025-01-15T10:00:00.000Z' };
    const key = String(env.SVC_I2C_BUS).replace('bench:', 'bench-');
    const lock = await acquireLock({ key, identity: () => holder });
    const service = await start();
    const { body } = await service.get('/health?wait_ms=2500');
    assert.equal([body.ok, body.status, body.code, body.holder], [false, 'held', 'held_by_other', holder]);
    const read = await service.get(sensor('ai01'));
    assert.equal([read.status, read.body.code, read.body.holder], [409, 'held_by_other', holder]);
    await lock.release();
    assert.is((await service.get('/health?wait_ms=2500')).body.ok, true, 'its probe takes the free chip');
    assert.is((await service.get(sensor('ai01'))).status, 200);
  }));

test('SVC-007 a scrape asks the chip nothing', () =>
  onSensorBench(async ({ bench, start }) => {
    const service = await start();
    const before = bench.trace('ads1115').length;
    await service.text('/metrics');
    await service.get('/openapi.json');
    assert.is(bench.trace('ads1115').length, before);
  }));

test('a bad place of the chip refuses the start, in mock mode too, naming variable, value and remedy', async () => {
  const cases: [Record<string, string>, RegExp][] = [
    [{ SVC_I2C_BUS: 'one' }, /SVC_I2C_BUS = "one" must be a bus number, \/dev\/i2c-N or bench:<socket>/],
    [{ SVC_ADS1115_ADDRESS: '0x50' }, /SVC_ADS1115_ADDRESS = "0x50" must be 0x48, 0x49, 0x4A or 0x4B/],
  ];
  for (const [env, message] of cases)
    for (const mode of ['mock', 'real'])
      await startSensors({ ...env, SVC_HARDWARE_MODE: mode }).then(
        () => assert.unreachable('it started'),
        (error: Error) => assert.match(error.message, message),
      );
});

test.run();
