import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { HostTree, type PluggedMcp2221a } from '../../test-kit/transports/host-tree.ts';
import { isBench } from '../is-bench.ts';
import { openHidTransport } from '../open.ts';
import type { TransportError } from '../transport-error.ts';
import { LinuxHid } from './linux-hid.ts';
import type { HidDriver, HidPackage } from './node-hid.ts';

const test = suite('HID on Linux');
const ADDRESS = 'hid:04d8:00dd';
/** As hid_mcp2221 owns it: no hidraw. */
const OWNED: PluggedMcp2221a = {
  name: '1-1.2',
  vid: '04d8',
  pid: '00dd',
  deviceNumber: 4,
  driver: 'mcp2221',
};
const CHIP: PluggedMcp2221a = { ...OWNED, driver: 'hid-generic', hidraw: 'hidraw0' };
const OUT = Uint8Array.from([0, 0x10, ...new Array<number>(63).fill(0)]);

/** The kernel's side of an open HID device, as node-hid hands it on. Answers each report with its own 64 bytes. */
class KernelHid extends EventEmitter {
  closed = 0;
  written: Buffer[] = [];
  failure: Error | undefined;
  takes = 65;

  constructor(
    readonly driver: HidDriver,
    readonly path: string,
  ) {
    super();
  }

  resume(): void {}
  pause(): void {}
  async write(bytes: Buffer): Promise<number> {
    if (this.failure) throw this.failure;
    this.written.push(bytes);
    setImmediate(() => this.emit('data', bytes.subarray(1)));
    return this.takes;
  }

  async close(): Promise<void> {
    this.closed += 1;
    this.removeAllListeners();
  }
}

let host: HostTree;
let opened: KernelHid[];
let hid: LinuxHid;
let closedWith: string[];
let reports: Uint8Array[];

const load = async (driver: HidDriver): Promise<HidPackage> => {
  const open = async (path: string) => {
    const device = new KernelHid(driver, path);
    opened.push(device);
    return device;
  };
  return { HIDAsync: { open } } as unknown as HidPackage;
};

function transport(backend: 'auto' | HidDriver = 'auto'): LinuxHid {
  const options = { address: ADDRESS, vendorId: 0x04d8, productId: 0x00dd, ...host.roots };
  const made = new LinuxHid({ ...options, backend, load });
  made.onClosed((cause) => closedWith.push(cause.code));
  made.onReport((report) => reports.push(report));
  return made;
}

const codeOf = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'resolved',
    (error: TransportError) => error.code,
  );

test.before.each(() => {
  host = new HostTree();
  opened = [];
  closedWith = [];
  reports = [];
  hid = transport();
});
test.after.each(async () => {
  await hid.close();
  host.remove();
});

test('DEV-002 65 bytes go out, 64 come in', async () => {
  host.plugMcp2221a(CHIP);
  await hid.open();
  await hid.write(OUT);
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  assert.is(opened[0]?.written[0]?.length, 65);
  assert.equal(
    reports.map((report) => report.length),
    [64],
  );
});

test('DEV-038 what was opened, how and past what is reported', async () => {
  host.plugMcp2221a(CHIP);
  await hid.open();
  assert.equal(hid.endpoint, {
    backend: 'hidraw',
    path: join(host.roots.dev, 'hidraw0'),
    kernelDriver: 'hid-generic',
  });
  assert.equal(hid.passedOver, []);
});

test('DEV-038 with another kernel driver libusb opens the interface by its kernel name', async () => {
  host.plugMcp2221a(OWNED);
  await hid.open();
  assert.equal(hid.endpoint, { backend: 'libusb', path: '1-1.2:1.2', kernelDriver: 'mcp2221' });
  assert.is(hid.passedOver[0]?.backend, 'hidraw');
  await hid.close();
  assert.equal(hid.passedOver, []);
});

