import { rmSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { HostTree, type PluggedUsb } from '../../test-kit/transports/host-tree.ts';
import { openUsbControl } from '../open.ts';
import type { TransportError } from '../transport-error.ts';
import { LinuxUsb, type LinuxUsbOptions } from './linux-usb.ts';
import type { PackageDevice, UsbPackage } from './usb-package.ts';

const test = suite('USB on Linux');
const TIC: PluggedUsb = {
  name: '1-1.3',
  vid: '1ffb',
  pid: '00c9',
  deviceNumber: 7,
  bcdDevice: '0106',
  serial: '00425280',
};
const READ = { request: 0xa1, value: 0, index: 0x33 };

/** The kernel's side of USB devices as the package hands it on: setups in, data or a fault out. */
class KernelUsb {
  setups: unknown[] = [];
  openDevices = 0;
  failure: Error | undefined;
  openFailure: Error | undefined;
  stalls = false;
  /** This build sends nothing before an interface is claimed. */
  wantsClaim = false;
  claimFailure: Error | undefined;
  claims: number[] = [];
  overlaps = 0;
  #busy = false;

  /** The package refuses a call during another one. */
  async #alone<T>(work: () => T): Promise<T> {
    if (this.#busy) this.overlaps += 1;
    this.#busy = true;
    await new Promise((resolve) => setImmediate(resolve));
    this.#busy = false;
    return work();
  }

  device(address: number, ports: number[]): PackageDevice {
    const answer = <T>(setup: unknown, timeoutMs: number, data: T, stall: T): Promise<T> =>
      this.#alone(() => {
        if (this.wantsClaim && this.claims.length === 0)
          throw new Error('controlTransferIn error: invalid state');
        this.setups.push({ ...(setup as object), timeoutMs, address });
        if (this.failure) throw this.failure;
        return this.stalls ? stall : data;
      });
    return {
      address,
      ports,
      open: () =>
        this.#alone(() => {
          if (this.openFailure) throw this.openFailure;
          this.openDevices += 1;
        }),
      close: () =>
        this.#alone(() => {
          this.openDevices -= 1;
        }),
      claimInterface: (number) =>
        this.#alone(() => {
          if (this.claimFailure) throw this.claimFailure;
          this.claims.push(number);
        }),
      nativeControlTransferIn: (setup, timeoutMs, length) =>
        answer<Uint8Array | null>(setup, timeoutMs, Uint8Array.of(0xc0, 0x5d, 1).slice(0, length), null),
      nativeControlTransferOut: (setup, timeoutMs) => answer(setup, timeoutMs, 0, -1),
    };
  }
}

let host: HostTree;
let kernel: KernelUsb;
let plugged: PackageDevice[];
let clock: SteppedClock;
let usb: LinuxUsb;
let closedWith: string[];

function transport(options: Partial<LinuxUsbOptions> = {}): LinuxUsb {
  const load = async (): Promise<UsbPackage> => ({ usb: { getDevices: async () => plugged } });
  const made = new LinuxUsb({
    address: 'usb:1ffb:00c9',
    vendorId: 0x1ffb,
    productId: 0x00c9,
    clock,
    timeoutMs: 1600,
    load,
    ...host.roots,
    ...options,
  });
  made.onClosed((cause) => closedWith.push(cause.code));
  return made;
}

const faultOf = (promise: Promise<unknown>): Promise<TransportError> =>
  promise.then(
    () => {
      throw new Error('it went through');
    },
    (error: TransportError) => error,
  );

test.before.each(() => {
  host = new HostTree();
  kernel = new KernelUsb();
  plugged = [kernel.device(2, [1]), kernel.device(7, [1, 3])];
  clock = new SteppedClock();
  closedWith = [];
  usb = transport();
});
test.after.each(async () => {
  await usb.close();
  assert.is(clock.pending, 0);
  assert.is(kernel.overlaps, 0);
  assert.is(kernel.openDevices, 0);
  host.remove();
});

