import { closeSync, existsSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { ApplianceError } from '../appliance-error.ts';
import type { Places } from '../places.ts';

/** Two digits each, so that the files keep their lengths. */
const LINE = /dtoverlay=svc-pulse,gpio=(\d\d)/g;

/**
 * Sets the GPIO of the pulse output for the next start: two digits, in place.
 * @returns whether anything changed. @throws ApplianceError where the image has no such setting
 */
export function setPulseGpio({ firmware }: Places, gpio: number): boolean {
  const digits = String(gpio).padStart(2, '0');
  let isThere = false;
  let hasChanged = false;
  for (const name of ['config.txt', 'tryboot.txt'].map((one) => join(firmware, one)).filter(existsSync)) {
    for (const match of readFileSync(name, 'latin1').matchAll(LINE)) {
      isThere = true;
      if (match[1] === digits) continue;
      overwrite(name, digits, match.index + match[0].length - digits.length);
      hasChanged = true;
    }
  }
  if (!isThere)
    throw new ApplianceError('setting_not_applied', 'config.txt has no line dtoverlay=svc-pulse,gpio=NN');
  return hasChanged;
}

/** Writes over what is there, in the same place of the partition. @throws NodeJS.ErrnoException */
export function overwrite(path: string, bytes: string | Uint8Array, at: number): void {
  const file = openSync(path, 'r+');
  try {
    writeSync(file, Buffer.from(bytes), 0, undefined, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
