import * as assert from 'uvu/assert';
import { suite } from '../../lib/testing/suite.ts';
import type { AdcServiceDefinition } from '../../rig/adc/service/adc-service.ts';
import { type AdcBench, type Answer, onAdcBench, until } from '../../rig/adc/service/testing-service.ts';
import { adcUsb } from './adc-usb.ts';

const test = suite('svc-adc-usb');

/** Without the lock of the real chip, which another test run on this machine may hold. */
const unlocked: AdcServiceDefinition = {
  ...adcUsb,
  build: (around) => {
    const { devices, routes } = adcUsb.build(around);
    const start = () => {
      for (const device of devices) device.start?.();
    };
    const close = async () => {
      for (const device of devices) await device.close();
    };
    return { routes, devices: [{ start, close }] };
  },
};

type Call = (path: string, init?: RequestInit) => Promise<Answer>;

const onUsb = (work: (call: Call, rig: AdcBench) => Promise<void>, env: Record<string, string> = {}) =>
  onAdcBench(
    async (rig) => {
      const { call } = await rig.start(adcUsb, env);
      await until(async () => (await call('/api/v1/adc')).status === 200);
      await work(call, rig);
    },
    ['usbhid'],
  );

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

test('SVC-016 channel 0, 4 and text are 422 with the exact sentence', () =>
  onUsb(async (call) => {
    for (const value of ['0', '4', 'G1', '1.5', '']) {
      const { status, body } = await call(`/api/v1/adc/${value}`);
      assert.is(status, 422, value);
      const { code, error, errors } = body as { code: string; error: string; errors: unknown };
      assert.equal([code, error], ['invalid_channel', 'channel must be 1, 2 or 3']);
      assert.equal(errors, [{ in: 'path', field: 'n', message: 'must be 1..3', value }]);
    }
  }));

test('many samples are averaged; one saturated sample marks the mean', () =>
  onUsb(async (call, rig) => {
    const { body } = await call('/api/v1/adc/1?samples=120');
    const { samples, raw_10bit: raw, saturated } = (body as { reading: Record<string, unknown> }).reading;
    assert.equal([samples, raw, saturated], [120, 197, false]);
    const before = rig.bench.trace('usbhid').length;
    const series = call('/api/v1/adc/1?samples=600');
    await until(async () => rig.bench.trace('usbhid').length > before + 300);
    await rig.turn('usbhid', { g1_v: 5 });
    const mixed = ((await series).body as { reading: { raw_10bit: number; saturated: boolean } }).reading;
    assert.is(mixed.saturated, true, JSON.stringify(mixed));
    assert.ok(mixed.raw_10bit < 1023, 'only a part of the samples was');
  }));

test('a long series lets the single sample of another caller in between', () =>
  onUsb(async (call) => {
    let isOver = false;
    const long = call('/api/v1/adc?samples=1000').then((answer) => {
      isOver = true;
      return answer;
    });
    await call('/api/v1/i2c/nothing');
    for (let i = 0; i < 3; i++) assert.is((await call('/api/v1/adc/2')).status, 200);
    assert.not(isOver, 'three single samples came before the end of the series');
    assert.is((await long).status, 200);
  }));

test('a burst of equal requests shares samples, none of them older than its request', () =>
  onUsb(async (call, rig) => {
    const before = rig.bench.trace('usbhid').length;
    const sentAt = Date.now();
    const answers = await Promise.all(Array.from({ length: 40 }, () => call('/api/v1/adc/1')));
    for (const { status, body } of answers) {
      assert.is(status, 200);
      assert.ok(Date.parse((body as { observed_at: string }).observed_at) >= sentAt);
    }
    const exchanges = rig.bench.trace('usbhid').length - before;
    assert.ok(exchanges < 40 * 4, `${exchanges} trace entries where 40 single readings make 160`);
  }));

test('more than 16 waiting jobs are 503 device_busy with Retry-After', () =>
  onUsb(async (call) => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => call(`/api/v1/adc/1?samples=${index + 30}`)),
    );
    const busy = answers.filter(({ status }) => status === 503);
    assert.ok(busy.length >= 1 && busy.length <= 3, `${busy.length} of 20 where 1 runs and 16 wait`);
    for (const { body, headers } of busy) {
      assert.is((body as { code: string }).code, 'device_busy');
      assert.is(headers.get('retry-after'), '1');
    }
  }));

test('SVC-021 /health tells the device, the backend and that the settings were read back', () =>
  onUsb(async (call, rig) => {
    const { status, body } = await call('/health');
    assert.is(status, 200);
    const health = body as Record<string, unknown> & {
      usb_devices: Record<string, unknown>[];
      adapter: Record<string, unknown>;
    };
    assert.is(health.ok, true);
    assert.is(health.status, 'connected');
    assert.is(health.usb_devices[0]?.vid, '0x04D8');
    assert.is(health.usb_devices[0]?.pid, '0x00DD');
    assert.is(health.adapter.backend, 'bench');
    assert.is(health.adapter.verified, true);
    assert.is(health.note, 'USB presence and one HID command; not wiring or calibration');
    assert.is(health.bench, true);
    const sramReads = () =>
      rig.bench.trace('usbhid').filter(({ kind, bytes }) => kind === 'in' && bytes?.startsWith('61')).length;
    const before = sramReads();
    await call('/health');
    assert.ok(sramReads() > before, 'step 6 is repeated at each call');
  }));

