import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { asNobody, canBeNobody } from '../../test-kit/transports/as-nobody.ts';
import { HostTree, type PluggedMcp2221a } from '../../test-kit/transports/host-tree.ts';
import { findHid } from '../sysfs/find-hid.ts';
import { usbStrings } from '../sysfs/usb-strings.ts';
import type { TransportError } from '../transport-error.ts';
import type { HidPackage } from './node-hid.ts';
import {
  ADC_BACKENDS,
  type AdcBackend,
  type PassedOver,
  type SelectOptions,
  selectBackend,
} from './select-backend.ts';

const test = suite('ways to the USB ADC');
const IDS = { vendorId: 0x04d8, productId: 0x00dd };
const CHIP: PluggedMcp2221a = { name: '1-1.2', vid: '04d8', pid: '00dd', deviceNumber: 4 };
const IIO = { name: 'iio:device0', words: ['197', '0', '1023'] };

let host: HostTree;
test.before.each(() => {
  host = new HostTree();
});
test.after.each(() => host.remove());

const loads = async () => ({}) as HidPackage;
const select = (options: Partial<SelectOptions> = {}) =>
  selectBackend('hid:04d8:00dd', IDS, { backends: ADC_BACKENDS, load: loads, ...host.roots, ...options });

async function faultOf(promise: Promise<unknown>): Promise<TransportError> {
  try {
    await promise;
  } catch (error) {
    return error as TransportError;
  }
  throw new Error('a way was found');
}

test('the HID interface is found with its owner, node and strings', async () => {
  host.plugMcp2221a({ ...CHIP, driver: 'hid-generic', hidraw: 'hidraw3' });
  const [found] = findHid(IDS.vendorId, IDS.productId, host.roots);
  assert.is(found?.interfaceName, '1-1.2:1.2');
  assert.is(found?.kernelDriver, 'hid-generic');
  assert.is(found?.hidraw, join(host.roots.dev, 'hidraw3'));
  assert.is(found?.iio, null);
  assert.is(found?.usb.node, join(host.roots.dev, 'bus/usb/001/004'));
  assert.equal(await usbStrings(found?.usb.directory ?? ''), {
    manufacturer: 'Microchip Technology Inc.',
    product: 'MCP2221 USB-I2C/UART Combo',
    serial: null,
  });
});

test('of several devices the order is that of bus and port, and other ids are not looked at', () => {
  for (const [name, deviceNumber] of [
    ['1-1.10', 9],
    ['2-1', 3],
    ['1-1.9', 12],
  ] as const)
    host.plugMcp2221a({ ...CHIP, name, deviceNumber });
  host.plugMcp2221a({ ...CHIP, name: '1-1.1', deviceNumber: 2, pid: '00de' });
  assert.equal(
    findHid(IDS.vendorId, IDS.productId, host.roots).map(({ usb }) => usb.name),
    ['1-1.9', '1-1.10', '2-1'],
  );
});

test('a device that is half removed from sysfs is left out', () => {
  const folder = host.plugMcp2221a(CHIP);
  rmSync(join(folder, 'devnum'));
  assert.equal(findHid(IDS.vendorId, IDS.productId, host.roots), []);
});

test('no sysfs at all is not a device', () => {
  assert.equal(findHid(IDS.vendorId, IDS.productId, { sys: '/nonexistent', dev: '/nonexistent' }), []);
});

const order: [title: string, chip: Partial<PluggedMcp2221a>, backend: AdcBackend, passedOver: RegExp[]][] = [
  ['a hidraw node', { driver: 'hid-generic', hidraw: 'hidraw0', iio: IIO }, 'hidraw', []],
  [
    'no node, for hid_mcp2221 owns it',
    { driver: 'mcp2221', iio: IIO },
    'libusb',
    [/mcp2221 owns the interface.*blacklist hid_mcp2221/],
  ],
  ['no kernel driver at all', {}, 'libusb', [/no kernel driver owns.*check udev/]],
];
for (const [title, chip, backend, passedOver] of order) {
  test(`DEV-038 ${title}: ${backend} is taken, and the reasons are reported`, async () => {
    host.plugMcp2221a({ ...CHIP, ...chip });
    const selection = await select();
    assert.is(selection.backend, backend);
    assert.is(selection.candidate.kernelDriver, chip.driver ?? null);
    assert.is(selection.passedOver.length, passedOver.length);
    for (const [index, pattern] of passedOver.entries())
      assert.match(selection.passedOver[index]?.reason ?? '', pattern);
  });
}

