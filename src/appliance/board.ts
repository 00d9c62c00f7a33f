import type { Places } from './places.ts';
import { textOf } from './write-whole.ts';

/** Processors whose device trees and firmware the image has. */
const SUPPORTED = ['brcm,bcm2837', 'brcm,bcm2711'];
/** Of a Raspberry Pi 5: the image starts on it, but has no overlays for its UART module and pulse output. */
const WITHOUT_OVERLAYS = 'brcm,bcm2712';
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
  const model = propertyOf(tree, 'model') ?? 'a machine without a readable device tree';
  const compatible = propertyOf(tree, 'compatible') ?? '';
  const serial = propertyOf(tree, 'serial-number');
  return {
    model,
    serial: serial !== undefined && /^[0-9a-f]{4,}$/i.test(serial) ? serial.toLowerCase() : undefined,
    whyWrong: whyWrong(compatible, model),
  };
}

/** One that cannot be read is unknown: a machine without a name still gets its keys and its report. */
function propertyOf(tree: string, name: string): string | undefined {
  try {
    return textOf(tree, name);
  } catch {
    return undefined;
  }
}

function whyWrong(compatible: string, model: string): string | undefined {
  if ([...SUPPORTED, ...EMULATED].some((one) => compatible.includes(one))) return undefined;
  return compatible.includes(WITHOUT_OVERLAYS)
    ? `${model} has neither the UART of the ADC module nor the pulse output of the watchdog relay with this image: use a Raspberry Pi 3, 4 or Zero 2 W`
    : `this image is for Raspberry Pi 3, 4 and Zero 2 W, and this machine is ${model}: write the image of this machine`;
}
