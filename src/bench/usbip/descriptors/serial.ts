import { DescriptorType, described, word } from './standard.ts';

/** Subtypes of a communication interface's own descriptors (CDC 1.1, table 25). */
const Subtype = { header: 0x00, callManagement: 0x01, abstractControl: 0x02, union: 0x06 } as const;
const CDC_1_10 = 0x0110;
/** Line coding and control line state can be set. */
const LINE_REQUESTS = 0x02;

/** What a CDC-ACM control interface says about itself. */
export function serialDescriptors(options: { control: number; data: number }): Uint8Array[] {
  return [
    functional(Subtype.header, word(CDC_1_10)),
    functional(Subtype.abstractControl, [LINE_REQUESTS]),
    functional(Subtype.union, [options.control, options.data]),
    functional(Subtype.callManagement, [0, options.data]),
  ];
}

const functional = (subtype: number, body: readonly number[]): Uint8Array =>
  described(DescriptorType.classInterface, [subtype, ...body]);
