import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { output } from './command.ts';
import { DISK_BYTES, DISK_ID, layout, type Partition, partitionTable } from './layout.ts';

/** Seconds since 1970 that stand for every time in the image. */
export type Epoch = number;

/** Of the file systems, the same in each build: the number of the partition is in the last digits. */
const uuidOf = ({ number }: Partition) => `${DISK_ID}-0000-4000-8000-00000000000${number}`;

export interface DiskOptions {
  /** Contents of the FAT partition and of the root file system. */
  firmware: string;
  imageRoot: string;
  /** For the file systems on the way. */
  work: string;
  /** File that is made anew, sparse. */
  image: string;
  epoch: Epoch;
}

/** Writes the disk of the image: partition table, FAT, root in slot a, an empty slot b and an empty data partition. */
export async function makeDisk({ firmware, imageRoot, work, image, epoch }: DiskOptions): Promise<void> {
  mkdirSync(work, { recursive: true });
  await setTimes([firmware, imageRoot], epoch);
  rmSync(image, { force: true });
  emptyFile(image, DISK_BYTES);
  const table = promisify(execFile)('sfdisk', ['--quiet', '--no-reread', '--no-tell-kernel', image]);
  table.child.stdin?.end(partitionTable());
  await table;
  const parts: [Partition, string | undefined][] = [
    [layout.firmware, firmware],
    [layout.rootA, imageRoot],
    [layout.data, undefined],
  ];
  for (const [partition, content] of parts) {
    const file = join(work, `${partition.label}.fs`);
    rmSync(file, { force: true });
    emptyFile(file, partition.bytes);
    if (partition === layout.firmware) await makeFat(file, partition, String(content), epoch);
    else await makeExt4(file, partition, content, epoch);
    const seek = `seek=${partition.startBytes / BLOCK_BYTES}`;
    await output('dd', [
      `if=${file}`,
      `of=${image}`,
      `bs=${BLOCK_BYTES}`,
      seek,
      'conv=sparse,notrunc',
      'status=none',
    ]);
    rmSync(file);
  }
}

const BLOCK_BYTES = 1024 * 1024;

async function makeFat(file: string, { label }: Partition, content: string, epoch: Epoch): Promise<void> {
  await output('mkfs.vfat', ['-F', '32', '-n', label, '-i', DISK_ID, '--invariant', file]);
  const env = { SOURCE_DATE_EPOCH: String(epoch), MTOOLS_SKIP_CHECK: '1', TZ: 'UTC' };
  await output('sh', ['-c', 'mcopy -s -Q -m -i "$0" "$1"/* ::', file, content], { env });
}

/** Root has no journal, since it is never written to; the data partition has one. */
async function makeExt4(file: string, partition: Partition, content: string | undefined, epoch: Epoch) {
  const uuid = uuidOf(partition);
  const env = { SOURCE_DATE_EPOCH: String(epoch), E2FSPROGS_FAKE_TIME: String(epoch) };
  const filled = content === undefined ? ['-m', '1'] : ['-O', '^has_journal', '-m', '0', '-d', content];
  const same = ['-U', uuid, '-E', `hash_seed=${uuid},lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0`];
  await output('mkfs.ext4', ['-q', '-F', '-L', partition.label, ...same, ...filled, file], { env });
}

function emptyFile(path: string, bytes: number): void {
  writeFileSync(path, '');
  truncateSync(path, bytes);
}

/** No file is newer than the sources. */
async function setTimes(folders: readonly string[], epoch: Epoch): Promise<void> {
  const script = 'find "$@" -newermt "@$0" -print0 | xargs -0 -r touch --no-dereference --date="@$0"';
  await output('sh', ['-c', script, String(epoch), ...folders]);
}
