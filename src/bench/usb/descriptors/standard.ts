/** Types of descriptors (USB 2.0, table 9-5; HID 1.11, section 7.1; interface association ECN). */
export const DescriptorType = {
  device: 0x01,
  configuration: 0x02,
  string: 0x03,
  interface: 0x04,
  endpoint: 0x05,
  association: 0x0b,
  hid: 0x21,
  hidReport: 0x22,
  classInterface: 0x24,
} as const;

/** Class, subclass and protocol. */
export type ClassTriple = readonly [number, number, number];

export const TransferType = { bulk: 2, interrupt: 3 } as const;

const USB_2_0 = 0x0200;
/** US English, the only language of all strings. */
const LANGUAGE = 0x0409;

/** @param options.bcdDevice release of the device. @param options.strings indexes, 0 for none */
export function deviceDescriptor(options: {
  class: ClassTriple;
  /** 8, 16, 32 or 64 at full speed. */
  maxPacketBytes: number;
  vendorId: number;
  productId: number;
  bcdDevice: number;
  strings: { manufacturer: number; product: number; serial: number };
}): Uint8Array {
  const { manufacturer, product, serial } = options.strings;
  return described(DescriptorType.device, [
    ...word(USB_2_0),
    ...options.class,
    options.maxPacketBytes,
    ...word(options.vendorId),
    ...word(options.productId),
    ...word(options.bcdDevice),
    manufacturer,
    product,
    serial,
    1,
  ]);
}

/** Configuration 1, bus powered, with everything that belongs to it. @param options.milliamperes 0..500 */
export function configurationDescriptor(options: {
  milliamperes: number;
  parts: readonly Uint8Array[];
}): Uint8Array {
  const body = Buffer.concat(options.parts);
  const interfaces = options.parts.filter((part) => part[1] === DescriptorType.interface).length;
  const head = described(DescriptorType.configuration, [
    ...word(9 + body.length),
    interfaces,
    1,
    0,
    0x80,
    options.milliamperes / 2,
  ]);
  return Uint8Array.from([...head, ...body]);
}

export function interfaceDescriptor(options: {
  number: number;
  endpoints: number;
  class: ClassTriple;
}): Uint8Array {
  return described(DescriptorType.interface, [options.number, 0, options.endpoints, ...options.class, 0]);
}

/** Says that interfaces belong to one function. */
export function associationDescriptor(options: {
  first: number;
  count: number;
  class: ClassTriple;
}): Uint8Array {
  return described(DescriptorType.association, [options.first, options.count, ...options.class, 0]);
}

/** @param options.address number, with 0x80 for IN. @param options.intervalMs of an interrupt endpoint, else 0 */
export function endpointDescriptor(options: {
  address: number;
  type: number;
  maxPacketBytes: number;
  intervalMs: number;
}): Uint8Array {
  const { address, type, maxPacketBytes, intervalMs } = options;
  return described(DescriptorType.endpoint, [address, type, ...word(maxPacketBytes), intervalMs]);
}

/** The languages that strings exist in: string descriptor 0. */
export function languagesDescriptor(): Uint8Array {
  return described(DescriptorType.string, word(LANGUAGE));
}

/** @param text at most 126 UTF-16 units. @throws RangeError when it is longer */
export function stringDescriptor(text: string): Uint8Array {
  if (text.length > 126) throw new RangeError(`"${text}" is too long for a string descriptor of 255 bytes`);
  return described(DescriptorType.string, Buffer.from(text, 'utf16le'));
}

/** A descriptor is its length, its type and its body. */
export function described(type: number, body: Iterable<number>): Uint8Array {
  const bytes = [...body];
  return Uint8Array.from([bytes.length + 2, type, ...bytes]);
}

/** 16 bits, little-endian. */
export const word = (value: number): [number, number] => [value & 0xff, value >> 8];
