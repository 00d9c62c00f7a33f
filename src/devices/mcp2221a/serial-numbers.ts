import type { Ask } from './configuration.ts';
import { decodeFactorySerial, decodeFlashString, FLASH, readFlash } from './protocol/flash.ts';

/** What tells one chip from another of its kind; null where it cannot be read. */
export interface SerialNumbers {
  /** Written by the manufacturer; cannot be changed. Several chips may have the same. */
  factory: string | null;
  /** In flash, whether or not the chip shows it as iSerial when it enumerates. */
  usb: string | null;
}

/** Both serial numbers, from flash. Nothing on the chip is changed. */
export async function readSerialNumbers(ask: Ask): Promise<{ factory: string; usb: string }> {
  return {
    factory: decodeFactorySerial(await ask(readFlash(FLASH.factorySerial))),
    usb: decodeFlashString(await ask(readFlash(FLASH.usbSerial))),
  };
}
