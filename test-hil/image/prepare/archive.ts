import { output } from './command.ts';

/** Packs a folder as the kernel wants its first file system. */
export async function pack(folder: string, busybox: string, archive: string): Promise<void> {
  const script = 'set -eo pipefail; find . | "$0" cpio -o -H newc 2>/dev/null | gzip -1 > "$1"';
  await output(busybox, ['sh', '-c', script, busybox, archive], { cwd: folder });
}
