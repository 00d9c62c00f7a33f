import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './command.ts';
import { type Mirror, SUITE, sourcesOf } from './debian-mirror.ts';
import { NATIVE_PATH, nativePrograms } from './native-programs.ts';

const COMPONENTS = 'main non-free-firmware';
/** Left out: pages and translations of Debian's packages, and the device trees of other makers' boards. */
const EXCLUDED = [
  'path-exclude=/usr/share/man/*',
  'path-exclude=/usr/share/locale/*',
  'path-exclude=/usr/share/doc/*',
  'path-include=/usr/share/doc/*/copyright',
  'path-exclude=/usr/lib/linux-image-*/*/*',
  'path-include=/usr/lib/linux-image-*/broadcom/*',
];
const APT = ['Acquire::Check-Valid-Until "false"', 'Apt::Install-Recommends "false"'];

/** Names of the file rootfs/image/packages, sorted. */
export function packagesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return lines.filter((line) => line !== '').sort();
}

/** What decides what is in the Debian root file system, apart from the day of the mirror. */
export function baseKey(packages: readonly string[]): string {
  const recipe = JSON.stringify([SUITE, COMPONENTS, EXCLUDED, APT, packages]);
  return createHash('sha256').update(recipe).digest('hex').slice(0, 12);
}

/**
 * Debian's root file system for arm64 with the packages of the image, as a tar; kept until the list changes or the cache is removed.
 * @param root of the project
 * @throws Error with the last lines of mmdebstrap
 */
export async function debianBase(root: string, mirror: Mirror, cache: string): Promise<string> {
  const packages = packagesOf(readFileSync(join(root, 'rootfs/image/packages'), 'utf8'));
  const tar = join(cache, `debian-${SUITE}-arm64-${baseKey(packages)}.tar`);
  if (existsSync(tar)) return tar;
  mkdirSync(cache, { recursive: true });
  const part = `${tar}.part.tar`;
  rmSync(part, { force: true });
  const lend = nativePrograms();
  const args = [
    ...['--skip=check/qemu', '--variant=minbase', '--mode=root', '--architectures=arm64'],
    ...APT.map((option) => `--aptopt=${option}`),
    '--dpkgopt=force-confold',
    ...EXCLUDED.map((option) => `--dpkgopt=${option}`),
    ...(lend === undefined
      ? []
      : [
          `--aptopt=DPkg::Path "${NATIVE_PATH}"`,
          `--extract-hook=${lend} put "$1"`,
          `--customize-hook=${lend} remove "$1" && sed -i /svc-native/d "$1/etc/apt/apt.conf.d/99mmdebstrap"`,
        ]),
    `--include=${packages.join(',')}`,
    ...[SUITE, part, ...sourcesOf(mirror, COMPONENTS)],
  ];
  // The kernel's package would make an initial RAM disk, twice; ours is made once, afterwards.
  await output('mmdebstrap', args, {
    env: { INITRD: 'No', ...(lend === undefined ? {} : { PATH: NATIVE_PATH }) },
  });
  renameSync(part, tar);
  return tar;
}