test('DEV-042 a pulled plug closes the handle, is reported once, and the re-plug may have another number and owner', async () => {
  const folder = host.plugMcp2221a(CHIP);
  await hid.open();
  host.unplug(folder);
  opened[0]?.emit('error', new Error('could not read from HID device: Input/output error'));
  assert.equal(closedWith, ['port_gone']);
  assert.is(hid.endpoint, undefined);
  assert.is(opened[0]?.closed, 1);
  assert.is(await codeOf(hid.write(OUT)), 'port_closed');
  assert.is(await codeOf(hid.open()), 'port_absent');
  host.plugMcp2221a({ ...OWNED, deviceNumber: 5 });
  await hid.open();
  assert.is(hid.endpoint?.backend, 'libusb');
  await hid.write(OUT);
});

test('SVC-065 the device node is locked against programs of other network namespaces, until the handle is closed', async () => {
  host.plugMcp2221a(CHIP);
  await hid.open();
  const other = transport();
  assert.is(await codeOf(other.open()), 'port_busy');
  assert.match(
    String(await other.open().catch(String)),
    /hidraw0 of hid:04d8:00dd is locked by another program/,
  );
  assert.is(opened.length, 1, 'it was not even opened');
  await hid.close();
  assert.is(await codeOf(other.open()), 'resolved');
  await other.close();
});

test('SVC-065 a lock on the node ends with the process that holds it', async () => {
  host.plugMcp2221a(CHIP);
  const node = join(host.roots.dev, 'hidraw0');
  const holder = spawn(
    'flock',
    ['--no-fork', '--exclusive', node, 'sh', '-c', 'echo locked; exec sleep 60'],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      detached: true,
    },
  );
  await once(holder.stdout, 'data');
  assert.is(await codeOf(hid.open()), 'port_busy');
  process.kill(-(holder.pid ?? 0), 'SIGKILL');
  await once(holder, 'exit');
  assert.is(await codeOf(hid.open()), 'resolved');
});

test('a write that fails or is cut short is port_gone', async () => {
  host.plugMcp2221a(CHIP);
  await hid.open();
  const [device] = opened;
  assert.ok(device);
  device.takes = 64;
  assert.is(await codeOf(hid.write(OUT)), 'port_gone');
  device.failure = new Error('Cannot write to hid device: No such device');
  assert.is(await codeOf(hid.write(OUT)), 'port_gone');
});

test('closing reports nothing, closes the handle once and may be repeated', async () => {
  host.plugMcp2221a(CHIP);
  await hid.open();
  await hid.close();
  await hid.close();
  assert.is(opened[0]?.closed, 1);
  assert.equal(closedWith, []);
});

test('opening twice at once opens one handle, and closing meanwhile closes it', async () => {
  host.plugMcp2221a(CHIP);
  const both = [hid.open(), hid.open()];
  await hid.close();
  await Promise.all(both);
  assert.is(opened.length, 1);
  assert.is(opened[0]?.closed, 1);
  assert.is(hid.endpoint, undefined);
});

test('the real package refuses a node that is not a hidraw device as port_failed', async () => {
  host.plugMcp2221a(CHIP);
  const real = openHidTransport(ADDRESS, { backend: 'hidraw', ...host.roots });
  const error = await real.open().catch((fault: TransportError) => fault);
  if (error?.code === 'driver_missing') assert.match(error.message, 'install the Debian packages');
  else {
    assert.is(error?.code, 'port_failed');
    assert.match(error?.message ?? '', 'not a HIDRAW device');
  }
});

test('DEV-046 a device that hangs on vhci_hcd is a bench, one on a real controller is not', () => {
  host.plugUsb({ name: '1-1', vid: '1ffb', pid: '00c9', deviceNumber: 2 });
  assert.is(isBench('usb:1ffb:00c9', host.roots), false);
  assert.is(isBench('hid:04d8:00dd', host.roots), false);
  host.plugMcp2221a({ ...CHIP, name: '3-1', controller: 'platform/vhci_hcd.0' });
  assert.is(isBench('hid:04d8:00dd', host.roots), true);
});

test.run();
