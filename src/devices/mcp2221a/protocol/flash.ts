import { byteAt, checkAnswer, corrupt, wordAt } from './answer.ts';
import { COMMAND, Request } from './request.ts';

/** What can be read of the flash, sub-code [1] of B0. The answer does not repeat it. */
export const FLASH = {
  chipSettings: 0x00,
  gpioSettings: 0x01,
  manufacturer: 0x02,
  product: 0x03,
  usbSerial: 0x04,
  factorySerial: 0x05,
} as const;

export type FlashPage = (typeof FLASH)[keyof typeof FLASH];

export const CHIP_SETTINGS_LENGTH = 10;
export const STRING_DESCRIPTOR = 3;

export const readFlash = (page: FlashPage): Request => new Request(COMMAND.readFlash, [page]);

/** The ids that the chip enumerates with. @throws AnswerFault */
export function decodeChipSettings(report: Uint8Array): { vendorId: number; productId: number } {
  checkAnswer(report, COMMAND.readFlash);
  const length = byteAt(report, 2);
  if (length !== CHIP_SETTINGS_LENGTH)
    throw corrupt(
      'structure',
      `chip settings of ${length} bytes where ${CHIP_SETTINGS_LENGTH} were expected`,
    );
  return { vendorId: wordAt(report, 8), productId: wordAt(report, 10) };
}

/** Manufacturer, product or USB serial number. @throws AnswerFault */
export function decodeFlashString(report: Uint8Array): string {
  checkAnswer(report, COMMAND.readFlash);
  const [length, type] = [byteAt(report, 2), byteAt(report, 3)];
  const isString =
    type === STRING_DESCRIPTOR && length >= 2 && length % 2 === 0 && 2 + length <= report.length;
  if (!isString)
    throw corrupt('structure', `a string of descriptor type ${type} with ${length} bytes, which cannot be`);
  return new TextDecoder('utf-16le').decode(report.subarray(4, 2 + length));
}

/** @throws AnswerFault, also when it is not printable text */
export function decodeFactorySerial(report: Uint8Array): string {
  checkAnswer(report, COMMAND.readFlash);
  const length = byteAt(report, 2);
  const text = String.fromCharCode(...report.subarray(4, 4 + Math.min(length, 60)));
  if (length < 1 || length > 60 || !/^[\x20-\x7e]+$/.test(text))
    throw corrupt('structure', `a factory serial number of ${length} bytes that is not a text`);
  return text;
}
