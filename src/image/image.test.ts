import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../test-kit/suite.ts';
import { commandLine } from './boot-files.ts';
import { packagesOf } from './debian-base.ts';
import { imageAptSources } from './image-root.ts';
import { imageToolsMissing } from './image-tools.ts';
import { DISK_BYTES, DISK_ID, layout, partitionTable } from './layout.ts';
import { commandsIn, manPage } from './man-page.ts';
import { debianComponents, npmComponents } from './package-list.ts';

const test = suite('image');
const own = fileURLToPath(new URL('../../rootfs/image/', import.meta.url));
const text = (path: string) => readFileSync(join(own, path), 'utf8');

test('IMG-001 a machine without the tools gets one sentence with the packages to install', () => {
  const bare = imageToolsMissing((path) => path === '/usr/bin/apt-get', 0);
  assert.match(
    bare ?? '',
    /^mmdebstrap, .* missing on this machine: apt-get install .*debian-archive-keyring /,
  );
  assert.match(bare ?? '', /mtools/);
  assert.is(
    imageToolsMissing(() => true, 0),
    undefined,
  );
  assert.match(imageToolsMissing(() => true, 1000) ?? '', /^not root/);
});

test('IMG-001 no file that goes into the image names a host but that of its own apt sources', () => {
  const files = readdirSync(own, { recursive: true, encoding: 'utf8', withFileTypes: true });
  for (const file of files.filter((one) => one.isFile()))
    assert.not.match(readFileSync(join(file.parentPath, file.name), 'utf8'), /https?:\/\//, file.name);
  const hosts = imageAptSources(undefined).map((line) => /\/\/([^/]+)/.exec(line)?.[1]);
  assert.equal([...new Set(hosts)], ['deb.debian.org']);
  assert.equal(imageAptSources('http://mirror.invalid/debian'), [
    'deb http://mirror.invalid/debian trixie main non-free-firmware',
  ]);
});

test('the partitions follow each other without a gap and fill the disk, which is a power of two', () => {
  const parts = Object.values(layout);
  for (const [index, part] of parts.entries()) {
    assert.is(part.number, index + 1);
    const next = parts[index + 1];
    assert.is(part.startBytes + part.bytes, next === undefined ? DISK_BYTES : next.startBytes);
  }
  assert.is(Math.log2(DISK_BYTES) % 1, 0);
  assert.is(layout.rootA.bytes, layout.rootB.bytes);
  assert.match(partitionTable(), new RegExp(`^label: dos\nlabel-id: 0x${DISK_ID}\n`));
});

test('config.txt and tryboot.txt differ in the one byte that names the slot', () => {
  const config = text('firmware/config.txt');
  assert.is(config.match(/@SLOT@/g)?.length, 1);
  assert.match(config, /^os_prefix=@SLOT@\/$/m);
});

test('each slot starts the kernel with its own root, read-only, and without a console on the UART of the rig', () => {
  const template = text('firmware/cmdline.txt');
  assert.match(commandLine(template, 'a'), new RegExp(`^root=PARTUUID=${DISK_ID}-02 `));
  assert.match(commandLine(template, 'b'), new RegExp(`^root=PARTUUID=${DISK_ID}-03 `));
  assert.match(template, / ro /);
  assert.not.match(template, /ttyAMA|ttyS|serial/);
  assert.is(template.trim().split('\n').length, 1);
});

test('the list of packages has comments and no package twice', () => {
  const packages = packagesOf(text('packages'));
  assert.is(new Set(packages).size, packages.length);
  for (const name of packages) assert.match(name, /^[a-z0-9][a-z0-9.+-]+$/);
});

test('the device-tree overlays compile', () => {
  if (imageToolsMissing()?.includes('dtc')) return;
  for (const name of readdirSync(join(own, 'overlays')))
    execFileSync('dtc', [
      '-@',
      '-q',
      '-I',
      'dts',
      '-O',
      'dtb',
      '-o',
      '/dev/null',
      join(own, 'overlays', name),
    ]);
});

test('the list of packages of the image has those of Debian that are installed, and those of npm that ship', () => {
  const stanza = (name: string, state: string) =>
    `Package: ${name}\nStatus: install ok ${state}\nArchitecture: arm64\nVersion: 1:2.3-4`;
  const status = `${stanza('udev', 'installed')}\n\n${stanza('gone', 'config-files')}\n`;
  assert.equal(debianComponents(status), [
    { type: 'library', name: 'udev', version: '1:2.3-4', purl: 'pkg:deb/debian/udev@1%3A2.3-4?arch=arm64' },
  ]);
  const packages = {
    '': { version: '1.0.0' },
    'node_modules/@a/b': { version: '2.0.0' },
    'node_modules/c/node_modules/@a/b': { version: '2.0.0' },
    'node_modules/tool': { version: '3.0.0', dev: true },
  };
  assert.equal(
    npmComponents(packages).map(({ purl }) => purl),
    ['pkg:npm/%40a/b@2.0.0'],
  );
});

test('a manual page is what --help prints, without requests of troff in it', () => {
  const help =
    'Usage: tool [options]\n       tool --once\n\nStops the\nrig.\n\nOptions:\n  -h, --help  print\n.help\n\nCommands:\n  run [options]  run it\n  help           display\n\nSee \\x.\n';
  const page = manPage('tool', help, '1.0.0');
  assert.match(page, /^\.SH NAME\ntool \\- Stops the rig$/m);
  assert.match(page, /^\.SH OPTIONS\n\.nf\n\\-h, \\-\\-help {2}print\n\\&\.help\n\.fi$/m);
  assert.match(page, /^See \\ex\.$/m);
  assert.equal(commandsIn(help), ['run']);
  assert.throws(() => manPage('tool', 'error: no such option', '1.0.0'), /begin with "Usage: "/);
});

test.run();
