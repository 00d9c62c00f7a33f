import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerMissing } from '../../../src/lab/device-benchmarks/compiled-peer.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const QEMU = ['/usr/bin/qemu-system-aarch64', '/usr/bin/qemu-img'];

/** What `npm run image` leaves for the emulated machine. */
export interface BuiltImage {
  version: string;
  /** The whole disk, sparse; never written to. */
  disk: string;
  /** Compressed, as it is written to a card. */
  compressed: string;
  kernel: string;
  initialRamDisk: string;
  /** Of slot a. */
  commandLine: string;
}

export function builtImage(): BuiltImage {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const dist = join(ROOT, 'dist/image');
  const disk = join(dist, `svc-rig-${version}-arm64.img`);
  const file = (name: string) => join(dist, 'qemu', name);
  return {
    version,
    disk,
    compressed: `${disk}.zst`,
    kernel: file('vmlinuz'),
    initialRamDisk: file('initrd.img'),
    commandLine: file('cmdline.txt'),
  };
}

/** What this machine lacks to emulate another one, in one sentence with the remedy. */
export function qemuMissing(): string | undefined {
  const missing = QEMU.filter((program) => !existsSync(program));
  return missing.length === 0
    ? compilerMissing()
    : `${missing.join(', ')} missing: apt-get install qemu-system-arm qemu-utils`;
}

/** Why the image cannot be booted here, as a reason to skip; undefined when it can. */
export function imageMissing(): string | undefined {
  if (process.env.RIG_TEST_IMAGE !== '1') return 'needs npm run test:image, which builds the image';
  return qemuMissing() ?? (existsSync(builtImage().disk) ? undefined : 'no image is built: npm run image');
}
