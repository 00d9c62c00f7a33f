import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const FOLDER = fileURLToPath(new URL('../../../node_modules/.cache/svc-rig/guest/', import.meta.url));

/** What `prepare` leaves behind, and what a guest is booted from. */
export interface GuestImage {
  folder: string;
  kernel: string;
  /** Everything of the guest that does not depend on our sources: kernel modules, busybox, usbip, Node. */
  initramfs: string;
  busybox: string;
  qemu: string;
  /** Folder of packages with an add-on that is compiled for the guest. */
  modules: string;
  /** Folder of QEMU's own modules. */
  qemuModules: string;
  /** Folders with QEMU's firmware. */
  firmware: string[];
  /** Folders with the shared libraries that this machine may not have. */
  libraries: string[];
  /** Written last: what the image was made by. */
  stamp: string;
}

export function guestImage(folder = FOLDER): GuestImage {
  const at = (...path: string[]) => join(folder, ...path);
  return {
    folder,
    kernel: at('vmlinuz'),
    initramfs: at('initramfs.gz'),
    modules: at('node_modules'),
    busybox: at('host/bin/busybox'),
    qemu: at('host/usr/bin/qemu-system-x86_64'),
    qemuModules: at('host/usr/lib/x86_64-linux-gnu/qemu'),
    firmware: [at('host/usr/share/qemu'), at('host/usr/share/seabios')],
    libraries: [at('host/usr/lib/x86_64-linux-gnu'), at('host/lib/x86_64-linux-gnu')],
    stamp: at('prepared.json'),
  };
}

/** Changes with all that the image is made by: these sources, and this machine's Node. */
export function recipe(): string {
  const hash = createHash('sha256').update(`${process.version} ${process.arch} ${process.execPath}\n`);
  for (const file of readdirSync(HERE).sort()) hash.update(readFileSync(join(HERE, file)));
  return hash.digest('hex');
}

/** Why no guest can be booted, as a reason to skip; undefined when one can. */
export function guestMissing({ stamp } = guestImage()): string | undefined {
  if (!existsSync(stamp)) return 'no guest is prepared: npm run test:guest';
  const prepared = JSON.parse(readFileSync(stamp, 'utf8')) as { recipe: string };
  return prepared.recipe === recipe() ? undefined : 'the prepared guest is out of date: npm run test:guest';
}
