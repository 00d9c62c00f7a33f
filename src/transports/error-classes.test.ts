import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer as createHttp } from 'node:http';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { open as openTerminal } from '@lydell/node-pty';
import * as assert from 'uvu/assert';
import { systemClock } from '../lib/clock/clock.ts';
import { CodedError } from '../lib/errors/coded-error.ts';
import { suite } from '../test-kit/suite.ts';
import { asNobody, canBeNobody } from '../test-kit/transports/as-nobody.ts';
import { HostTree, type PluggedMcp2221a } from '../test-kit/transports/host-tree.ts';
import { encodeMessage } from './bench/messages.ts';
import {
  getJson,
  IioVoltages,
  openByteTransport,
  openHidTransport,
  openI2cBus,
  openUsbControl,
} from './index.ts';

const test = suite('classes of errors');

let folder = '';
let host: HostTree;
/** What has to be put away after a test, last first. */
let cleanUps: (() => unknown)[];

const HID = 'hid:04d8:00dd';
const USB = 'usb:1ffb:00c9';
const OWNED: PluggedMcp2221a = { name: '1-1', vid: '04d8', pid: '00dd', deviceNumber: 4, driver: 'mcp2221' };
const CHIP: PluggedMcp2221a = { ...OWNED, driver: 'hid-generic', hidraw: 'hidraw0' };
const TIC = { name: '1-2', vid: '1ffb', pid: '00c9', deviceNumber: 5 };
const IDENTITY = { vendorId: 0x1ffb, productId: 0x00c9, serial: null, bcdDevice: 0x0106 };
const OUT = new Uint8Array(65);

function pty(): { path: string; pull: () => void } {
  const { master, slave, ptsName } = openTerminal({ cols: 80, rows: 24, encoding: null });
  const keeper = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY);
  slave.destroy();
  master.on('error', () => {});
  let pull = () => {
    pull = () => {};
    closeSync(keeper);
    master.destroy();
  };
  cleanUps.push(() => pull());
  return { path: ptsName, pull: () => pull() };
}

