import type { Places } from './places.ts';
import { textOf } from './write-whole.ts';

/** Processors whose device trees and firmware the image has. */
const SUPPORTED = ['brcm,bcm2837', 'brcm,bcm2711', 'brcm,bcm2712'];
/** Machines of emulators, for tests. */
const EMULATED = ['linux,dummy-virt'];

/** The machine that the card is in. */
export interface Board {
  /** For people. */
  model: string;
  /** Undefined where the machine has none. */
  serial: string | undefined;
  /** Why the image is not made for it; undefined where it is. */
  whyWrong: string | undefined;
}

export function boardOf({ at }: Places): Board {
  const tree = at('/proc/device-tree');
  const model = textOf(tree, 'model') ?? 'a machine without a device tree';
  const compatible = textOf(tree, 'compatible') ?? '';
  const serial = textOf(tree, 'serial-number');
  const isKnown = [...SUPPORTED, ...EMULATED].some((one) => compatible.includes(one));
  return {
    model,
    serial: serial !== undefined && /^[0-9a-f]{4,}$/i.test(serial) ? serial.toLowerCase() : undefined,
    whyWrong: isKnown
      ? undefined
      : `this image is for Raspberry Pi 3, 4, 5 and Zero 2 W, and this machine is ${model}: write the image of this machine`,
  };
}
