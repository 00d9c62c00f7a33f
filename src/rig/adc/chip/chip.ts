import * as z from 'zod';
import type { SerialNumbers } from '../../../devices/mcp2221a/serial-numbers.ts';

export const serialNumbersSchema = z.strictObject({
  factory: z.string().nullable(),
  usb: z.string().nullable(),
});

const KINDS = ['factory', 'usb'] as const;

/**
 * Whether both are one chip: every serial number that both show is equal, and there is one. Two chips that show none
 * cannot be told apart.
 */
export function isSameChip(one: SerialNumbers, other: SerialNumbers): boolean {
  const compared = KINDS.filter((kind) => one[kind] !== null && other[kind] !== null);
  if (compared.length === 0) return KINDS.every((kind) => one[kind] === other[kind]);
  return compared.every((kind) => one[kind] === other[kind]);
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
