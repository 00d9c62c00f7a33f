import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeUpdate, type UpdateContent } from '../../../src/appliance/update/make-update.ts';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { type Ended, launch } from '../bench/program.ts';

const DISK_ID = '5c1d0001';
const PARTITION_BYTES = 2 * 1024 * 1024;
const ROOT_BYTES = 512 * 1024;
/** Nothing listens there. */
const NO_BRIDGE = '9';

/** An appliance in a folder that runs in slot a, with an empty slot b and a key for updates. */
export class SlotsCard {
  readonly root = temporaryFolder('slots-');
  readonly key: KeyObject;
  /** What the root file system of the update holds. */
  readonly content = randomBytes(ROOT_BYTES);

  constructor(version = '1.0.0') {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    this.key = privateKey;
    this.put('usr/lib/svc-rig/update-key.pem', publicKey.export({ type: 'spki', format: 'pem' }));
    this.put('opt/svc-rig/current/VERSION', `${version}\n`);
    this.put('opt/svc-rig/current/TARGET', 'linux-arm64\n');
    this.put('proc/cmdline', `root=PARTUUID=${DISK_ID}-02 rootfstype=ext4 ro\n`);
    this.put('proc/device-tree/compatible', 'linux,dummy-virt\0');
    for (const [file, slot] of [
      ['config.txt', 'a'],
      ['tryboot.txt', 'b'],
    ] as const)
      this.put(`boot/firmware/${file}`, `# start\nos_prefix=${slot}/\nkernel=vmlinuz\n`);
    this.put('boot/firmware/a/vmlinuz', 'old kernel');
    this.put('boot/firmware/b/left-over', 'of an update before');
    this.put('dev/mmcblk0p3', '');
    truncateSync(this.path('dev/mmcblk0p3'), PARTITION_BYTES);
    mkdirSync(this.path('dev/disk/by-partuuid'), { recursive: true });
    symlinkSync('../../mmcblk0p3', this.path(`dev/disk/by-partuuid/${DISK_ID}-03`));
    this.put('sys/class/block/mmcblk0p3/size', `${PARTITION_BYTES / 512}\n`);
    mkdirSync(this.path('data'), { recursive: true });
  }

  path(path: string): string {
    return join(this.root, path);
  }

  put(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), content);
  }

  text(path: string): string {
    return readFileSync(this.path(path), 'utf8');
  }

  /** @returns path of an update file */
  async update(
    about: Partial<UpdateContent> = {},
    key = this.key,
    line = `root=PARTUUID=${DISK_ID}-02 rootfstype=ext4 ro`,
  ): Promise<string> {
    const made = this.path('made');
    this.put('made/root', this.content);
    execFileSync('zstd', ['-q', '-f', join(made, 'root'), '-o', join(made, 'root.zst')]);
    this.put('made/vmlinuz', 'new kernel');
    this.put('made/cmdline.txt', `${line}\n`);
    this.put('made/x.dtbo', 'overlay');
    const path = this.path('update.svcupdate');
    const boot = {
      vmlinuz: join(made, 'vmlinuz'),
      'cmdline.txt': join(made, 'cmdline.txt'),
      'overlays/x.dtbo': join(made, 'x.dtbo'),
    };
    const content = {
      ...{ version: '1.1.0', target: 'linux-arm64', min_version: '1.0.0', boot },
      root: { raw: join(made, 'root'), compressed: join(made, 'root.zst') },
      ...about,
    };
    await makeUpdate(path, content, key);
    return path;
  }

  svcctl(args: readonly string[], env: Record<string, string> = {}): Promise<Ended> {
    return launch('svcctl', ['update', ...args], {
      SVC_HOST_ROOT: this.root,
      SVC_BRIDGE_PORT: NO_BRIDGE,
      ...env,
    }).ended;
  }

  /** Nothing of the card that starts was touched. */
  get isUntouched(): boolean {
    const partition = readFileSync(this.path('dev/mmcblk0p3'));
    return (
      this.text('boot/firmware/b/left-over') === 'of an update before' &&
      partition.every((byte) => byte === 0) &&
      !existsSync(this.path('data/svc-rig')) &&
      this.startsA
    );
  }

  /** What the next start by `config.txt` needs is whole. */
  get startsA(): boolean {
    return (
      this.text('boot/firmware/config.txt').includes('os_prefix=a/') &&
      this.text('boot/firmware/a/vmlinuz') === 'old kernel'
    );
  }

  /** The firmware was asked for a start by `tryboot.txt`. */
  get isAsked(): boolean {
    return existsSync(this.path('data/svc-rig/tryboot-request'));
  }

  /** What a start by `tryboot.txt` needs is whole. */
  get isWritten(): boolean {
    const partition = readFileSync(this.path('dev/mmcblk0p3')).subarray(0, ROOT_BYTES);
    const boot = (name: string) => this.path(`boot/firmware/b/${name}`);
    return (
      partition.equals(this.content) &&
      ['vmlinuz', 'cmdline.txt', 'overlays/x.dtbo'].every((name) => existsSync(boot(name))) &&
      readFileSync(boot('cmdline.txt'), 'utf8').includes(`${DISK_ID}-03`) &&
      this.text('boot/firmware/tryboot.txt').includes('os_prefix=b/')
    );
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }
}
