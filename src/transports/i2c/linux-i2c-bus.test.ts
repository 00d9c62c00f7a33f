import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { HostTree } from '../../test-kit/transports/host-tree.ts';
import { isBench } from '../is-bench.ts';
import { isBeingSetUp } from '../sysfs/i2c-adapter.ts';
import type { TransportError } from '../transport-error.ts';
import { type I2cHandle, LinuxI2cBus } from './linux-i2c-bus.ts';

const test = suite('I2C on Linux');
const CHIP = { name: '1-1', vid: '04d8', pid: '00dd', deviceNumber: 4, driver: 'mcp2221', i2c: 'i2c-3' };
let folder = '';

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-i2c-'));
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

/** The bus on a package that does nothing but count, and say what is to be said. */
function onPackage(write: () => Promise<void> = async () => {}) {
  const clock = new SteppedClock();
  const path = join(folder, 'i2c-7');
  writeFileSync(path, '');
  const seen: string[] = [];
  const handle: I2cHandle = {
    i2cWrite: async (_device, length) => {
      seen.push('write');
      await write();
      return { bytesWritten: length };
    },
    i2cRead: async (_device, length, buffer) => {
      seen.push('read');
      return { bytesRead: length, buffer };
    },
    close: async () => {
      seen.push('close');
    },
  };
  const openPromisified = async (bus: number) => {
    seen.push(`open ${bus}`);
    return handle;
  };
  const bus = new LinuxI2cBus({ address: path, path, clock, load: async () => ({ openPromisified }) });
  return { bus, clock, seen };
}

test('DEV-057 a bus that is not used is closed, since an open adapter cannot be unplugged, and opened again for the next transfer', async () => {
  const { bus, clock, seen } = onPackage();
  await bus.transfer(0x48, Uint8Array.of(1), 2);
  await clock.advance(150);
  await bus.transfer(0x48, Uint8Array.of(1), 0);
  await clock.advance(150);
  assert.equal(seen, ['open 7', 'write', 'read', 'write']);
  await clock.advance(100);
  assert.equal(seen.slice(4), ['close']);
  await bus.transfer(0x48, Uint8Array.of(1), 0);
  assert.equal(seen.slice(5), ['open 7', 'write']);
  await bus.close();
  assert.is(clock.pending, 0);
});

test('DEV-057 a bus that is closed under a transfer is closed behind it', async () => {
  let finish = () => {};
  const hanging = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { bus, clock, seen } = onPackage(() => hanging);
  const transfer = bus.transfer(0x48, Uint8Array.of(1), 2);
  while (!seen.includes('write')) await Promise.resolve();
  await bus.close();
  assert.equal(seen, ['open 7', 'write']);
  finish();
  await transfer;
  assert.equal(seen, ['open 7', 'write', 'read', 'close']);
  assert.is(clock.pending, 0);
});

const SAID: [said: string, code: string, closes: boolean][] = [
  ['ENXIO: no such device or address, write', 'i2c_nack', false],
  ['EREMOTEIO: remote I/O error, write', 'i2c_nack', false],
  ['ETIMEDOUT: connection timed out, write', 'i2c_timeout', true],
  ['EIO: i/o error, read', 'port_failed', true],
  ['ENODEV: no such device, write', 'port_gone', true],
  ['ESHUTDOWN: cannot send after transport endpoint shutdown', 'port_gone', true],
];
for (const [said, code, closes] of SAID) {
  test(`DEV-057 "${said}" of the kernel is ${code}${closes ? ', and the bus is opened anew' : ''}`, async () => {
    const { bus, seen } = onPackage(() => Promise.reject(new Error(said)));
    const error = await bus.transfer(0x48, Uint8Array.of(1), 2).catch((fault: TransportError) => fault);
    assert.is((error as TransportError).code, code);
    assert.match((error as TransportError).message, /; check /);
    assert.is(seen.includes('close'), closes);
    await bus.close();
  });
}

test('DEV-057 an adapter of hid_mcp2221 is being set up until its GPIO chip is there; any other adapter is ready', () => {
  const host = new HostTree();
  try {
    const { sys } = host.roots;
    host.write(join(sys, 'bus/gpio/uevent'), '');
    host.plugMcp2221a(CHIP);
    assert.is(isBeingSetUp('/dev/i2c-3', sys), true);
    host.plugMcp2221a({ ...CHIP, gpio: 'gpiochip0' });
    assert.is(isBeingSetUp('/dev/i2c-3', sys), false);
    host.plugMcp2221a({ ...CHIP, name: '1-2', driver: 'other', i2c: 'i2c-4' });
    assert.is(isBeingSetUp('/dev/i2c-4', sys), false);
    assert.is(isBeingSetUp('/dev/i2c-77', sys), false);
    rmSync(join(sys, 'bus/gpio'), { recursive: true });
    host.plugMcp2221a({ ...CHIP, name: '1-3', i2c: 'i2c-5' });
    assert.is(isBeingSetUp('/dev/i2c-5', sys), false, 'a kernel without GPIO makes no GPIO chip');
  } finally {
    host.remove();
  }
});

test('DEV-046 an adapter of a USB device on vhci_hcd is a bench, one of a real device is not', () => {
  const host = new HostTree();
  try {
    host.plugMcp2221a(CHIP);
    host.plugMcp2221a({ ...CHIP, name: '3-1', controller: 'platform/vhci_hcd.0', i2c: 'i2c-4' });
    assert.is(isBench('/dev/i2c-3', host.roots), false);
    assert.is(isBench('i2c:/dev/i2c-4#0x48', host.roots), true);
  } finally {
    host.remove();
  }
});

test.run();
