import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { type Answer, type Call, onAdcBench, until } from './adc-bench.ts';
import { closeUsb, onOwnUsb, onUsb } from './usb.ts';

const test = suite('built svc-adc-usb: device and health');

test('SVC-021 /health reports the device, the backend and that the settings were read back', () =>
  onUsb(async (call, rig) => {
    const { status, body } = await call('/health?wait_ms=2500');
    assert.is(status, 200);
    const health = body as Record<string, unknown> & {
      usb_devices: Record<string, unknown>[];
      adapter: Record<string, unknown>;
    };
    assert.is(health.ok, true);
    assert.is(health.status, 'connected');
    const { path, ...device } = health.usb_devices[0] ?? {};
    assert.match(String(path), /usbhid\.sock$/);
    assert.equal(device, {
      vid: '0x04D8',
      pid: '0x00DD',
      manufacturer: 'Microchip Technology Inc.',
      product: 'MCP2221 USB-I2C/UART Combo',
      serial: null,
      kernel_driver: null,
      hidraw: null,
    });
    assert.is(health.adapter.backend, 'bench');
    assert.is(health.adapter.verified, true);
    assert.is(health.note, 'USB presence and one HID command; not wiring or calibration');
    assert.is(health.bench, true);
    const sramReads = () =>
      rig.bench.trace('usbhid').filter(({ kind, bytes }) => kind === 'in' && bytes?.startsWith('61')).length;
    const before = sramReads();
    await call('/health?wait_ms=2500');
    assert.ok(sramReads() > before, 'step 6 is repeated at each call');
  }));

test('SVC-021 SVC-066 without the chip /health is 200 with ok:false, and /api/v1/device is 503', () =>
  onAdcBench(
    async (rig) => {
      await rig.turn('usbhid', { unplug: true });
      const { call } = await rig.start('svc-adc-usb');
      await until(async () => (await call('/api/v1/adc')).status === 503);
      const { status, body } = await call('/health?wait_ms=2500');
      assert.is(status, 200);
      const { ok, usb_devices: devices, status: word } = body as Record<string, unknown>;
      assert.equal([ok, devices, word], [false, [], 'not_found']);
      const device = await call('/api/v1/device');
      const refused = device.body as Record<string, unknown>;
      assert.equal([device.status, refused.code], [503, 'device_unavailable']);
      assert.match(String(refused.detail), 'usbhid.sock');
      await rig.turn('usbhid', { unplug: false });
      await until(async () => (await call('/api/v1/device')).status === 200);
      await rig.turn('usbhid', { unplug: true });
      await until(async () => (await call('/api/v1/device')).status === 503);
      const scan = await call('/api/v1/i2c/scan');
      assert.is(scan.status, 503);
      assert.is((scan.body as { code: string }).code, 'device_unavailable');
    },
    ['usbhid'],
  ));

test('SVC-066 a chip that hangs is 503 as well, and each 503 is counted', () =>
  onOwnUsb(async (call, rig) => {
    await until(async () => (await call('/api/v1/device')).status === 200);
    await rig.turn('usbhid', { silent: true });
    const errors = async () => {
      const text = String((await call('/metrics')).body);
      const counts = text.matchAll(/^svc_device_errors_total\{device="usb-adc-usbhid".*\} (\d+)$/gm);
      return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
    };
    const before = await errors();
    const { status, body } = await call('/api/v1/device');
    assert.equal([status, (body as Record<string, unknown>).code], [503, 'device_timeout']);
    assert.is(await errors(), before + 1);
    await rig.turn('usbhid', { silent: false });
    await until(async () => (await call('/api/v1/device')).status === 200);
  }));

test('/api/v1/device has what the chip says of itself', () =>
  onOwnUsb(
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
        usb_serial: '0000000000',
        hardware_revision: 'A6',
        firmware_revision: '12',
        reference_volts: 2.048,
        reference_source: '2.048',
        range_volts: [0, 2.048],
        bits: 10,
        inputs: ['G1', 'G2', 'G3'],
        backend: 'bench',
        bench: true,
      });
    },
    { USBADC_REFERENCE_SOURCE: '2.048' },
  ));

/** On a machine that is too busy for the 5 s of a scan it is told so, and asked again. */
async function scanned(call: Call): Promise<Answer> {
  for (;;) {
    const answer = await call('/api/v1/i2c/scan');
    if ((answer.body as { code?: string }).code !== 'device_timeout') return answer;
  }
}

test(
  'DEV-011 the I2C scan lists what answers; a held-low bus is 503 i2c_bus_stuck',
  () =>
    onUsb(async (call, rig) => {
      await rig.turn('usbhid', { i2c_map: [0x48, 0x50] });
      const { status, body } = await scanned(call);
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
      assert.ok(Number(durationMs) > 0);
      await rig.turn('usbhid', { sda_stuck: true });
      const stuck = await scanned(call);
      assert.is(stuck.status, 503);
      assert.is((stuck.body as { code: string }).code, 'i2c_bus_stuck');
    }),
  { timeoutMs: 120_000 },
);

test.after(closeUsb);
test.run();