test('SVC-021 without the chip /health is 200 with ok:false, and nothing stands for its identity', () =>
  onAdcBench(
    async (rig) => {
      await rig.turn('usbhid', { unplug: true });
      const { call } = await rig.start(adcUsb);
      await until(async () => (await call('/api/v1/adc')).status === 503);
      const { status, body } = await call('/health');
      assert.is(status, 200);
      const { ok, usb_devices: devices, status: word } = body as Record<string, unknown>;
      assert.equal([ok, devices, word], [false, [], 'not_found']);
      const device = (await call('/api/v1/device')).body as Record<string, unknown>;
      for (const member of [
        'manufacturer',
        'product',
        'serial',
        'factory_serial',
        'hardware_revision',
        'backend',
      ])
        assert.is(device[member], null, member);
      assert.is(device.chip, 'MCP2221A');
      assert.equal(device.range_volts, [0, 3.3]);
      assert.match(String(device.identity_error), 'usbhid.sock');
      const scan = await call('/api/v1/i2c/scan');
      assert.is(scan.status, 503);
      assert.is((scan.body as { code: string }).code, 'device_unavailable');
    },
    ['usbhid'],
  ));

test('SVC-021 DEV-038 on this machine’s own USB without the ids: ok:false, 200, and 503 for a reading', () =>
  onAdcBench(
    async (rig) => {
      const { call } = await rig.start(unlocked, { USBADC_ADDRESS: 'hid:04d8:00dd' });
      const { status, body } = await call('/health');
      assert.is(status, 200);
      assert.is((body as { ok: boolean }).ok, false);
      assert.equal((body as { usb_devices: unknown[] }).usb_devices, []);
      const reading = await call('/api/v1/adc/1');
      assert.is(reading.status, 503);
      const { code, error, physical_input: input } = reading.body as Record<string, string>;
      assert.is(code, 'device_unavailable');
      assert.match(error ?? '', 'hid:04d8:00dd');
      assert.is(input, 'MCP2221A.G1');
    },
    ['usbhid'],
  ));

test('/api/v1/device has what the chip says of itself', () =>
  onUsb(
    async (call) => {
      const { body } = await call('/api/v1/device');
      const { kernel_driver: _, ...device } = body as Record<string, unknown>;
      assert.equal(device, {
        adapter: 'usb-adc-usbhid',
        chip: 'MCP2221A',
        vid: '0x04D8',
        pid: '0x00DD',
        manufacturer: 'Microchip Technology Inc.',
        product: 'MCP2221 USB-I2C/UART Combo',
        serial: null,
        factory_serial: '01234567',
        hardware_revision: 'A6',
        firmware_revision: '12',
        reference_volts: 2.048,
        reference_source: '2.048',
        range_volts: [0, 2.048],
        bits: 10,
        inputs: ['G1', 'G2', 'G3'],
        backend: 'bench',
        identity_error: null,
        bench: true,
      });
    },
    { USBADC_REFERENCE_SOURCE: '2.048' },
  ));

test('DEV-011 the I2C scan lists what answers; a held-low bus is 503 i2c_bus_stuck', () =>
  onUsb(async (call, rig) => {
    await rig.turn('usbhid', { i2c_map: [0x48, 0x50] });
    const { status, body } = await call('/api/v1/i2c/scan');
    assert.is(status, 200);
    const { duration_ms: durationMs, observed_at: _, ...scan } = body as Record<string, unknown>;
    assert.equal(scan, {
      ok: true,
      speed_hz: 100_000,
      addresses: ['0x48', '0x50'],
      addresses_decimal: [72, 80],
      count: 2,
      bench: true,
    });
    assert.ok(Number(durationMs) > 0 && Number(durationMs) < 5000);
    await rig.turn('usbhid', { sda_stuck: true });
    const stuck = await call('/api/v1/i2c/scan');
    assert.is(stuck.status, 503);
    assert.is((stuck.body as { code: string }).code, 'i2c_bus_stuck');
  }));

test('SVC-014 SVC-015 one pin that is not as set fails its item alone', () =>
  onUsb(async (call, rig) => {
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
    assert.ok(performance.now() - startedAt < 3000);
  }));

test('a caller that goes away ends its series', () =>
  onUsb(async (call, rig) => {
    const gone = new AbortController();
    const long = call('/api/v1/adc?samples=10000', { signal: gone.signal }).catch(() => 'gone');
    await until(async () => rig.bench.trace('usbhid').length > 100);
    gone.abort();
    assert.is(await long, 'gone');
    let before = -1;
    await until(async () => {
      const now = rig.bench.trace('usbhid').at(-1)?.n ?? 0;
      const isQuiet = now === before;
      before = now;
      return isQuiet;
    });
  }));

test.run();