test('the identity comes from the descriptors of the very device that is opened', async () => {
  host.plugUsb(TIC);
  await usb.open();
  assert.equal(usb.identity, {
    vendorId: 0x1ffb,
    productId: 0x00c9,
    serial: '00425280',
    bcdDevice: 0x0106,
    path: '1-1.3',
  });
  await usb.controlOut({ request: 0x85, value: 0, index: 0 });
  assert.equal(kernel.setups, [
    {
      requestType: 'vendor',
      recipient: 'device',
      request: 0x85,
      value: 0,
      index: 0,
      timeoutMs: 1600,
      address: 7,
    },
  ]);
  assert.equal(await usb.controlIn(READ, 2), Uint8Array.of(0xc0, 0x5d));
});

test('of two the one with the wanted serial string is opened, and a wrong one names what is there', async () => {
  host.plugUsb({ ...TIC, name: '1-1', deviceNumber: 2, serial: '00000001' });
  host.plugUsb(TIC);
  await usb.open();
  assert.is(usb.identity?.serial, '00000001');
  await usb.close();
  usb = transport({ serial: '00425280' });
  await usb.open();
  assert.is(usb.identity?.path, '1-1.3');
  await usb.close();
  usb = transport({ serial: '4711' });
  const error = await faultOf(usb.open());
  assert.is(error.code, 'port_absent');
  assert.match(error.message, 'plugged in: 00000001, 00425280');
});

test('a STALL in either form is usb_stall and leaves the device open', async () => {
  host.plugUsb(TIC);
  await usb.open();
  kernel.stalls = true;
  assert.is((await faultOf(usb.controlIn(READ, 2))).code, 'usb_stall');
  assert.is((await faultOf(usb.controlOut(READ))).code, 'usb_stall');
  kernel.failure = new Error('controlTransferIn error: endpoint stalled');
  assert.is((await faultOf(usb.controlIn(READ, 2))).code, 'usb_stall');
  assert.ok(usb.identity);
});

const failures: [said: string, code: string][] = [
  ['controlTransferIn error: transfer was cancelled', 'usb_timeout'],
  ['controlTransferIn error: device disconnected', 'port_gone'],
  ['controlTransferIn error: hardware fault or protocol violation', 'port_failed'],
];
for (const [said, code] of failures) {
  test(`"${said}" is ${code}`, async () => {
    host.plugUsb(TIC);
    await usb.open();
    kernel.failure = new Error(said);
    const error = await faultOf(usb.controlIn(READ, 2));
    assert.is(error.code, code);
    assert.match(error.message, 'usb:1ffb:00c9');
    assert.equal(closedWith, code === 'port_gone' ? ['port_gone'] : []);
  });
}

test('DEV-042 a plug pulled between transfers is noticed within a second, and the re-plug opens again', async () => {
  const folder = host.plugUsb(TIC);
  await usb.open();
  await clock.advance(2000);
  assert.equal(closedWith, []);
  host.unplug(folder);
  await clock.advance(1000);
  assert.equal(closedWith, ['port_gone']);
  assert.is(usb.identity, undefined);
  assert.is(kernel.openDevices, 0);
  assert.is((await faultOf(usb.controlIn(READ, 2))).code, 'port_closed');
  assert.is((await faultOf(usb.open())).code, 'port_absent');
  host.plugUsb({ ...TIC, deviceNumber: 8 });
  plugged = [kernel.device(8, [1, 3])];
  await usb.open();
  assert.is((await usb.controlIn(READ, 2)).length, 2);
});

test('a re-plug that is faster than the watch is still a lost device', async () => {
  const folder = host.plugUsb(TIC);
  await usb.open();
  host.unplug(folder);
  host.plugUsb({ ...TIC, deviceNumber: 8 });
  await clock.advance(600);
  assert.equal(closedWith, ['port_gone']);
});

test('a transfer that fails because the plug was pulled is port_gone, whatever the package says', async () => {
  const folder = host.plugUsb(TIC);
  await usb.open();
  host.unplug(folder);
  kernel.failure = new Error('controlTransferIn error: unknown (71)');
  assert.is((await faultOf(usb.controlIn(READ, 2))).code, 'port_gone');
});

