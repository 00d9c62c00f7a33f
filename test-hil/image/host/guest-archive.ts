import { chmodSync, cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { pack } from '../prepare/archive.ts';
import type { GuestImage } from '../prepare/guest-image.ts';
import { buildPrograms } from '../prepare/programs.ts';

const INIT = fileURLToPath(new URL('../guest/init', import.meta.url));

/**
 * The guest's whole file system: the prepared part and, behind it, the programs as our sources are now.
 *
 * @param folder of the caller's own
 */
export async function guestArchive(image: GuestImage, folder: string): Promise<string> {
  const tree = join(folder, 'tree');
  await buildPrograms(join(tree, 'app'), image.modules);
  cpSync(INIT, join(tree, 'init'));
  chmodSync(join(tree, 'init'), 0o755);
  const own = join(folder, 'own.gz');
  await pack(tree, image.busybox, own);
  // The kernel unpacks one archive after the other.
  const archive = join(folder, 'initramfs.gz');
  writeFileSync(archive, Buffer.concat([readFileSync(image.initramfs), readFileSync(own)]));
  rmSync(tree, { recursive: true });
  return archive;
}
