import * as z from 'zod';
import type { SerialNumbers } from '../../../devices/mcp2221a/serial-numbers.ts';

export const serialNumbersSchema = z.strictObject({
  factory: z.string().nullable(),
  usb: z.string().nullable(),
});

const KINDS = ['factory', 'usb'] as const;

/**
 * Whether both are one chip: both serial numbers are equal. Many chips have the same factory serial, so a USB serial
 * that is known of one and not readable of the other makes them two. Through the kernel's driver only the USB serial can be
 * read: then that alone must be there and equal. Two chips that show none cannot be told apart.
 */
export function isSameChip(one: SerialNumbers, other: SerialNumbers): boolean {
  if ((one.factory === null) === (other.factory === null))
    return KINDS.every((kind) => one[kind] === other[kind]);
  return one.usb !== null && one.usb === other.usb;
}

/** Whether one of its serial numbers is `serial`. */
export function hasSerial(chip: SerialNumbers, serial: string): boolean {
  return KINDS.some((kind) => chip[kind] === serial);
}

/** For people: `factory serial 01234567, USB serial 0003466530`. */
export function chipText({ factory, usb }: SerialNumbers): string {
  const known = [
    factory === null ? [] : `factory serial ${factory}`,
    usb === null ? [] : `USB serial ${usb}`,
  ];
  return known.flat().join(', ') || 'no readable serial number';
}
