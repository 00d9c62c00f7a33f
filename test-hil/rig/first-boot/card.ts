import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../../../src/test-kit/end-with-parent.ts';
import { type Ended, launch } from '../bench/program.ts';

export const SERIAL = '100000003d1f0042';
export const PUBLIC_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHDtfKm8vRXVOZ3Smx0HoJL0Yl8iiYlzkPLZhd8gvXxQ anna@pc';
const DISK_ID = '5c1d0001';
const SECTOR = 512;
const MIB = 1024 * 1024;
const START = 8 * MIB;
const PARTITION = 8 * MIB;
const CARD = 40 * MIB;

/** A machine in a folder, with a card that is larger than its partitions: a real partition table, a real ext4. */
export class Card {
  readonly root: string;

  constructor() {
    this.root = temporaryFolder('card-');
    this.put('proc/device-tree/model', 'Raspberry Pi 4 Model B Rev 1.5\0');
    this.put('proc/device-tree/compatible', 'raspberrypi,4-model-b\0brcm,bcm2711\0');
    this.put('proc/device-tree/serial-number', `${SERIAL}\0`);
    this.put('proc/cmdline', `root=PARTUUID=${DISK_ID}-02 ro\n`);
    this.put('proc/sys/kernel/hostname', 'rig\n');
    this.put('usr/share/zoneinfo/Europe/Warsaw', 'TZif2');
    this.put('etc/svc/rig.env', 'SVC_HARDWARE_MODE=real\n');
    this.put('data/etc/hostname', 'rig\n');
    for (const name of ['config.txt', 'tryboot.txt'])
      this.put(
        `boot/firmware/${name}`,
        '[pi3]\ndtoverlay=svc-pulse,gpio=17\n[pi4]\ndtoverlay=svc-pulse,gpio=17\n',
      );
    for (const folder of ['home/operator', 'run', 'etc/wpa_supplicant'])
      mkdirSync(join(this.root, folder), { recursive: true });
    this.#makeDisk();
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

  /** Starts the machine: `svc-first-boot` to its end. */
  start(env: Record<string, string> = {}): Promise<Ended> {
    const path = `${this.path('bin')}:${process.env.PATH}:/usr/sbin:/sbin`;
    return launch('svc-first-boot', [], { SVC_HOST_ROOT: this.root, PATH: path, ...env }).ended;
  }

  /** Of the file system on the data partition, bytes. */
  get dataBytes(): number {
    const said = execFileSync('dumpe2fs', ['-h', this.path('dev/mmcblk0p4')], {
      encoding: 'utf8',
      stdio: 'pipe',
    });
    const [, blocks = 0] = /Block count:\s+(\d+)/.exec(said) ?? [];
    const [, size = 0] = /Block size:\s+(\d+)/.exec(said) ?? [];
    return Number(blocks) * Number(size);
  }

  /** Of the last partition in the table, sectors. */
  get tableSectors(): number {
    const said = execFileSync('sfdisk', ['--dump', this.path('dev/mmcblk0')], { encoding: 'utf8' });
    return Number(/size=\s*(\d+), type=83\s*$/.exec(said)?.[1]);
  }

  remove(): void {
    rmSync(this.root, { recursive: true, force: true });
  }

  #makeDisk(): void {
    const disk = this.path('dev/mmcblk0');
    const part = this.path('dev/mmcblk0p4');
    this.put('dev/mmcblk0', '');
    truncateSync(disk, CARD);
    const line = (at: number, size: number, type: string) =>
      `start=${at / SECTOR}, size=${size / SECTOR}, type=${type}\n`;
    const table = [
      line(MIB, MIB, 'c'),
      line(2 * MIB, MIB, '83'),
      line(3 * MIB, MIB, '83'),
      line(START, PARTITION, '83'),
    ];
    execFileSync('sfdisk', ['--quiet', disk], {
      input: `label: dos\nlabel-id: 0x${DISK_ID}\n${table.join('')}`,
    });
    this.put('dev/mmcblk0p4', '');
    truncateSync(part, PARTITION);
    execFileSync('mkfs.ext4', ['-q', '-F', part]);
    mkdirSync(this.path('dev/disk/by-partuuid'), { recursive: true });
    symlinkSync('../../mmcblk0p4', this.path(`dev/disk/by-partuuid/${DISK_ID}-04`));
    this.put('sys/devices/mmcblk0/size', `${CARD / SECTOR}\n`);
    this.put('sys/devices/mmcblk0/mmcblk0p4/start', `${START / SECTOR}\n`);
    this.put('sys/devices/mmcblk0/mmcblk0p4/size', `${PARTITION / SECTOR}\n`);
    mkdirSync(this.path('sys/class/block'), { recursive: true });
    symlinkSync('../../devices/mmcblk0/mmcblk0p4', this.path('sys/class/block/mmcblk0p4'));
    // In the kernel's place: it gives the partition the size that the table has now.
    this.put(
      'bin/partx',
      `#!/bin/sh
set -eu
sectors=$(sfdisk --dump "$4" | sed -n '$s/.*size= *\\([0-9]*\\),.*/\\1/p')
truncate -s $((sectors * ${SECTOR})) "$4p4"
echo "$sectors" >'${this.path('sys/devices/mmcblk0/mmcblk0p4/size')}'
`,
    );
    chmodSync(this.path('bin/partx'), 0o755);
  }
}
