import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { open as openTerminal } from '@lydell/node-pty';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { asNobody, canBeNobody, NOBODY } from '../../test-kit/transports/as-nobody.ts';
import { terminal } from '../../test-kit/transports/terminal.ts';
import { openByteTransport } from '../index.ts';
import { ExclusivePort } from './exclusive-port.ts';
import { loadIoctl, TIOCEXCL, TIOCNXCL } from './ioctl.ts';

const test = suite('exclusive serial ports');
const hasMbpoll = spawnSync('mbpoll', ['-V']).error === undefined;
const asRoot = test.needs(canBeNobody, 'only root can become another user');

let port: ReturnType<typeof terminal>;
let folder = '';
let child: ChildProcess | undefined;
test.before.each(() => {
  port = terminal(openTerminal);
  // Everybody may open it: what refuses an intruder is not its mode.
  chmodSync(port.path, 0o666);
  folder = mkdtempSync(join(tmpdir(), 'svc-exclusive-'));
});
test.after.each(async () => {
  child?.kill('SIGKILL');
  child = undefined;
  await port.pull();
  rmSync(folder, { recursive: true, force: true });
});

/** What mbpoll says when it reads the coils of unit 1 as the user `nobody`. */
function mbpollAsNobody(path: string): string {
  const options = [
    '-m',
    'rtu',
    '-b',
    '19200',
    '-P',
    'none',
    '-a',
    '1',
    '-t',
    '0',
    '-r',
    '1',
    '-c',
    '8',
    '-o',
    '0.1',
    '-1',
  ];
  const { stdout, stderr } = spawnSync('mbpoll', [...options, path], {
    uid: NOBODY,
    gid: NOBODY,
    encoding: 'utf8',
    timeout: 20_000,
  });
  return stdout + stderr;
}

/** Opens a port by our transport in a process of its own, says so, and stays. */
async function holder(path: string, user: { uid?: number; gid?: number } = {}): Promise<ChildProcess> {
  const index = new URL('../index.ts', import.meta.url).href;
  const script = `
    const { openByteTransport } = await import(${JSON.stringify(index)});
    await openByteTransport(${JSON.stringify(path)}, { baud: 9600 }).open();
    process.stdout.write('open');
    setInterval(() => {}, 1000);`;
  const started = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    ...user,
    cwd: fileURLToPath(new URL('../', import.meta.url)),
    env: { PATH: process.env.PATH, HOME: '/tmp' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(started.stdout!, 'data');
  return started;
}

async function killed(process: ChildProcess): Promise<void> {
  process.kill('SIGKILL');
  await once(process, 'exit');
}

test.needs(canBeNobody && hasMbpoll, 'needs root, to become another user, and the Debian package mbpoll')(
  'DEV-053 mbpoll of another user cannot open a port of ours, and can before and afterwards',
  async () => {
    assert.match(mbpollAsNobody(port.path), 'timed out');
    const transport = openByteTransport(port.path, { baud: 19_200 });
    await transport.open();
    assert.equal(await transport.warnings?.(), []);
    assert.match(mbpollAsNobody(port.path), 'busy');
    await transport.close();
    assert.match(mbpollAsNobody(port.path), 'timed out');
  },
);

asRoot('DEV-053 a port that is held exclusively is port_busy and names its holder', async () => {
  const transport = openByteTransport(port.path, { baud: 9600 });
  await transport.open();
  const error = asNobody(`
    const { openByteTransport } = await load('./index.ts');
    await openByteTransport('${port.path}', { baud: 9600 }).open();
    return {};`);
  await transport.close();
  assert.is(error.code, 'port_busy');
  assert.match(String(error.message), `(pid ${process.pid}); stop that program to free the port`);
  assert.not.match(String(error.message), 'unknown');
});

asRoot('DEV-053 a port can be opened again after its owner closed it or was killed', async () => {
  const transport = openByteTransport(port.path, { baud: 9600 });
  for (let round = 0; round < 3; round++) {
    await transport.open();
    await transport.close();
  }
  child = await holder(port.path);
  await killed(child);
  await transport.open();
  assert.equal(await transport.warnings?.(), []);
  await transport.close();
});

asRoot(
  'DEV-053 a user whom the flag of a pseudo-terminal would lock out after a crash does not set it, and says so',
  async () => {
    child = await holder(port.path, { uid: NOBODY, gid: NOBODY });
    await killed(child);
    const again = asNobody(`
    const { openByteTransport } = await load('./index.ts');
    const transport = openByteTransport('${port.path}', { baud: 9600 });
    await transport.open();
    const warnings = await transport.warnings();
    await transport.close();
    return { warnings };`);
    assert.equal(again.warnings, [
      `${port.path} is not exclusive, other programs can disturb it: a pseudo-terminal would stay locked after a crash`,
    ]);
  },
);

/** A terminal of the kernel that is gone with its last user, as a serial adapter is; undefined where there is none. */
function virtualConsole(): string | undefined {
  const path = join(tmpdir(), `svc-console-${process.pid}`);
  if (spawnSync('mknod', ['-m', '666', path, 'c', '4', '43']).status !== 0) return undefined;
  try {
    closeSync(openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK));
    return path;
  } catch {
    rmSync(path);
    return undefined;
  }
}
const console43 = canBeNobody ? virtualConsole() : undefined;
test.after(() => {
  if (console43 !== undefined) rmSync(console43);
});