/** A bench socket; `pull` ends the bench. */
async function listen(serve: (client: Socket) => void = () => {}) {
  const path = join(folder, 'twin.sock');
  const clients: Socket[] = [];
  const server: Server = createServer((client) => {
    clients.push(client);
    client.on('error', () => {}).resume();
    serve(client);
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  const pull = async () => {
    for (const client of clients) client.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  cleanUps.push(pull);
  return { path, pull };
}

/** What an open transport reports when it ends on its own. */
function endOf(transport: { onClosed(listener: (cause: Error) => void): unknown }): Promise<never> {
  return new Promise((_, reject) => transport.onClosed(reject));
}

async function closedAfter<T extends { close(): unknown }>(transport: T, use: (one: T) => Promise<unknown>) {
  cleanUps.push(() => transport.close());
  await use(transport);
}

const serial = (path: string) => openByteTransport(path, { baud: 9600, sys: host.roots.sys });
const file = (name: string) => {
  const path = join(folder, name);
  writeFileSync(path, '');
  return path;
};
const nowhere = () => join(folder, 'nowhere');

interface Row {
  kind: string;
  fault: string;
  code: string;
  /** What the message must contain: the place and the remedy. */
  says: (string | RegExp)[];
  provoke: () => Promise<unknown>;
  asNobody?: true;
}

const wrongAddress = (kind: string, address: string, open: () => unknown): Row => ({
  kind,
  fault: 'the address names another transport',
  code: 'address_invalid',
  says: [`"${address}"`, 'write '],
  provoke: async () => open(),
});

const rows: Row[] = [
  wrongAddress('serial', USB, () => serial(USB)),
  wrongAddress('HID', USB, () => openHidTransport(USB)),
  wrongAddress('USB', HID, () => openUsbControl(HID)),
  wrongAddress('I2C', HID, () => openI2cBus(HID)),
  wrongAddress('HTTP', HID, () => getJson(HID, { timeoutMs: 100, maxBytes: 10, clock: systemClock })),
  {
    kind: 'serial',
    fault: 'absent',
    code: 'port_absent',
    says: ['nowhere', 'plug the device in'],
    provoke: () => serial(nowhere()).open(),
  },
  {
    kind: 'bench',
    fault: 'absent',
    code: 'port_absent',
    says: ['nowhere', 'start svc-bench'],
    provoke: () => openByteTransport(`bench:${nowhere()}`, { baud: 9600 }).open(),
  },
  {
    kind: 'HID',
    fault: 'absent',
    code: 'port_absent',
    says: [HID, 'plug it in'],
    provoke: () => openHidTransport(HID, host.roots).open(),
  },
  {
    kind: 'HID over the bench',
    fault: 'absent',
    code: 'port_absent',
    says: ['nowhere', 'start svc-bench'],
    provoke: () => openHidTransport(`bench:${nowhere()}`).open(),
  },
  {
    kind: 'IIO',
    fault: 'absent',
    code: 'port_absent',
    says: [HID, 'plug it in'],
    provoke: () => new IioVoltages({ address: HID, vendorId: 0x04d8, productId: 0xdd, ...host.roots }).open(),
  },
  {
    kind: 'USB',
    fault: 'absent',
    code: 'port_absent',
    says: [USB, 'plug it in'],
    provoke: async () => {
      host.plugMcp2221a(CHIP);
      await openUsbControl(USB, host.roots).open();
    },
  },
  {
    kind: 'USB over the bench',
    fault: 'absent',
    code: 'port_absent',
    says: ['nowhere', 'start svc-bench'],
    provoke: () => openUsbControl(`bench:${nowhere()}`).open(),
  },
  {
    kind: 'I2C over the bench',
    fault: 'absent',
    code: 'port_absent',
    says: ['nowhere', 'start svc-bench'],
    provoke: () => openI2cBus(`bench:${nowhere()}`).transfer(0x48, new Uint8Array(), 1),
  },
  {
    kind: 'HTTP',
    fault: 'absent',
    code: 'http_failed',
    says: ['GET http://127.0.0.1:1/', 'check that the unit has power'],
    provoke: () => getJson('http://127.0.0.1:1/', { timeoutMs: 800, maxBytes: 10, clock: systemClock }),
  },
  {
    kind: 'serial',
    fault: 'busy',
    code: 'port_busy',
    says: ['/dev/pts/', `(pid ${process.pid})`, 'stop that program'],
    provoke: async () => {
      const { path } = pty();
      await closedAfter(serial(path), (first) => first.open());
      await serial(path).open();
    },
  },
  {
    kind: 'HID',
    fault: 'busy',
    code: 'port_busy',
    says: [HID, '1-1', 'stop that program'],
    provoke: async () => {
      host.plugMcp2221a({ ...OWNED, driver: 'usbfs' });
      await openHidTransport(HID, { ...host.roots, backend: 'libusb' }).open();
    },
  },
  {
    kind: 'serial',
    fault: 'no permission',
    code: 'port_permission',
    says: ['/dev/pts/', 'mode 0600'],
    asNobody: true,
    provoke: async () => {
      const { path } = pty();
      chmodSync(path, 0o600);
      return asNobody(
        `const { openByteTransport } = await load('./index.ts'); return openByteTransport('${path}', { baud: 9600 }).open();`,
      );
    },
  },
  {
    kind: 'bench',
    fault: 'no permission',
    code: 'port_permission',
    says: ['twin.sock', 'mode 0700'],
    asNobody: true,
    provoke: async () => {
      const { path } = await listen();
      chmodSync(folder, 0o755);
      chmodSync(path, 0o700);
      return asNobody(
        `const { openByteTransport } = await load('./index.ts'); return openByteTransport('bench:${path}', { baud: 9600 }).open();`,
      );
    },
  },
  {
    kind: 'HID',
    fault: 'no permission',
    code: 'port_permission',
    says: ['hidraw0', 'mode 0660', 'add this user to the group'],
    asNobody: true,
    provoke: async () => {
      host.plugMcp2221a(CHIP);
      chmodSync(join(host.roots.dev, '..'), 0o755);
      chmodSync(join(host.roots.dev, 'hidraw0'), 0o660);
      const options = JSON.stringify({ ...host.roots, backend: 'hidraw' });
      return asNobody(
        `const { openHidTransport } = await load('./index.ts'); return openHidTransport('${HID}', ${options}).open();`,
      );
    },
  },
  {
    kind: 'USB',
    fault: 'no permission',
    code: 'port_permission',
    says: ['bus/usb/001/005', 'mode 0600', 'install udev/99-svc-rig.rules'],
    asNobody: true,
    provoke: async () => {
      host.plugUsb(TIC);
      chmodSync(join(host.roots.dev, '..'), 0o755);
      chmodSync(join(host.roots.dev, 'bus/usb/001/005'), 0o600);
      return asNobody(
        `const { openUsbControl } = await load('./index.ts'); return openUsbControl('${USB}', ${JSON.stringify(host.roots)}).open();`,
      );
    },
  },
  {
    kind: 'I2C over the bench',
    fault: 'no permission',
    code: 'port_permission',
    says: ['twin.sock', 'group i2c'],
    provoke: async () => {
      const { path } = await listen((client) =>
        client.write(encodeMessage({ ok: false, error: 'permission_denied' })),
      );
      const bus = openI2cBus(`bench:${path}`);
      await closedAfter(bus, (one) => one.transfer(0x48, new Uint8Array(), 1));
    },
  },
  ...['a file', 'a folder', 'no tty'].map(
    (what): Row => ({
      kind: 'serial',
      fault: `${what} of the wrong kind`,
      code: 'port_failed',
      says: [
        what === 'no tty' ? '/dev/null' : 'wrong kind',
        /correct the address|of the kind the address names/,
      ],
      provoke: () => {
        mkdirSync(join(folder, 'sub'));
        return serial(
          { 'a file': file('plain'), 'a folder': join(folder, 'sub') }[what] ?? '/dev/null',
        ).open();
      },
    }),
  ),
  {
    kind: 'bench',
    fault: 'a file of the wrong kind',
    code: 'port_absent',
    says: ['plain', 'start svc-bench'],
    provoke: () => openByteTransport(`bench:${file('plain')}`, { baud: 9600 }).open(),
  },
  {
    kind: 'USB over the bench',
    fault: 'the socket of another kind of twin',
    code: 'port_failed',
    says: ['twin.sock', 'is it the socket of a USB twin?'],
    provoke: async () => {
      const { path } = await listen((client) => client.write(encodeMessage({ in: '10' })));
      await openUsbControl(`bench:${path}`).open();
    },
  },
  {
    kind: 'HTTP',
    fault: 'a server of the wrong kind',
    code: 'http_failed',
    says: ['GET http://127.0.0.1:', 'not valid JSON', 'check that the address leads to the wanted unit'],
    provoke: async () => {
      const server = createHttp((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
      cleanUps.push(() => new Promise((resolve) => server.close(resolve)));
      await new Promise((resolve) => server.once('listening', resolve));
      const { port } = server.address() as AddressInfo;
      await getJson(`http://127.0.0.1:${port}/`, { timeoutMs: 800, maxBytes: 100, clock: systemClock });
    },
  },
  {
    kind: 'serial',
    fault: 'gone while open',
    code: 'port_gone',
    says: ['/dev/pts/', 'plug it in again'],
    provoke: async () => {
      const { path, pull } = pty();
      const transport = serial(path);
      await closedAfter(transport, async () => {
        await transport.open();
        const end = endOf(transport);
        pull();
        await end;
      });
    },
  },
  {
    kind: 'HID over the bench',
    fault: 'gone while open',
    code: 'port_gone',
    says: ['twin.sock', 'plug the twin in again'],
    provoke: async () => {
      const { path, pull } = await listen();
      const transport = openHidTransport(`bench:${path}`);
      await transport.open();
      await transport.write(OUT);
      const end = endOf(transport);
      await pull();
      await end;
    },
  },
  {
    kind: 'USB over the bench',
    fault: 'gone in the middle of a transfer',
    code: 'port_gone',
    says: ['twin.sock', 'plug the twin in again'],
    provoke: async () => {
      const { path, pull } = await listen((client) => client.write(encodeMessage({ identity: IDENTITY })));
      const transport = openUsbControl(`bench:${path}`);
      await transport.open();
      const transfer = transport.controlIn({ request: 0xa1, value: 0, index: 0 }, 90);
      setTimeout(() => void pull(), 10);
      await transfer;
    },
  },
  {
    kind: 'I2C over the bench',
    fault: 'gone in the middle of a transfer',
    code: 'port_gone',
    says: ['twin.sock', 'plug the twin in again'],
    provoke: async () => {
      const { path, pull } = await listen();
      const transfer = openI2cBus(`bench:${path}`).transfer(0x48, new Uint8Array(), 1);
      setTimeout(() => void pull(), 10);
      await transfer;
    },
  },
  {
    kind: 'IIO',
    fault: 'gone while open',
    code: 'port_gone',
    says: ['iio:device', 'plug the device in again'],
    provoke: async () => {
      const chip = host.plugMcp2221a({ ...OWNED, iio: { name: 'iio:device0', words: ['1', '2', '3'] } });
      const iio = new IioVoltages({ address: HID, vendorId: 0x04d8, productId: 0xdd, ...host.roots });
      await iio.open();
      host.unplug(chip);
      await iio.read(0);
    },
  },
];

test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-errors-'));
  host = new HostTree();
  cleanUps = [];
});
test.after.each(async () => {
  for (const cleanUp of cleanUps.reverse()) await cleanUp();
  host.remove();
  rmSync(folder, { recursive: true, force: true });
});

for (const row of rows) {
  test.needs(!row.asNobody || canBeNobody, 'only root can become another user')(
    `${row.kind}, ${row.fault}: ${row.code}, with the place and a remedy`,
    async () => {
      const told = (await row.provoke().catch((error: unknown) => error)) as CodedError;
      if (!row.asNobody) assert.instance(told, CodedError);
      assert.is(told.code, row.code, told.message);
      for (const part of row.says) assert.match(told.message, part);
    },
  );
}

test.run();
