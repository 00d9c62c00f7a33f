import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { asNobody, canBeNobody } from '../../test-kit/transports/as-nobody.ts';
import { HostTree, type PluggedMcp2221a } from '../../test-kit/transports/host-tree.ts';
import type { TransportError } from '../transport-error.ts';
import { IioVoltages } from './iio-voltages.ts';

const test = suite('IIO voltages');
const IDS = { address: 'hid:04d8:00dd', vendorId: 0x04d8, productId: 0x00dd };
const chip = (words: string[], iio = 'iio:device1'): PluggedMcp2221a => ({
  name: '1-1',
  vid: '04d8',
  pid: '00dd',
  deviceNumber: 4,
  driver: 'mcp2221',
  iio: { name: iio, words },
});

let host: HostTree;
let iio: IioVoltages;
test.before.each(() => {
  host = new HostTree();
  iio = new IioVoltages({ ...IDS, ...host.roots });
});
test.after.each(() => host.remove());

async function faultOf(promise: Promise<unknown>): Promise<TransportError> {
  try {
    await promise;
  } catch (error) {
    return error as TransportError;
  }
  throw new Error('it was read');
}

test('DEV-038 each channel gives the word of its own attribute', async () => {
  host.plugMcp2221a(chip(['197', '0', '1023']));
  await iio.open();
  assert.is(iio.path, join(host.roots.sys, 'bus/iio/devices/iio:device1'));
  assert.equal([await iio.read(0), await iio.read(1), await iio.read(2)], [197, 0, 1023]);
});

test('an IIO device of something else is never read', async () => {
  host.write(join(host.roots.sys, 'devices/other/iio:device0/in_voltage0_raw'), '5\n');
  host.link(
    join(host.roots.sys, 'bus/iio/devices/iio:device0'),
    join(host.roots.sys, 'devices/other/iio:device0'),
  );
  const { iio: none, ...without } = chip([]);
  host.plugMcp2221a(without);
  assert.is((await faultOf(iio.open())).code, 'port_absent');
});

for (const text of ['', '-5', '1.5', '0x10', 'nan', '12 13', '9999999999']) {
  test(`"${text}" is an error and never a number`, async () => {
    host.plugMcp2221a(chip([text, '1', '2']));
    await iio.open();
    const error = await faultOf(iio.read(0));
    assert.is(error.code, 'port_failed');
    assert.match(error.message, 'in_voltage0_raw');
    assert.match(error.message, JSON.stringify(text));
  });
}

test('DEV-042 unplugged while open is port_gone, and after the re-plug the new number is found', async () => {
  const folder = host.plugMcp2221a(chip(['1', '2', '3']));
  await iio.open();
  host.unplug(folder);
  assert.is((await faultOf(iio.read(0))).code, 'port_gone');
  await iio.close();
  assert.is((await faultOf(iio.open())).code, 'port_absent');
  rmSync(join(host.roots.sys, 'bus/iio/devices/iio:device1'));
  host.plugMcp2221a(chip(['7', '8', '9'], 'iio:device2'));
  await iio.open();
  assert.is(await iio.read(0), 7);
});

for (const present of [1, 2]) {
  test(`with ${present} of the three channels no word is given, for its pin is not known`, async () => {
    host.plugMcp2221a(chip(['1', '2', '3'].slice(0, present)));
    const error = await faultOf(iio.open());
    assert.is(error.code, 'port_failed');
    assert.match(error.message, 'flash GP1, GP2 and GP3 as ADC inputs');
    assert.is((await faultOf(iio.read(0))).code, 'port_closed');
  });
}

test('closed is port_closed', async () => {
  assert.is((await faultOf(iio.read(0))).code, 'port_closed');
});

test.needs(canBeNobody, 'only root can become another user')('no permission is port_permission', () => {
  host.plugMcp2221a(chip(['1', '2', '3']));
  chmodSync(join(host.roots.dev, '..'), 0o755);
  chmodSync(join(host.roots.sys, 'bus/iio/devices/iio:device1/in_voltage0_raw'), 0o600);
  const error = asNobody(`
    const { IioVoltages } = await load('./iio/iio-voltages.ts');
    const iio = new IioVoltages(${JSON.stringify({ ...IDS, ...host.roots })});
    await iio.open();
    return { value: await iio.read(0) };`);
  assert.is(error.code, 'port_permission');
  assert.match(String(error.message), 'mode 0600');
});

test.run();
