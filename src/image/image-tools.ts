import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Programs that build the image, by the Debian package that has each. */
const TOOLS: Readonly<Record<string, string>> = {
  'apt-get': 'apt',
  mmdebstrap: 'mmdebstrap',
  'mkfs.ext4': 'e2fsprogs',
  'mkfs.vfat': 'dosfstools',
  mcopy: 'mtools',
  sfdisk: 'fdisk',
  dtc: 'device-tree-compiler',
  fdtoverlay: 'device-tree-compiler',
  zstd: 'zstd',
  xz: 'xz-utils',
  cpio: 'cpio',
  modprobe: 'kmod',
  chroot: 'coreutils',
  unshare: 'util-linux',
  'aarch64-linux-gnu-g++': 'g++-aarch64-linux-gnu',
  make: 'make',
  python3: 'python3',
};
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const FOLDERS = ['/usr/local/sbin', '/usr/local/bin', '/usr/sbin', '/usr/bin', '/sbin', '/bin'];

/** What this machine lacks to build the image, in one sentence with the remedy; undefined when it lacks nothing. */
export function imageToolsMissing(
  exists: (path: string) => boolean = existsSync,
  uid: number | undefined = process.getuid?.(),
): string | undefined {
  if (process.platform !== 'linux') return 'the image is built on Linux with Debian packages';
  const missing = Object.keys(TOOLS).filter((tool) => !FOLDERS.some((folder) => exists(join(folder, tool))));
  const packages = new Set(missing.map((tool) => TOOLS[tool] as string));
  if (!exists(KEYRING)) {
    missing.push(KEYRING);
    packages.add('debian-archive-keyring');
  }
  if (missing.length > 0)
    return `${missing.join(', ')} missing on this machine: apt-get install ${[...packages].sort().join(' ')}`;
  return uid === 0 ? undefined : 'not root: it unpacks and runs a Debian root file system, run it by sudo';
}
