import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApplianceError } from '../appliance-error.ts';
import type { Places } from '../places.ts';
import { textOf, writeWhole } from '../write-whole.ts';

/** Of the module of the image, which hands the flag to the Pi's firmware (docs/update.md). */
const FLAG = '/sys/module/svc_tryboot/parameters/tryboot';
/** Of an emulated machine, whose harness reads it: nothing else stands for the firmware there. */
const EMULATED = 'svc-rig/tryboot-request';

/** The one-shot start of `tryboot.txt`: the only thing here that a real Pi alone can prove. */
export interface Tryboot {
  /** Asks for it: the next start, and only that, is one by `tryboot.txt`. @throws ApplianceError */
  request: () => void;
  /** The next start is an ordinary one. @throws ApplianceError */
  withdraw: () => void;
}

/** How this machine asks for it; undefined where it cannot. */
export function trybootOf({ at, data }: Places): Tryboot | undefined {
  const flag = at(FLAG);
  if (existsSync(flag)) return { request: () => setFlag(flag, '1'), withdraw: () => setFlag(flag, '0') };
  const asked = join(data, EMULATED);
  if (textOf(at('/proc/device-tree/compatible'))?.includes('linux,dummy-virt'))
    return {
      request: () => void writeWhole(asked, '1\n', 0o644),
      withdraw: () => rmSync(asked, { force: true }),
    };
  return undefined;
}

function setFlag(path: string, value: '0' | '1'): void {
  writeFileSync(path, value);
  // The firmware is asked again: a flag that it has not taken would start the old version, unnoticed.
  if (textOf(path) !== value)
    throw new ApplianceError(
      'update_failed',
      `the firmware has not taken ${value} as the request for one start (${path})`,
    );
}