test.needs(
  console43 !== undefined && hasMbpoll,
  'needs root, a virtual console (tty43) and the Debian package mbpoll',
)(
  'DEV-053 an unprivileged owner keeps mbpoll out of a port of the kernel, and opens it again after it was killed',
  async () => {
    const path = console43 as string;
    child = await holder(path, { uid: NOBODY, gid: NOBODY });
    assert.match(mbpollAsNobody(path), 'busy');
    await killed(child);
    const again = asNobody(`
      const { openByteTransport } = await load('./index.ts');
      const transport = openByteTransport('${console43}', { baud: 9600 });
      await transport.open();
      const warnings = await transport.warnings();
      await transport.close();
      return { warnings };`);
    assert.equal(again.warnings, []);
  },
);

test('DEV-053 a missing package for ioctl is reported, and noticed when it is there again', async () => {
  const requests: number[] = [];
  let isThere = false;
  const load = async () => {
    if (!isThere) throw new Error('the package koffi does not load: Cannot find module');
    return (_: number, request: number) => void requests.push(request);
  };
  const exclusive = new ExclusivePort({ path: '/dev/ttyUSB0', fd: () => 9, load });
  await exclusive.take();
  assert.match(
    String(await exclusive.fault()),
    '/dev/ttyUSB0 is not exclusive, other programs can disturb it: the package koffi',
  );
  exclusive.release();
  assert.equal(requests, []);
  isThere = true;
  assert.is(await exclusive.fault(), undefined);
  exclusive.release();
  assert.equal(requests, [TIOCEXCL, TIOCNXCL]);
});

test('DEV-053 a port that another program had open before is not locked, and the program is named until it has ended', async () => {
  const path = join(folder, 'port');
  writeFileSync(path, '');
  const fd = openSync(path, 'r');
  child = spawn('sleep', ['1000'], { stdio: [fd, 'ignore', 'ignore'] });
  closeSync(fd);
  const requests: number[] = [];
  const load = async () => (_: number, request: number) => void requests.push(request);
  const exclusive = new ExclusivePort({ path, fd: () => 9, load });
  await exclusive.take();
  assert.match(
    String(await exclusive.fault()),
    `sleep 1000 (pid ${child.pid}) had it open before; stop that program`,
  );
  assert.is(requests.at(-1), TIOCNXCL);
  await killed(child);
  assert.is(await exclusive.fault(), undefined);
  assert.is(requests.at(-1), TIOCEXCL);
});

test('DEV-053 without the right to pass the flag a pseudo-terminal is left alone; nothing is asked of a closed port', async () => {
  mkdirSync(join(folder, 'self'));
  writeFileSync(join(folder, 'self/status'), 'Name:\tnode\nCapEff:\t00000000a80425fb\n');
  const requests: number[] = [];
  const load = async () => (_: number, request: number) => void requests.push(request);
  const unprivileged = new ExclusivePort({ path: port.path, fd: () => 9, load, proc: folder });
  await unprivileged.take();
  assert.match(String(await unprivileged.fault()), 'would stay locked after a crash');
  const closed = new ExclusivePort({ path: '/dev/ttyUSB0', fd: () => null, load, proc: folder });
  await closed.take();
  closed.release();
  assert.equal(requests, []);
});

asRoot(
  'DEV-053 a pseudo-terminal under another name, as a container has it, is left alone as well',
  async () => {
    const node = join(folder, 'twin');
    const { rdev } = statSync(port.path);
    const [major, minor] = [(rdev >> 8) & 0xfff, rdev & 0xff];
    assert.is(spawnSync('mknod', [node, 'c', String(major), String(minor)]).status, 0);
    mkdirSync(join(folder, 'self'));
    writeFileSync(join(folder, 'self/status'), 'Name:\tnode\nCapEff:\t0000000000000000\n');
    const exclusive = new ExclusivePort({ path: node, fd: () => 9, load: noRequest, proc: folder });
    await exclusive.take();
    assert.match(String(await exclusive.fault()), 'would stay locked after a crash');
  },
);

const noRequest = async () => () => assert.unreachable('the flag may not be set');

test('ioctl reports what the kernel refuses by its name, and reads what it answers', async () => {
  const ioctl = await loadIoctl();
  const fd = openSync(join(folder, 'file'), 'w+');
  assert.throws(() => ioctl(fd, TIOCEXCL), /^ENOTTY$/);
  const unread = Buffer.alloc(4);
  const FIONREAD = 0x541b;
  writeFileSync(fd, 'abc');
  const fromStart = openSync(join(folder, 'file'), 'r');
  ioctl(fromStart, FIONREAD, unread);
  assert.is(unread.readInt32LE(), 3);
  closeSync(fd);
  closeSync(fromStart);
});

test.run();
