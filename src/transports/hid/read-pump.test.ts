import { setImmediate as nextTurn } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { HostTree } from '../../test-kit/transports/host-tree.ts';
import { nodeHidOverNative } from '../../test-kit/transports/native-hid.ts';
import type { TransportError } from '../transport-error.ts';
import { LinuxHid } from './linux-hid.ts';

const test = suite("the read pump over node-hid's own code");

const ADDRESS = 'hid:04d8:00dd';
const CHIP = {
  name: '1-1.2',
  vid: '04d8',
  pid: '00dd',
  deviceNumber: 4,
  driver: 'hid-generic',
  hidraw: 'hidraw0',
};
const REPORT = Uint8Array.from({ length: 64 }, (_, index) => index);

let host: HostTree;
let nodeHid: ReturnType<typeof nodeHidOverNative>;
let hid: LinuxHid;
let reports: Uint8Array[];
let closedWith: TransportError[];
/** Exceptions that nothing has caught: each would end a service. */
let uncaught: unknown[];
let listeners: NodeJS.UncaughtExceptionListener[];
const note = (cause: unknown) => uncaught.push(cause);

test.before.each(() => {
  host = new HostTree();
  host.plugMcp2221a(CHIP);
  nodeHid = nodeHidOverNative();
  const load = async () => nodeHid.package;
  hid = new LinuxHid({
    address: ADDRESS,
    vendorId: 0x04d8,
    productId: 0x00dd,
    backend: 'auto',
    ...host.roots,
    load,
  });
  [reports, closedWith, uncaught] = [[], [], []];
  hid.onReport((report) => reports.push(report));
  hid.onClosed((cause) => closedWith.push(cause));
  listeners = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', note);
});
test.after.each(async () => {
  await hid.close();
  process.removeAllListeners('uncaughtException');
  for (const listener of listeners) process.on('uncaughtException', listener);
  host.remove();
});

const turns = async () => {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
};

test('DEV-051 a handle closed in the turn in which it was opened ends no process', async () => {
  for (let round = 0; round < 3; round++) {
    await hid.open();
    await hid.close();
    await turns();
    assert.equal(uncaught, []);
  }
  assert.equal(
    nodeHid.handles.map(({ closes }) => closes),
    [1, 1, 1],
  );
  assert.equal(closedWith, []);
});

test('DEV-051 a handle closed while it is being opened ends no process', async () => {
  const opening = hid.open();
  await hid.close();
  await opening;
  await turns();
  assert.equal([uncaught, nodeHid.handles.map(({ closes }) => closes)], [[], [1]]);
});

test('DEV-051 once open is resolved the handle is being read', async () => {
  await hid.open();
  assert.is(nodeHid.handles[0]?.isRead, true);
  nodeHid.handles[0]?.report(REPORT);
  assert.equal(
    reports.map((report) => [...report]),
    [[...REPORT]],
  );
});

test('DEV-051 an exception of node-hid when its read thread cannot start is a fault of the device', async () => {
  const { HIDAsync } = nodeHid.package;
  const open = HIDAsync.open.bind(HIDAsync);
  const refusing = async (path: string) => {
    const device = await open(path);
    device.resume = () => {
      throw new Error('no thread');
    };
    return device;
  };
  HIDAsync.open = refusing as typeof HIDAsync.open;
  const error = await hid.open().catch((cause: TransportError) => cause);
  await turns();
  assert.is(error?.code, 'port_gone');
  assert.match(error?.message ?? '', 'no thread');
  assert.equal([uncaught, hid.endpoint, nodeHid.handles[0]?.closes], [[], undefined, 1]);
});

test('DEV-051 a read error of node-hid closes the handle once and is reported once', async () => {
  await hid.open();
  nodeHid.handles[0]?.fail('could not read from HID device: Input/output error');
  await turns();
  assert.equal(
    closedWith.map(({ code }) => code),
    ['port_gone'],
  );
  assert.equal([uncaught, nodeHid.handles[0]?.closes], [[], 1]);
});

test('DEV-051 a defect in a listener of ours stays an uncaught exception, not a fault of the device', async () => {
  await hid.open();
  const defect = new TypeError('a defect');
  hid.onReport(() => {
    throw defect;
  });
  nodeHid.handles[0]?.report(REPORT);
  await turns();
  assert.equal([uncaught, closedWith], [[defect], []]);
});

test.run();
