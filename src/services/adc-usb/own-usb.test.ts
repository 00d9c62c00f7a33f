import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { type AdcServiceDefinition, startAdcService } from '../../rig/adc/service/adc-service.ts';
import { suite } from '../../test-kit/suite.ts';
import { adcUsb } from './adc-usb.ts';

const test = suite('svc-adc-usb on the USB of this machine');

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

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

test('SVC-021 DEV-038 without the ids: ok:false, 200, and 503 for a reading', async () => {
  const { url, shutDown } = await startAdcService({
    definition: unlocked,
    env: { USBADC_ADDRESS: 'hid:04d8:00dd' },
    bind: { host: '127.0.0.1', port: 0 },
    clock: systemClock,
    logger: silent,
  });
  try {
    const health = await fetch(`${url}/health?wait_ms=2500`);
    assert.is(health.status, 200);
    const { ok, usb_devices: devices } = (await health.json()) as Record<string, unknown>;
    assert.equal([ok, devices], [false, []]);
    const reading = await fetch(`${url}/api/v1/adc/1`);
    assert.is(reading.status, 503);
    const { code, error, physical_input: input } = (await reading.json()) as Record<string, string>;
    assert.is(code, 'device_unavailable');
    assert.match(error ?? '', 'hid:04d8:00dd');
    assert.is(input, 'MCP2221A.G1');
  } finally {
    await shutDown();
  }
});

test.run();
