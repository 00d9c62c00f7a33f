import { mkdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { HostTree } from '../../test-kit/transports/host-tree.ts';
import { HostRoot } from './host-root.ts';
import { scanOwners } from './port-owners.ts';

const test = suite('owners of serial ports');

let tree: HostTree;
test.before.each(() => {
  tree = new HostTree();
  tree.write(join(tree.root, 'dev/ttyUSB0'), '');
});
test.after.each(() => tree.remove());

/** A process with a command line and files open. */
function run(pid: number, command: string, files: readonly string[]): void {
  tree.write(join(tree.root, `proc/${pid}/cmdline`), `${command.replaceAll(' ', '\0')}\0`);
  mkdirSync(join(tree.root, `proc/${pid}/fd`), { recursive: true });
  for (const [fd, path] of files.entries()) symlinkSync(path, join(tree.root, `proc/${pid}/fd/${fd}`));
}

const scan = (devices = ['/dev/ttyUSB0'], bridge = 0) =>
  scanOwners(new HostRoot(tree.root), devices, (pid) => (pid === bridge ? 'bridge' : null));

test('DIAG-006 DIAG-025 a process that has the real path open owns the port under every name of it', () => {
  const link = join(tree.roots.dev, 'serial/by-id/usb-FTDI-if00');
  tree.link(link, join(tree.roots.dev, 'ttyUSB0'));
  run(7, 'minicom -D /dev/ttyUSB0', ['/dev/null', '/dev/ttyUSB0']);
  const { owners, complete } = scan(['/dev/ttyUSB0', '/dev/serial/by-id/usb-FTDI-if00']);
  const owner = {
    pid: 7,
    command: 'minicom -D /dev/ttyUSB0',
    own_bridge: false,
    own_guard: false,
    source: 'fd',
  };
  assert.equal([...owners.values()], [[owner], [owner]]);
  assert.is(complete, true);
});

test('DIAG-043 the holder of a lock is named without a look into its files', () => {
  const { dev, ino } = statSync(join(tree.roots.dev, 'ttyUSB0'));
  const hex = (number: number) => number.toString(16).padStart(2, '0');
  const place = `${hex((dev >> 8) & 0xfff)}:${hex((dev & 0xff) | ((dev >> 12) & 0xfff00))}:${ino}`;
  tree.write(join(tree.root, 'proc/locks'), `1: FLOCK  ADVISORY  WRITE 4321 ${place} 0 EOF\n`);
  tree.write(join(tree.root, 'proc/4321/cmdline'), 'svc-other\0');
  const { owners, unreadable, complete } = scan();
  assert.equal(
    owners.get('/dev/ttyUSB0')?.map(({ pid, command, source }) => [pid, command, source]),
    [[4321, 'svc-other', 'flock']],
  );
  assert.equal([unreadable, complete], [1, false], 'its files could not be listed');
});

test('DIAG-007 the process of the bridge is marked as such', () => {
  run(9, 'node svc-bridge.cjs', ['/dev/ttyUSB0']);
  assert.is(scan(['/dev/ttyUSB0'], 9).owners.get('/dev/ttyUSB0')?.[0]?.own_bridge, true);
});

test('what emulates a pseudo-terminal is its device and no owner; another process with it open is one', () => {
  tree.write(join(tree.root, 'dev/pts/5'), '');
  run(11, 'svc-bench', ['/dev/ptmx', '/dev/pts/5']);
  tree.write(join(tree.root, 'proc/11/fdinfo/0'), 'pos:\t0\ntty-index:\t5\n');
  run(12, 'svc-bridge', ['/dev/pts/5']);
  assert.equal(
    scan(['/dev/pts/5'])
      .owners.get('/dev/pts/5')
      ?.map(({ pid }) => pid),
    [12],
  );
});

test('without /proc nothing is known, which is not the same as nobody', () => {
  assert.is(scan().complete, false);
});

test.run();
