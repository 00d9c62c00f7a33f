import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { basename, join } from 'node:path';
import { ApplianceError } from '../appliance-error.ts';
import { overwrite } from '../first-boot/pulse-gpio.ts';
import type { Places } from '../places.ts';
import { textOf } from '../write-whole.ts';

export type Slot = 'a' | 'b';
export const otherSlot = (slot: Slot): Slot => (slot === 'a' ? 'b' : 'a');

/** Number of the root partition of each slot. */
const PARTITION: Readonly<Record<Slot, number>> = { a: 2, b: 3 };
const PREFIX = /^os_prefix=([ab])\/$/m;
const SECTOR_BYTES = 512;

const noAppliance = () =>
  new ApplianceError(
    'update_refused',
    'this machine was not started from a card of svc-rig: an installed rig is updated by install.sh (docs/install.md)',
  );

/** What the kernel was started with. @throws ApplianceError where that is no slot */
export function runningSlot({ at }: Places): { slot: Slot; diskId: string } {
  const [, diskId = '', number] =
    /root=PARTUUID=([0-9a-f]{8})-0([23])/.exec(textOf(at('/proc/cmdline')) ?? '') ?? [];
  if (number === undefined) throw noAppliance();
  return { slot: number === '2' ? 'a' : 'b', diskId };
}

/** What `config.txt`, or `tryboot.txt` for one start, starts. @throws ApplianceError */
export function slotOf({ firmware }: Places, file: 'config.txt' | 'tryboot.txt'): Slot {
  const found = PREFIX.exec(textOf(firmware, file) ?? '')?.[1];
  if (found === undefined) throw noAppliance();
  return found as Slot;
}

/** One byte in its place: a power cut leaves the old slot or the new one. @throws ApplianceError */
export function setSlot({ firmware }: Places, file: 'config.txt' | 'tryboot.txt', slot: Slot): void {
  const path = join(firmware, file);
  const match = existsSync(path) ? PREFIX.exec(readFileSync(path, 'latin1')) : null;
  if (!match) throw noAppliance();
  if (match[1] !== slot) overwrite(path, slot, match.index + 'os_prefix='.length);
}

/** Root partition of a slot: device and size. @throws ApplianceError */
export function rootPartition({ at }: Places, slot: Slot, diskId: string): { path: string; bytes: number } {
  try {
    const path = realpathSync(at(`/dev/disk/by-partuuid/${diskId}-0${PARTITION[slot]}`));
    const sectors = Number(textOf(at(`/sys/class/block/${basename(path)}`), 'size'));
    if (!(sectors > 0)) throw new Error('its size cannot be read');
    return { path, bytes: sectors * SECTOR_BYTES };
  } catch (cause) {
    throw new ApplianceError(
      'update_refused',
      `the partition of slot ${slot} cannot be used: ${String(cause)}`,
      { cause },
    );
  }
}

/** The command line of the kernel for another slot; undefined where it names no root partition: it would start whatever. */
export function lineFor(text: string, slot: Slot, diskId: string): string | undefined {
  const root = /(^|\s)root=PARTUUID=\S+/g;
  if ([...text.matchAll(root)].length !== 1 || /(^|\s)root=(?!PARTUUID=)/.test(text)) return undefined;
  return text.replace(root, `$1root=PARTUUID=${diskId}-0${PARTITION[slot]}`);
}