test('DEV-038 a sysfs entry without its node in /dev is not a hidraw', async () => {
  host.plugMcp2221a({ ...CHIP, driver: 'hid-generic', hidraw: 'hidraw0' });
  rmSync(join(host.roots.dev, 'hidraw0'));
  const { backend, passedOver } = await select();
  assert.is(backend, 'libusb');
  assert.match(
    passedOver[0]?.reason ?? '',
    'there is no hidraw node (hid-generic owns the interface); check udev',
  );
});

test('DEV-038 without a loadable libusb the IIO device is taken, with both reasons', async () => {
  host.plugMcp2221a({ ...CHIP, driver: 'mcp2221', iio: IIO });
  const load = async () => {
    throw new Error('libusb-1.0.so.0: cannot open shared object file');
  };
  const selection = await select({ load });
  assert.is(selection.backend, 'iio');
  assert.is(selection.candidate.iio, join(host.roots.sys, 'bus/iio/devices/iio:device0'));
  assert.equal(
    selection.passedOver.map(({ backend }) => backend),
    ['hidraw', 'libusb'],
  );
  assert.match(
    selection.passedOver[1]?.reason ?? '',
    'install the Debian packages libusb-1.0-0 and libudev1',
  );
});

test('DEV-038 a backend that is asked for by name is not replaced by another', async () => {
  host.plugMcp2221a({ ...CHIP, driver: 'mcp2221', iio: IIO });
  const error = await faultOf(select({ backends: ['hidraw'] }));
  assert.is(error.code, 'port_absent');
  assert.match(error.message, 'owned by mcp2221');
  assert.match(error.message, 'blacklist hid_mcp2221');
});

test('an IIO device whose words cannot be assigned to pins is no way', async () => {
  host.plugMcp2221a({ ...CHIP, driver: 'mcp2221', iio: { name: 'iio:device0', words: ['1', '2'] } });
  const error = await faultOf(select({ backends: ['iio'] }));
  assert.is(error.code, 'port_failed');
  assert.match(error.message, 'not known which word is which pin');
});

test('nothing plugged in is port_absent', async () => {
  const error = await faultOf(select());
  assert.is(error.code, 'port_absent');
  assert.match(error.message, 'hid:04d8:00dd');
});

test('an interface that another program holds through libusb is port_busy', async () => {
  host.plugMcp2221a({ ...CHIP, driver: 'usbfs' });
  const error = await faultOf(select());
  assert.is(error.code, 'port_busy');
});

test.needs(canBeNobody, 'only root can become another user')(
  'DEV-038 nodes that this user may not open are passed over with their group and mode',
  () => {
    host.plugMcp2221a({ ...CHIP, driver: 'hid-generic', hidraw: 'hidraw0', iio: IIO });
    chmodSync(join(host.roots.dev, '..'), 0o755);
    chmodSync(join(host.roots.dev, 'hidraw0'), 0o660);
    chmodSync(join(host.roots.dev, 'bus/usb/001/004'), 0o600);
    const { backend, passedOver } = asNobody(`
      const { selectBackend, ADC_BACKENDS } = await load('./hid/select-backend.ts');
      const options = { backends: ADC_BACKENDS, ...${JSON.stringify(host.roots)} };
      return selectBackend('hid:04d8:00dd', ${JSON.stringify(IDS)}, options);`);
    assert.is(backend, 'iio');
    const [hidraw, libusb] = passedOver as PassedOver[];
    assert.match(hidraw?.reason ?? '', /hidraw0 \(group root, mode 0660\); add this user to the group root/);
    assert.match(libusb?.reason ?? '', /mode 0600\); install udev\/99-svc-rig.rules/);
  },
);

test.run();
