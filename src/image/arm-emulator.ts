import { copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { output } from './command.ts';
import { type Mirror, unpackPackage } from './debian-mirror.ts';

const FORMATS = '/proc/sys/fs/binfmt_misc';
const NAME = 'svc-rig-aarch64';
const MAGIC = '\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00';
const MASK =
  '\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff';

/**
 * Lets this machine run programs for arm64: registers the static emulator of the image's Debian suite with the kernel, where
 * nothing is registered yet. That of Debian 12 takes ten times as long for some programs.
 * @param cache folder that keeps the emulator
 * @returns what leaves the kernel as it was
 * @throws Error when the kernel does not take it
 */
export async function enableArm64Programs(mirror: Mirror, cache: string): Promise<() => Promise<void>> {
  if (process.arch === 'arm64') return async () => {};
  const isMounted = existsSync(join(FORMATS, 'register'));
  if (!isMounted) {
    try {
      await output('mount', ['-t', 'binfmt_misc', 'binfmt_misc', FORMATS]);
    } catch (cause) {
      throw new Error(`the kernel of this machine runs no programs for arm64: ${FORMATS} is not there`, {
        cause,
      });
    }
  }
  const unmount = async () => {
    if (!isMounted) await output('umount', [FORMATS]);
  };
  if (await hasAarch64()) return unmount;
  const emulator = join(cache, 'qemu-aarch64');
  if (!existsSync(emulator)) {
    const work = join(cache, 'qemu-user.part');
    rmSync(work, { recursive: true, force: true });
    const files = await unpackPackage('qemu-user', mirror, work);
    copyFileSync(join(files, 'usr/bin/qemu-aarch64'), `${emulator}.part`);
    renameSync(`${emulator}.part`, emulator);
    rmSync(work, { recursive: true, force: true });
  }
  // F: the kernel opens the emulator now, so that a root file system need not contain it.
  writeFileSync(join(FORMATS, 'register'), `:${NAME}:M::${MAGIC}:${MASK}:${emulator}:OCF`);
  return async () => {
    writeFileSync(join(FORMATS, NAME), '-1');
    await unmount();
  };
}

async function hasAarch64(): Promise<boolean> {
  const names = (await output('ls', [FORMATS])).split('\n').filter(Boolean);
  const isFor = (name: string) => {
    const text = readFileSync(join(FORMATS, name), 'latin1');
    return text.startsWith('enabled') && text.includes('magic 7f454c460201010000000000000000000200b700');
  };
  return names.some((name) => name !== 'register' && name !== 'status' && isFor(name));
}
