import type { Ask } from './configuration.ts';
import { AnswerFault } from './protocol/answer.ts';
import {
  decodeFactorySerial,
  decodeFlashString,
  FLASH,
  type FlashPage,
  readFlash,
} from './protocol/flash.ts';

/** What tells one chip from another of its kind; null where it cannot be read. */
export interface SerialNumbers {
  /** Written by the manufacturer; cannot be changed. Several chips may have the same. */
  factory: string | null;
  /** In flash, whether or not the chip shows it as iSerial when it enumerates. */
  usb: string | null;
}

/** A spoilt answer is asked for again; a flash that holds no text has no serial number. */
const TRIES = 2;

/** Both serial numbers, from flash. Nothing on the chip is changed. */
export async function readSerialNumbers(ask: Ask): Promise<SerialNumbers> {
  return {
    factory: await textAt(ask, FLASH.factorySerial, decodeFactorySerial),
    usb: await textAt(ask, FLASH.usbSerial, decodeFlashString),
  };
}

async function textAt(
  ask: Ask,
  page: FlashPage,
  decode: (report: Uint8Array) => string,
): Promise<string | null> {
  for (let tries = 0; tries < TRIES; tries++) {
    const report = await ask(readFlash(page));
    try {
      return decode(report);
    } catch (fault) {
      if (!(fault instanceof AnswerFault)) throw fault;
    }
  }
  return null;
}
