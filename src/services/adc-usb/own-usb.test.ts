import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import type { Logger } from '../../lib/log/logger.ts';
import { type AdcServiceDefinition, startAdcService } from '../../rig/adc/adc-service.ts';
import { suite } from '../../test-kit/suite.ts';
import { HostTree } from '../../test-kit/transports/host-tree.ts';
import type { HostRoots } from '../../transports/sysfs/find-usb.ts';
import { adcUsb } from './adc-usb.ts';

const test = suite('svc-adc-usb on the USB of this machine');

/** Without the lock of the real chip, which another test run on this machine may hold. @param roots of another machine */
const unlocked = (roots: HostRoots = {}): AdcServiceDefinition => ({
  ...adcUsb,
  build: (around) => {
    const onMachine = { ...around, roots };
    const { devices, routes } = adcUsb.build(onMachine);
    const start = () => {
      for (const device of devices) device.start?.();
    };
    const close = async () => {
      for (const device of devices) await device.close();
    };
    return { routes, devices: [{ start, close }] };
  },
});

const silent: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

test('SVC-021 DEV-038 without the ids: ok:false, 200, and 503 for a reading', async () => {
  const { url, shutDown } = await startAdcService({
    definition: unlocked(),
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

test('SVC-066 behind the kernel driver /api/v1/device is 503 while no chip is plugged in', async () => {
  const machine = new HostTree();
  const plug = () =>
    machine.plugMcp2221a({
      ...{ name: '1-1.2', vid: '04d8', pid: '00dd', deviceNumber: 4, driver: 'mcp2221' },
      iio: { name: 'iio:device0', words: ['197', '234', '1023'] },
    });
  const { url, shutDown } = await startAdcService({
    definition: unlocked(machine.roots),
    env: { USBADC_BACKEND: 'iio', SVC_STATE_DIR: machine.roots.dev },
    bind: { host: '127.0.0.1', port: 0 },
    clock: systemClock,
    logger: silent,
  });
  const device = async () => {
    const response = await fetch(`${url}/api/v1/device`);
    const { backend, product, code, detail } = (await response.json()) as Record<string, string>;
    return response.status === 200 ? { backend, product } : { status: response.status, code, detail };
  };
  const plugged = { backend: 'iio', product: 'MCP2221 USB-I2C/UART Combo' };
  const until = async (isWanted: (answer: Awaited<ReturnType<typeof device>>) => boolean) => {
    for (;;) {
      const answer = await device();
      if (isWanted(answer)) return answer;
      await systemClock.sleep(20);
    }
  };
  try {
    const folder = plug();
    assert.equal(await until(({ backend }) => backend === 'iio'), plugged);
    machine.unplug(folder);
    const { status, code, detail } = await device();
    assert.equal([status, code], [503, 'device_unavailable']);
    assert.match(String(detail), /^usb-adc-usbhid on .*: no chip is plugged in; plug it in$/);
    plug();
    assert.equal(await until(({ backend }) => backend === 'iio'), plugged);
  } finally {
    await shutDown();
    machine.remove();
  }
});

test.run();
