import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../test-kit/end-with-parent.ts';
import { suite } from '../test-kit/suite.ts';
import { nativePrograms, withNativePrograms } from './native-programs.ts';

const test = suite('programs lent to a root file system for another processor');
const isLent = (name: string) =>
  ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].some((folder) => existsSync(join(folder, name)));
const isPc = nativePrograms() !== undefined && ['cpio', 'modprobe', 'xz', 'zstd'].every(isLent);
const onPc = test.needs(isPc, 'needs a PC with cpio, kmod, xz-utils and zstd');
const asRoot = test.needs(isPc && process.getuid?.() === 0, 'needs such a PC, and root for chroot');

function emptyRoot(): string {
  const root = mkdtempSync(join(temporaryFolder('native-'), 'root-'));
  mkdirSync(join(root, 'usr/lib'), { recursive: true });
  symlinkSync('usr/lib', join(root, 'lib'));
  return root;
}

const contents = (root: string) => readdirSync(root, { recursive: true, encoding: 'utf8' }).sort();

onPc('IMG-001 they are all taken back, with their libraries', async () => {
  const root = emptyRoot();
  const before = contents(root);
  await withNativePrograms(root, async () => {
    assert.ok(contents(root).includes('svc-native/dpkg-deb'));
    for (const other of ['dpkg', 'depmod']) assert.not(contents(root).includes(`svc-native/${other}`));
  });
  assert.equal(contents(root), before);
});

onPc('IMG-001 they are taken back also where the work failed', async () => {
  const root = emptyRoot();
  const before = contents(root);
  const fails = withNativePrograms(root, () => Promise.reject(new Error('a package is broken')));
  assert.match(await fails.catch(String), /a package is broken/);
  assert.equal(contents(root), before);
});

asRoot('IMG-001 each runs there without any other file', async () => {
  const root = emptyRoot();
  await withNativePrograms(root, async () => {
    for (const name of ['dpkg-deb', 'tar', 'sed', 'grep', 'xz', 'zstd', 'cpio', 'modprobe', 'cp'])
      execFileSync('chroot', [root, `/svc-native/${name}`, '--version'], { stdio: 'pipe' });
  });
});

test.run();