test('a device that is in sysfs and no longer on the bus is port_absent', async () => {
  host.plugUsb(TIC);
  plugged = [kernel.device(6, [1, 3])];
  assert.is((await faultOf(usb.open())).code, 'port_absent');
});

test('a package that cannot be used is driver_missing', async () => {
  host.plugUsb(TIC);
  const load = async () => {
    throw new Error('Cannot find native binding');
  };
  const error = await faultOf(transport({ load }).open());
  assert.is(error.code, 'driver_missing');
  assert.match(error.message, 'Cannot find native binding');
});

test('a kernel without USB is driver_missing, and the native package is not even loaded', async () => {
  rmSync(join(host.roots.sys), { recursive: true, force: true });
  let loads = 0;
  const load = async (): Promise<UsbPackage> => {
    loads += 1;
    return { usb: { getDevices: async () => [] } };
  };
  const error = await faultOf(transport({ load }).open());
  assert.is(error.code, 'driver_missing');
  assert.match(error.message, 'bus/usb is missing');
  assert.is(loads, 0);
});

test('the real package finds no such device here, by a code and not by a crash', async () => {
  host.plugUsb({ ...TIC, deviceNumber: 999 });
  const error = await faultOf(openUsbControl('usb:1ffb:00c9', { clock, ...host.roots }).open());
  assert.ok(['driver_missing', 'port_absent'].includes(error.code), error.message);
});

test('an open that fails holds nothing', async () => {
  host.plugUsb(TIC);
  kernel.openFailure = new Error('open error: failed to open device (errno 16) Device or resource busy');
  assert.is((await faultOf(usb.open())).code, 'port_busy');
  kernel.openFailure = new Error('open error: failed to open device: Permission denied (os error 13)');
  assert.is((await faultOf(usb.open())).code, 'port_permission');
  assert.is(kernel.openDevices, 0);
});

test('no interface is claimed, unless this build of the package wants one: then once, and nothing is sent twice', async () => {
  host.plugUsb(TIC);
  await usb.open();
  await usb.controlIn(READ, 2);
  assert.equal(kernel.claims, []);
  await usb.close();
  kernel.wantsClaim = true;
  kernel.setups = [];
  await usb.open();
  await usb.controlIn(READ, 2);
  await usb.controlOut(READ);
  assert.equal(kernel.claims, [0]);
  assert.is(kernel.setups.length, 2);
});

test('a build that still sends nothing after the claim is port_failed, without claiming again', async () => {
  host.plugUsb(TIC);
  await usb.open();
  kernel.failure = new Error('controlTransferIn error: invalid state');
  assert.is((await faultOf(usb.controlIn(READ, 2))).code, 'port_failed');
  assert.is((await faultOf(usb.controlIn(READ, 2))).code, 'port_failed');
  assert.equal(kernel.claims, [0]);
});

test('an interface that cannot be claimed is an error, and nothing is sent', async () => {
  host.plugUsb(TIC);
  kernel.wantsClaim = true;
  kernel.claimFailure = new Error('claimInterface error: interface is busy (errno 16)');
  await usb.open();
  const error = await faultOf(usb.controlIn(READ, 2));
  assert.is(error.code, 'port_failed');
  assert.match(error.message, 'interface is busy');
  assert.equal(kernel.setups, []);
});

test('transfers at the same time go one after the other, and closing ends those that wait', async () => {
  host.plugUsb(TIC);
  await usb.open();
  const outcomes = [1, 2, 3].map(() =>
    usb.controlIn(READ, 2).then(
      () => 'answered',
      (error: TransportError) => error.code,
    ),
  );
  await new Promise((resolve) => setImmediate(resolve));
  await usb.close();
  assert.equal(await Promise.all(outcomes), ['answered', 'port_closed', 'port_closed']);
  assert.is(kernel.setups.length, 1);
});

test('opening twice at once opens one device, and closing meanwhile closes it', async () => {
  host.plugUsb(TIC);
  const both = [usb.open(), usb.open()];
  await usb.close();
  await Promise.all(both);
  assert.is(kernel.openDevices, 0);
  assert.is(usb.identity, undefined);
});

test.run();
