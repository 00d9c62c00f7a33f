import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { messageOf } from '../../../src/lib/errors/coded-error.ts';
import { suite } from '../../../src/test-kit/suite.ts';

interface BuildModule {
  programs: Record<string, string>;
  build(options: {
    entries?: Record<string, string>;
    outDir: string;
    target?: string;
    modules?: string[];
  }): Promise<{ files: { path: string; bytes: number }[]; warnings: string[] }>;
}

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { programs, build } = (await import(`${root}build.mjs`)) as BuildModule;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
const probe = { probe: 'test-hil/rig/house/probe.ts' };

const test = suite('bundles');
const folder = mkdtempSync(join(tmpdir(), 'bundle-'));
/** Where the bundles were built, and the empty folder they were then copied to. */
const [built, installed] = [join(folder, 'built'), join(folder, 'installed')];

/** Builds and moves the result to the folder it runs from, so that nothing in it may depend on where it was built. */
async function install(name: string, entry: string) {
  await build({ entries: { [name]: entry }, outDir: built });
  cpSync(built, join(installed, name), { recursive: true });
  rmSync(built, { recursive: true });
}

test.before(() => install('probe', probe.probe));
test.after(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a bundle with no package in reach. */
function run(name: string, ...args: string[]) {
  const cwd = join(folder, 'elsewhere');
  mkdirSync(cwd, { recursive: true });
  return spawnSync(process.execPath, [join(installed, name, `${name}.cjs`), ...args], {
    cwd,
    env: { PATH: '/usr/bin:/bin', HOME: cwd },
    encoding: 'utf8',
    timeout: 20_000,
  });
}

for (const [name, entry] of Object.entries(programs)) {
  test(`${name} is one executable file and runs with no node_modules in reach`, async () => {
    await install(name, entry);
    const file = join(installed, name, `${name}.cjs`);
    assert.ok(readFileSync(file, 'utf8').startsWith('#!/usr/bin/env node\n'));
    assert.is(statSync(file).mode & 0o111, 0o111);
    assert.not.ok(readFileSync(file, 'utf8').includes(root), `${file} contains ${root}`);
    const shown = run(name, '--version');
    assert.is(shown.status, 0, shown.stderr);
    assert.match(shown.stdout, version);
    const help = run(name, '--help');
    assert.is(help.status, 0, help.stderr);
    assert.match(help.stdout, name);
  });
}

test('the version is that of package.json', () => {
  assert.is(run('probe', 'version').stdout, `${version}\n`);
});

test('serialport opens through its add-on', () => {
  assert.match(run('probe', 'serialport').stdout, 'No such file or directory, cannot open /nonexistent');
});

test('DEV-053 koffi calls ioctl through its add-on', () => {
  const { stdout, stderr } = run('probe', 'koffi');
  assert.is(stdout, 'ENOTTY\n', stderr);
});

test('node-pty opens a terminal through its add-on', () => {
  assert.is(run('probe', 'node-pty').stdout, 'through a terminal\n');
});

test.needs(existsSync('/sys/bus/usb'), 'this kernel shows no USB (/sys/bus/usb)')(
  'usb loads through its add-on',
  () => {
    const { stdout, stderr } = run('probe', 'usb');
    assert.is(stdout, 'function\n', stderr);
  },
);

const libusb = spawnSync('ldconfig', ['-p'], { encoding: 'utf8', env: { PATH: '/sbin:/usr/sbin' } });
const hasHidLibraries = ['libusb-1.0.so.0', 'libudev.so.1'].every((name) => libusb.stdout?.includes(name));
test.needs(hasHidLibraries, 'Debian packages libusb-1.0-0 and libudev1 are not installed')(
  'node-hid opens through both of its add-ons in one process',
  () => {
    const { stdout, stderr } = run('probe', 'node-hid');
    const [hidraw = '', libusb = ''] = stdout.split('\n');
    assert.match(
      hidraw,
      "Failed to open a device with path '/nonexistent': No such file or directory",
      stderr,
    );
    // Only hidapi's libusb half cannot say why.
    assert.match(libusb, 'cannot open device with path /nonexistent: hid_error is not implemented yet');
  },
);

const i2cAddon = join(root, 'node_modules/i2c-bus/build/Release/i2c.node');
test.needs(existsSync(i2cAddon), 'i2c-bus was not compiled on this machine')(
  'i2c-bus opens through its add-on',
  () => {
    assert.match(run('probe', 'i2c-bus').stdout, '/dev/i2c-4321');
  },
);

test('the licences of all bundled packages travel with the bundles', () => {
  const notices = readFileSync(join(installed, 'probe', 'THIRD-PARTY-LICENCES.txt'), 'utf8');
  for (const name of ['serialport', 'koffi', 'usb', 'node-hid', '@lydell/node-pty'])
    assert.match(notices, new RegExp(`^${name} [\\d.]+ \\(+MIT`, 'm'));
  assert.match(notices, 'Permission is hereby granted');
  assert.not.match(notices, /\nundefined/);
});

async function rejection(work: Promise<unknown>): Promise<string> {
  try {
    await work;
  } catch (error) {
    return messageOf(error);
  }
  throw new Error('the build went through');
}

test('a program without an entry fails the build', async () => {
  const message = await rejection(build({ entries: { gone: 'src/cli/gone/main.ts' }, outDir: built }));
  assert.match(message, /program "gone" has no entry src\/cli\/gone\/main\.ts/);
});

test('an unknown target fails the build', async () => {
  assert.match(await rejection(build({ entries: probe, outDir: built, target: 'linux-mips' })), /linux-mips/);
});

const foreign = process.arch === 'x64' ? 'linux-arm64' : 'linux-x64';
const foreignPty = `@lydell/node-pty-${foreign}`;
test.needs(!existsSync(join(root, 'node_modules', foreignPty)), `${foreignPty} is installed here`)(
  'a missing add-on of another machine fails the build and names the way to get it',
  async () => {
    const message = await rejection(build({ entries: probe, outDir: built, target: foreign }));
    assert.match(message, `no add-on ${foreignPty}/pty.node for ${foreign}`);
    assert.match(message, /npm ci --os=linux --cpu=/);
  },
);

test('a bundle for another machine takes its add-ons from a folder that has them', async () => {
  const modules = join(folder, 'foreign_modules');
  for (const addon of [
    `${foreignPty}/pty.node`,
    `@node-usb/usb-${foreign}-gnu/usb.${foreign}-gnu.node`,
    `@koromix/koffi-${foreign}/${foreign.replace('-', '_')}/koffi.node`,
  ]) {
    mkdirSync(join(modules, addon, '..'), { recursive: true });
    writeFileSync(join(modules, addon), `add-on of ${foreign}`);
  }
  const { files } = await build({
    entries: probe,
    outDir: join(folder, foreign),
    target: foreign,
    modules: [modules],
  });
  const pty = files.find(({ path }) => path.includes('pty-'));
  assert.is(readFileSync(pty!.path, 'utf8'), `add-on of ${foreign}`);
  assert.ok(
    files.some(({ path }) => path.includes(foreign === 'linux-arm64' ? 'armv8.glibc' : 'bindings-cpp.glibc')),
  );
});

test('an unchanged file is left in place and a stale one is removed', async () => {
  const out = join(folder, 'twice');
  await build({ entries: { ...probe, other: 'test-hil/rig/house/probe.ts' }, outDir: out });
  const before = statSync(join(out, 'probe.cjs')).ino;
  await build({ entries: probe, outDir: out });
  assert.is(statSync(join(out, 'probe.cjs')).ino, before);
  assert.not.ok(existsSync(join(out, 'other.cjs')));
});

test.run();
