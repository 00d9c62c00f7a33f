import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Places } from '../places.ts';
import { runProgram } from '../run-program.ts';
import { textOf } from '../write-whole.ts';

const SECTOR_BYTES = 512;
/** What is left behind the last partition is not worth a change. */
const SLACK_SECTORS = (8 * 1024 * 1024) / SECTOR_BYTES;
const DATA_NUMBER = 4;

/**
 * Grows the data partition and its file system to the end of the card. The table is one sector, which is written as a whole; the
 * file system grows in its journal while it is mounted. Each part is looked at anew and left alone when it is done.
 * @returns what was done, for the report; undefined when nothing was
 * @throws ApplianceError
 */
export function growData({ at }: Places): string | undefined {
  const id = /root=PARTUUID=([0-9a-f]{8})-0[23]/.exec(textOf(at('/proc/cmdline')) ?? '')?.[1];
  if (id === undefined) return undefined;
  const device = realpathSync(at(`/dev/disk/by-partuuid/${id}-0${DATA_NUMBER}`));
  const folder = realpathSync(at(`/sys/class/block/${basename(device)}`));
  const disk = dirname(folder);
  const [start = 0, size = 0, whole = 0] = [
    join(folder, 'start'),
    join(folder, 'size'),
    join(disk, 'size'),
  ].map((path) => Number(textOf(path)));
  let hasGrown = false;
  if (whole - (start + size) > SLACK_SECTORS) {
    const path = join(dirname(device), basename(disk));
    runProgram(
      'sfdisk',
      ['--quiet', '--no-reread', '--no-tell-kernel', '-N', `${DATA_NUMBER}`, path],
      ', +\n',
    );
    // The kernel keeps using the partition; it learns its new size from the table.
    runProgram('partx', ['--update', '--nr', `${DATA_NUMBER}`, path]);
    hasGrown = true;
  }
  // Also after a start that was cut off in between; a file system that has its size is left alone.
  runProgram('resize2fs', [device]);
  const gigabytes = (((whole - start) * SECTOR_BYTES) / 1e9).toFixed(1);
  return hasGrown ? `the data partition has ${gigabytes} GB` : undefined;
}
