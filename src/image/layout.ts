/** The disk of the image: an MBR, whose number is also the prefix of each partition's PARTUUID. */
export const DISK_ID = '5c1d0001';

const MIB = 1024 * 1024;
export const SECTOR_BYTES = 512;
/** A power of two, which QEMU's SD card demands. */
export const DISK_BYTES = 4096 * MIB;

export interface Partition {
  /** In the partition table, 1..4. */
  number: number;
  label: string;
  /** Type byte of the MBR, hexadecimal. */
  type: string;
  startBytes: number;
  bytes: number;
}

const ROOT_BYTES = 1280 * MIB;
const FIRMWARE_BYTES = 384 * MIB;
const FIRST_BYTES = 4 * MIB;

const firmware: Partition = {
  number: 1,
  label: 'FIRMWARE',
  type: 'c',
  startBytes: FIRST_BYTES,
  bytes: FIRMWARE_BYTES,
};
const rootA = after(firmware, 'root-a', ROOT_BYTES);
const rootB = after(rootA, 'root-b', ROOT_BYTES);
const data = after(rootB, 'data', DISK_BYTES - rootB.startBytes - rootB.bytes);

/** In the order of the table. The last one grows to the size of the card at the first start. */
export const layout = { firmware, rootA, rootB, data };

/** Slots of the root file system by the folder of FIRMWARE that starts them. */
export const slots = { a: rootA, b: rootB };

/** Script for `sfdisk`. */
export function partitionTable(): string {
  const lines = Object.values(layout).map(
    ({ startBytes, bytes, type }) =>
      `start=${startBytes / SECTOR_BYTES}, size=${bytes / SECTOR_BYTES}, type=${type}`,
  );
  return ['label: dos', `label-id: 0x${DISK_ID}`, 'unit: sectors', ...lines, ''].join('\n');
}

function after({ number, startBytes, bytes }: Partition, label: string, size: number): Partition {
  return { number: number + 1, label, type: '83', startBytes: startBytes + bytes, bytes: size };
}
