import { DescriptorType, described, word } from './standard.ts';

const HID_1_11 = 0x0111;

/**
 * Reports of `bytes` unnamed bytes in each direction, without report ids, on a page of the vendor's own.
 *
 * @param bytes 1..255
 */
export function plainReportDescriptor(bytes: number): Uint8Array {
  // biome-ignore format: one item of the descriptor a line (HID 1.11, section 6.2.2)
  return Uint8Array.from([
    0x06, 0x00, 0xff, // usage page FF00, the vendor's
    0x09, 0x01, // usage 1
    0xa1, 0x01, // collection (application)
    0x19, 0x01, //   usage minimum 1
    0x29, bytes, //   usage maximum
    0x15, 0x00, //   logical minimum 0
    0x26, 0xff, 0x00, //   logical maximum 255
    0x75, 0x08, //   report size 8 bits
    0x95, bytes, //   report count
    0x81, 0x00, //   input (data, array)
    0x19, 0x01, //   usage minimum 1
    0x29, bytes, //   usage maximum
    0x91, 0x00, //   output (data, array)
    0xc0, // end of collection
  ]);
}

/** Says that the interface has one report descriptor, and its length. */
export function hidDescriptor(report: Uint8Array): Uint8Array {
  return described(DescriptorType.hid, [
    ...word(HID_1_11),
    0,
    1,
    DescriptorType.hidReport,
    ...word(report.length),
  ]);
}
