import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open as openTerminal } from '@lydell/node-pty';
import { SerialPort } from 'serialport';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { asNobody, canBeNobody } from '../../test-kit/transports/as-nobody.ts';
import { HostTree } from '../../test-kit/transports/host-tree.ts';
import { terminal } from '../../test-kit/transports/terminal.ts';
import { openByteTransport, type TransportError } from '../index.ts';
import { findHolder } from './find-holder.ts';

const test = suite('serial ports');
const chip = { name: '1-1', vid: '04d8', pid: '00dd', deviceNumber: 4 };

let host: HostTree;
let folder = '';
let port: ReturnType<typeof terminal>;
let child: ChildProcess | undefined;
/** What reached the binding of the package: each opening of a port of the kernel. */
let openings: Record<string, unknown>[];
const { open } = SerialPort.binding;

test.before.each(() => {
  host = new HostTree();
  folder = mkdtempSync(join(tmpdir(), 'svc-serial-'));
  port = terminal(openTerminal);
  openings = [];
  Object.assign(SerialPort.binding, {
    open: (options: Record<string, unknown>) => {
      openings.push(options);
      return open.call(SerialPort.binding, options as unknown as Parameters<typeof open>[0]);
    },
  });
});
test.after.each(async () => {
  Object.assign(SerialPort.binding, { open });
  child?.kill('SIGKILL');
  child = undefined;
  await port.pull();
  host.remove();
  rmSync(folder, { recursive: true, force: true });
});

async function faultOf(promise: Promise<unknown>): Promise<TransportError> {
  try {
    await promise;
  } catch (error) {
    return error as TransportError;
  }
  throw new Error('it was opened');
}

test('parity and data bits of the address win over those of the caller, and reach the port', async () => {
  for (const [address, parity, dataBits, bits] of [
    [`serial:${port.path}?baud=19200&parity=E&bits=7`, 'even', 7, 10],
    [`serial:${port.path}?parity=none`, 'none', 8, 10],
    [port.path, 'odd', 8, 11],
  ] as const) {
    const transport = openByteTransport(address, { baud: 9600, parity: 'odd' });
    assert.is(transport.characterBits, bits);
    await transport.open();
    await transport.close();
    const { parity: set, dataBits: width, lock, hupcl } = openings.at(-1) ?? {};
    assert.equal({ set, width, lock, hupcl }, { set: parity, width: dataBits, lock: true, hupcl: false });
  }
  assert.is(openings[0]?.baudRate, 19200);
});

test('a port that another program holds is port_busy with its name and pid', async () => {
  const script = `new (require('serialport').SerialPort)({ path: '${port.path}', baudRate: 9600 }).on('open', () => console.log('up')).resume()`;
  child = spawn(process.execPath, ['-e', script], {
    cwd: fileURLToPath(new URL('../../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout!, 'data');
  const link = join(folder, 'usb-1a86-if00');
  symlinkSync(port.path, link);
  const error = await faultOf(openByteTransport(link, { baud: 9600 }).open());
  assert.is(error.code, 'port_busy');
  assert.match(error.message, `${link} is held by ${process.execPath} -e (pid ${child.pid})`);
});

test('without a lock the holder is found by its open files, and none is invented', async () => {
  const path = join(folder, 'file');
  const fd = openSync(path, 'w');
  const { pid, locked } = (await findHolder(path)) ?? {};
  assert.equal({ pid, locked }, { pid: process.pid, locked: false });
  assert.is(await findHolder(path, join(folder, 'no-proc')), undefined);
  closeSync(fd);
  assert.is(await findHolder(path), undefined);
  assert.is(await findHolder(join(folder, 'gone')), undefined);
});

for (const [way, plug] of [
  ['name', () => host.plugMcp2221a({ ...chip, tty: basename(port.path) })],
  [
    'device number, whatever its name',
    () => {
      const { rdev } = statSync(port.path);
      const node = { major: (rdev >> 8) & 0xfff, minor: (rdev & 0xff) | ((rdev >> 12) & 0xfff00) };
      host.plugTty('ttyACM7', join(host.plugMcp2221a(chip), '1-1:1.0'), node);
    },
  ],
] as const) {
  test(`DEV-039 the tty of the USB ADC chip, known by its ${way}, is refused and never opened`, async () => {
    plug();
    const link = join(folder, 'ttyACM0');
    symlinkSync(port.path, link);
    const error = await faultOf(openByteTransport(link, { baud: 9600, sys: host.roots.sys }).open());
    assert.is(error.code, 'port_forbidden');
    assert.match(error.message, '04d8:00dd');
    assert.match(error.message, 'write /dev/serial/by-id/');
    assert.equal(openings, []);
  });
}
test('DEV-039 another adapter in the same tree is opened', async () => {
  host.plugMcp2221a({ ...chip, tty: 'ttyACM0' });
  const adapter = host.plugUsb({ name: '1-2', vid: '1a86', pid: '7523', deviceNumber: 5 });
  host.plugTty(basename(port.path), join(adapter, '1-2:1.0'));
  const transport = openByteTransport(port.path, { baud: 9600, sys: host.roots.sys });
  await transport.open();
  await transport.close();
});

test('DEV-042 pulled while open: reported once, absent until the re-plug, then open again', async () => {
  const link = join(folder, 'valves');
  symlinkSync(port.path, link);
  const transport = openByteTransport(link, { baud: 9600 });
  const codes: string[] = [];
  transport.onClosed((cause) => codes.push(cause.code));
  await transport.open();
  unlinkSync(link);
  await port.pull();
  while (codes.length === 0) await systemClock.sleep(2);
  assert.equal(codes, ['port_gone']);
  assert.is((await faultOf(transport.write(Uint8Array.of(1)))).code, 'port_closed');
  assert.is((await faultOf(transport.open())).code, 'port_absent');
  port = terminal(openTerminal);
  symlinkSync(port.path, link);
  await transport.open();
  assert.is(transport.isOpen, true);
  await transport.close();
  assert.equal(codes, ['port_gone']);
});

test('a second close of a port waits for the first: afterwards the system has it open no more', async () => {
  const openedBySelf = () =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`) === port.path;
      } catch {
        return false;
      }
    }).length;
  const before = openedBySelf();
  const transport = openByteTransport(port.path, { baud: 9600 });
  for (let round = 0; round < 5; round++) {
    await transport.open();
    assert.is(openedBySelf(), before + 1);
    void transport.close();
    await transport.close();
    assert.is(openedBySelf(), before);
  }
});

test('closing while it is being opened leaves nothing open', async () => {
  const transport = openByteTransport(port.path, { baud: 9600 });
  const both = [transport.open(), transport.open()];
  await transport.close();
  await Promise.all(both);
  assert.is(transport.isOpen, false);
  assert.is(openings.length, 1);
  const next = openByteTransport(port.path, { baud: 9600 });
  await next.open();
  await next.close();
});

test.needs(canBeNobody, 'only root can become another user')(
  'no permission is port_permission with group, mode and remedy',
  () => {
    chmodSync(port.path, 0o660);
    const error = asNobody(`
      const { openByteTransport } = await load('./index.ts');
      await openByteTransport('${port.path}', { baud: 9600 }).open();
      return {};`);
    assert.is(error.code, 'port_permission');
    assert.match(String(error.message), /\(group \w+, mode 0660\); add this user to the group \w+/);
  },
);

test.run();
