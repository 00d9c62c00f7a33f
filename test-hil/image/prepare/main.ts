// node --import tsx test-hil/image/prepare/main.ts: makes the guest of the tests in this folder, if it is not there yet.
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { demandDebian, dependencyOf, notInstalled, unpack } from './debian.ts';
import { guestImage, guestMissing, recipe } from './guest-image.ts';
import { compileI2cBus } from './i2c-addon.ts';
import { makeInitramfs } from './initramfs.ts';

/** QEMU and its firmware; what it depends on is added where this machine does not have it. */
const QEMU = ['qemu-system-x86', 'qemu-system-common', 'qemu-system-data', 'seabios'];
const GUEST = ['busybox-static', 'usbip', 'libusb-1.0-0', 'libudev1'];
const KERNEL = 'linux-image-amd64';

const say = (text: string) => process.stderr.write(`guest: ${text}\n`);

async function prepare(): Promise<void> {
  if (guestMissing() === undefined) {
    say('is prepared');
    return;
  }
  demandDebian();
  const done = guestImage();
  // Made aside and put in place at once: whoever is interrupted leaves no half of a guest.
  const image = guestImage(`${done.folder.replace(/\/$/, '')}.${process.pid}.tmp`);
  const { folder } = image;
  const clear = () => rmSync(folder, { recursive: true, force: true });
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      clear();
      process.exit(1);
    });
  try {
    mkdirSync(folder, { recursive: true });
    say('compiles i2c-bus');
    await compileI2cBus(image.modules);
    say('downloads Debian packages, about 90 MB');
    const kernel = await dependencyOf(KERNEL, /linux-image-\d\S+/);
    const added = await notInstalled(QEMU);
    const named = new Set(added.map((one) => one.split('=')[0]));
    const packages = [...added, ...[...QEMU, ...GUEST].filter((name) => !named.has(name))];
    const work = join(folder, 'work');
    await unpack(packages, join(folder, 'host'), join(work, 'host-packages'));
    await unpack([kernel], join(work, 'kernel'), join(work, 'kernel-package'));

    say('makes its file system');
    const [version = ''] = readdirSync(join(work, 'kernel/lib/modules'));
    renameSync(join(work, 'kernel/boot', `vmlinuz-${version}`), image.kernel);
    await makeInitramfs(image, join(work, 'kernel/lib/modules', version), work);
    rmSync(work, { recursive: true, force: true });
    const stamp = { recipe: recipe(), kernel: version, node: process.version, packages };
    writeFileSync(image.stamp, `${JSON.stringify(stamp, null, 2)}\n`);

    rmSync(done.folder, { recursive: true, force: true });
    mkdirSync(dirname(done.folder), { recursive: true });
    renameSync(folder, done.folder);
    say(`is prepared: kernel ${version}, Node ${process.version}`);
  } finally {
    clear();
  }
}

prepare().catch((error: unknown) => {
  say(`not prepared: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
