import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './command.ts';
import { SUITE } from './debian-mirror.ts';
import { DISK_ID } from './layout.ts';
import { NATIVE_PATH } from './native-programs.ts';

export interface ImageRootOptions {
  /** Of the project. */
  root: string;
  /** From `debianBase`. */
  base: string;
  /** Folder of `makeRootfs` for linux-arm64. */
  archive: string;
  /** Folder that is made anew. */
  out: string;
  /** Sources of packages that the image itself names, lines of sources.list. */
  aptSources: readonly string[];
  /** Seconds since 1970 that programs in it take for now, where they write a date down. */
  epoch: number;
}

const ARCHIVE_IN_IMAGE = 'tmp/svc-rig-archive';
const SETUP_IN_IMAGE = 'tmp/setup.sh';

/**
 * The root file system of the image as a folder: Debian, the rig by its own `install.sh`, and the files of rootfs/image.
 * @throws Error with what failed in it
 */
export async function makeImageRoot({
  root,
  base,
  archive,
  out,
  aptSources,
  epoch,
}: ImageRootOptions): Promise<void> {
  rmSync(out, { recursive: true, force: true });
  mkdirSync(out, { recursive: true });
  await output('tar', ['-xf', base, '-C', out, '--numeric-owner', '--xattrs', '--xattrs-include=*']);
  const files = join(root, 'rootfs/image');
  await output('cp', ['-R', '--no-preserve=ownership', `${join(files, 'root')}/.`, out]);
  const fstab = join(out, 'etc/fstab');
  writeFileSync(fstab, readFileSync(fstab, 'utf8').replaceAll('@DISK_ID@', DISK_ID));
  writeFileSync(join(out, 'etc/apt/sources.list'), `${aptSources.join('\n')}\n`);

  cpSync(archive, join(out, ARCHIVE_IN_IMAGE), { recursive: true, verbatimSymlinks: true });
  cpSync(join(files, 'setup.sh'), join(out, SETUP_IN_IMAGE));
  await inRoot(out, ['sh', `/${ARCHIVE_IN_IMAGE}/install.sh`, '--no-start'], epoch);
  await inRoot(out, ['sh', `/${SETUP_IN_IMAGE}`], epoch);
  for (const folder of ['tmp', 'var/log', 'var/tmp', 'var/cache/apt', 'var/lib/apt/lists', 'run'])
    for (const name of readdirSync(join(out, folder)))
      rmSync(join(out, folder, name), { recursive: true, force: true });
}

/** Runs a program of the image in its root file system, with a /proc that nothing else sees and that ends with it. */
export function inRoot(folder: string, command: readonly string[], epoch: number): Promise<string> {
  const env = { PATH: NATIVE_PATH, HOME: '/root', LC_ALL: 'C.UTF-8', TMPDIR: '/tmp' };
  const dated = { ...env, SOURCE_DATE_EPOCH: String(epoch) };
  const script = 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"';
  return output('unshare', ['--mount', 'sh', '-c', script, folder, ...command], { env: dated });
}

/** Of Debian, unless `IMAGE_APT_URIS` names others: addresses with commas. */
export function imageAptSources(uris: string | undefined): string[] {
  const components = 'main non-free-firmware';
  if (uris !== undefined && uris !== '')
    return uris.split(',').map((uri) => `deb ${uri.trim()} ${SUITE} ${components}`);
  const debian = 'http://deb.debian.org';
  return [
    `deb ${debian}/debian ${SUITE} ${components}`,
    `deb ${debian}/debian ${SUITE}-updates ${components}`,
    `deb ${debian}/debian-security ${SUITE}-security ${components}`,
  ];
}
