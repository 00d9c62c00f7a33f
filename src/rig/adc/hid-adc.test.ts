import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { HostTree } from '../../test-kit/transports/host-tree.ts';
import { DeviceLocks } from './device-locks.ts';
import { HidAdc } from './hid-adc.ts';
import { usbAdcSettings } from './settings.ts';

const test = suite('the USB chip on a machine');

const CHIP = { name: '1-1.2', vid: '04d8', pid: '00dd', deviceNumber: 4 };
const IIO = { name: 'iio:device0', words: ['197', '234', '1023'] };

/** The adapter on a machine of its own. */
async function onMachine(
  work: (adc: HidAdc, machine: HostTree) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const machine = new HostTree();
  const identity = () => ({ service: 'svc-test', pid: process.pid, port: null, since: 'x' });
  const adc = new HidAdc({
    settings: usbAdcSettings({ SVC_STATE_DIR: join(machine.roots.dev, 'state'), ...env }),
    clock: systemClock,
    locks: new DeviceLocks({ identity, clock: systemClock }),
    roots: machine.roots,
  });
  try {
    await work(adc, machine);
  } finally {
    await adc.close();
    machine.remove();
  }
}

const limits = () => ({ signal: new AbortController().signal, limitMs: 2500 });

async function untilReads(adc: HidAdc) {
  for (;;) {
    const outcomes = await adc.read(1, limits());
    if (outcomes.every(({ ok }) => ok)) return outcomes;
    await systemClock.sleep(20);
  }
}

test('DEV-038 behind the kernel’s driver the words of IIO are read, and never called verified', () =>
  onMachine(
    async (adc, machine) => {
      machine.plugMcp2221a({ ...CHIP, driver: 'mcp2221', iio: IIO });
      adc.start();
      const [first, , third] = await untilReads(adc);
      assert.is(adc.backend, 'iio');
      assert.is(adc.kernelDriver, 'mcp2221');
      assert.ok(first?.ok && third?.ok);
      const { reading } = first;
      assert.equal(
        [reading.raw_10bit, reading.volts, reading.verified, reading.bench],
        [197, 0.634863, false, false],
      );
      assert.is(third.reading.saturated, true);
      const [mean] = await adc.read(3, limits());
      assert.ok(mean?.ok);
      assert.is(mean.reading.samples, 3);
      const health = await adc.verify(limits());
      assert.is(health.verified, false);
      assert.is(await adc.identify(limits()), undefined);
      const scan = await adc.scanI2c(limits()).catch((error: Error) => error.message);
      assert.match(String(scan), 'blacklist hid_mcp2221');
    },
    { USBADC_BACKEND: 'iio' },
  ));

test('DEV-042 a chip that is plugged in after the start is found; before, each reading says what is missing', () =>
  onMachine(
    async (adc, machine) => {
      adc.start();
      const [absent] = await adc.read(1, limits());
      assert.ok(absent && !absent.ok);
      assert.is(absent.error.code, 'device_unavailable');
      assert.match(absent.error.message, 'usb-adc-usbhid on hid:04d8:00dd');
      assert.is(adc.backend, null);
      assert.is(adc.endpoint, 'hid:04d8:00dd');
      machine.plugMcp2221a({ ...CHIP, driver: 'mcp2221', iio: IIO });
      await untilReads(adc);
    },
    { USBADC_BACKEND: 'iio' },
  ));

test('DEV-052 another chip behind the kernel’s driver gives no reading until the first one is back', () =>
  onMachine(
    async (adc, machine) => {
      const plug = (serial: string, deviceNumber: number) =>
        machine.plugMcp2221a({ ...CHIP, deviceNumber, serial, driver: 'mcp2221', iio: IIO });
      const folder = plug('A', 4);
      adc.start();
      await untilReads(adc);
      const untilFails = async (code: string) => {
        for (;;) {
          const [outcome] = await adc.read(1, limits());
          assert.ok(outcome);
          if (!outcome.ok && outcome.error.code === code) return outcome.error.message;
          await systemClock.sleep(20);
        }
      };
      // Swapped between two readings: the second chip has the same names in sysfs.
      machine.unplug(folder);
      machine.unplug(plug('B', 5));
      const other = plug('B', 6);
      assert.match(
        await untilFails('wrong_device'),
        'USB serial B, but the chip with USB serial A belongs here',
      );
      machine.unplug(other);
      plug('A', 7);
      await untilReads(adc);
    },
    { USBADC_BACKEND: 'iio' },
  ));

test('DEV-046 a chip on the virtual host controller is a bench', () =>
  onMachine(
    async (adc, machine) => {
      machine.plugMcp2221a({ ...CHIP, controller: 'platform/vhci_hcd.0', driver: 'mcp2221', iio: IIO });
      adc.start();
      await untilReads(adc);
      assert.is(adc.isBench, true);
    },
    { USBADC_BACKEND: 'iio' },
  ));

test.run();
