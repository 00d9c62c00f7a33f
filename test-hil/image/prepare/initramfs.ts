import { cpSync, mkdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pack } from './archive.ts';
import { output } from './command.ts';
import type { GuestImage } from './guest-image.ts';
import { placeModules } from './modules.ts';
import { buildPrograms } from './programs.ts';

const FOLDERS = ['bin', 'dev', 'proc', 'sys', 'tmp', 'var/run'];

/**
 * Makes the part of the guest's file system that does not depend on our sources.
 *
 * @param work folder for what is made on the way
 */
export async function makeInitramfs(image: GuestImage, kernelFolder: string, work: string): Promise<void> {
  const tree = join(work, 'tree');
  for (const folder of FOLDERS) mkdirSync(join(tree, folder), { recursive: true });
  placeModules(kernelFolder, join(tree, 'modules'));

  const usbip = join(image.folder, 'host/usr/sbin/usbip');
  const place = (file: string, path: string) => cpSync(file, join(tree, path), { dereference: true });
  place(image.busybox, 'bin/busybox');
  place(process.execPath, 'bin/node');
  place(usbip, 'bin/usbip');

  const env = { LD_LIBRARY_PATH: image.libraries.join(':') };
  const addons = (await buildPrograms(join(work, 'programs'), image.modules)).filter((file) =>
    file.endsWith('.node'),
  );
  for (const file of await librariesOf([process.execPath, usbip, ...addons], env)) {
    // The loader is named by its path, all others are looked for by name.
    const isLoader = basename(file).startsWith('ld-linux');
    const path = isLoader ? 'lib64' : 'lib/x86_64-linux-gnu';
    mkdirSync(join(tree, path), { recursive: true });
    place(file, join(path, basename(file)));
  }
  await pack(tree, image.busybox, image.initramfs);
}

/** All libraries that programs and add-ons are linked with. */
async function librariesOf(files: readonly string[], env: Record<string, string>): Promise<Set<string>> {
  const found = new Set<string>();
  for (const file of files) {
    const said = await output('ldd', [file], { env });
    if (said.includes('not found'))
      throw new Error(`${basename(dirname(file))}/${basename(file)}: ${said.trim()}`);
    for (const [, path] of said.matchAll(/(\/\S+) \(0x/g)) if (path !== undefined) found.add(path);
  }
  return found;
}
