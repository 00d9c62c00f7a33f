import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { output } from './command.ts';
import { inRoot } from './image-root.ts';
import { DISK_ID, slots } from './layout.ts';
import { withNativePrograms } from './native-programs.ts';
import { filesBelow } from './rootfs.ts';

export type Slot = keyof typeof slots;

/** Device trees of boards that the image boots. */
const BOARDS = /^bcm(2837-rpi-(3|zero-2)|2711-rpi-|2712-rpi-5)[^/]*\.dtb$/;
/** Those for which config.txt names our overlays. */
const WITH_OVERLAYS = /^bcm(2837|2711)-.*\.dtb$/;
/** The Pi's own firmware, up to the one of Pi 4; a Pi 5 has its in flash. */
const FIRMWARE = /^(bootcode\.bin|start(4)?\.elf|fixup(4)?\.dat)$/;

/**
 * The FAT partition of the image: the Pi's firmware, `config.txt` and `tryboot.txt`, and in the folder of slot a what boots it.
 * @throws Error with what failed, also when an overlay does not fit a board
 */
export async function makeFirmware({ root, imageRoot, cache, out, epoch }: FirmwareOptions): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  const own = join(root, 'rootfs/image');
  const firmware = join(imageRoot, 'usr/lib/raspi-firmware');
  for (const name of readdirSync(firmware).filter((one) => FIRMWARE.test(one)))
    copyFileSync(join(firmware, name), join(out, name));
  const config = readFileSync(join(own, 'firmware/config.txt'), 'utf8');
  writeFileSync(join(out, 'config.txt'), config.replace('@SLOT@', 'a'));
  writeFileSync(join(out, 'tryboot.txt'), config.replace('@SLOT@', 'b'));
  copyFileSync(join(own, 'firmware/rig.txt'), join(out, 'rig.txt'));
  mkdirSync(join(out, 'b'));
  await makeSlot({ own, imageRoot, cache, out: join(out, 'a'), slot: 'a', epoch });
}

interface FirmwareOptions {
  /** Of the project. */
  root: string;
  /** Folder of `makeImageRoot`; what is on the FAT partition is removed from it. */
  imageRoot: string;
  /** Keeps initial RAM disks. */
  cache: string;
  /** Folder that is made anew. */
  out: string;
  /** Seconds since 1970 that stand for now. */
  epoch: number;
}

interface SlotOptions extends Omit<FirmwareOptions, 'root'> {
  /** rootfs/image of the project. */
  own: string;
  slot: Slot;
}

async function makeSlot({ own, imageRoot, cache, out, slot, epoch }: SlotOptions): Promise<void> {
  const boot = join(imageRoot, 'boot');
  const kernel = readdirSync(boot).find((name) => name.startsWith('vmlinuz-'));
  if (kernel === undefined) throw new Error(`${boot} has no kernel`);
  const version = kernel.replace('vmlinuz-', '');
  mkdirSync(join(out, 'overlays'), { recursive: true });
  // Before the kernel is taken away, which mkinitramfs looks at.
  copyFileSync(await initialRamDisk(own, imageRoot, version, cache, epoch), join(out, 'initrd.img'));
  renameSync(join(boot, kernel), join(out, 'vmlinuz'));
  for (const name of readdirSync(boot).filter((one) => /^(initrd\.img|vmlinuz|System\.map)/.test(one)))
    rmSync(join(boot, name));
  const line = readFileSync(join(own, 'firmware/cmdline.txt'), 'utf8');
  writeFileSync(join(out, 'cmdline.txt'), commandLine(line, slot));

  const trees = join(imageRoot, 'usr/lib', `linux-image-${version}`, 'broadcom');
  for (const name of readdirSync(trees).filter((one) => BOARDS.test(one)))
    copyFileSync(join(trees, name), join(out, name));
  // The firmware looks for overlays in the folder of the slot only where this file is.
  writeFileSync(join(out, 'overlays/README'), 'Overlays of svc-rig.\n');
  const overlays = readdirSync(join(own, 'overlays')).map((source) => source.replace(/\.dts$/, ''));
  const compiled = overlays.map((name) => join(out, 'overlays', `${name}.dtbo`));
  for (const [index, name] of overlays.entries()) {
    const source = join(own, 'overlays', `${name}.dts`);
    await output('dtc', [...'-@ -q -I dts -O dtb -o'.split(' '), String(compiled[index]), source]);
  }
  // The firmware says nothing about an overlay that does not fit, and starts without it.
  for (const board of readdirSync(out).filter((name) => WITH_OVERLAYS.test(name)))
    await output('fdtoverlay', ['-i', join(out, board), '-o', '/dev/null', ...compiled]);
}

/** Of the kernel, for a slot. */
export function commandLine(template: string, slot: Slot): string {
  return template.replaceAll('@DISK_ID@', DISK_ID).replaceAll('@PARTITION@', `0${slots[slot].number}`);
}

/** Takes a minute under emulation, so it is kept until Debian's packages or our files for it change. */
async function initialRamDisk(
  own: string,
  imageRoot: string,
  version: string,
  cache: string,
  epoch: number,
): Promise<string> {
  const recipe = join(own, 'initramfs');
  const hash = createHash('sha256').update(version);
  for (const path of filesBelow(recipe)) hash.update(path).update(readFileSync(join(recipe, path)));
  hash.update(readFileSync(join(imageRoot, 'var/lib/dpkg/status')));
  const kept = join(cache, `initrd-${hash.digest('hex').slice(0, 12)}.img`);
  if (existsSync(kept)) return kept;

  const settings = 'tmp/initramfs';
  const at = join(imageRoot, settings);
  cpSync(join(imageRoot, 'etc/initramfs-tools'), at, { recursive: true });
  cpSync(recipe, at, { recursive: true });
  await output('chmod', ['-R', 'a+rX', at]);
  for (const script of ['hooks/svc-rig', 'scripts/local-bottom/svc-data'])
    await output('chmod', ['0755', join(at, script)]);
  const make = ['mkinitramfs', '-d', `/${settings}`, '-o', '/tmp/initrd.img', version];
  await withNativePrograms(imageRoot, () => inRoot(imageRoot, make, epoch));
  mkdirSync(dirname(kept), { recursive: true });
  copyFileSync(join(imageRoot, 'tmp/initrd.img'), `${kept}.part`);
  renameSync(`${kept}.part`, kept);
  for (const name of [settings, 'tmp/initrd.img'])
    rmSync(join(imageRoot, name), { recursive: true, force: true });
  return kept;
}
