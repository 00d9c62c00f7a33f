import {
  associationDescriptor,
  type ClassTriple,
  DescriptorType,
  described,
  endpointDescriptor,
  interfaceDescriptor,
  TransferType,
  word,
} from './standard.ts';

/** A device whose interfaces are grouped by an association. */
export const GROUPED: ClassTriple = [0xef, 0x02, 0x01];
const SERIAL_CONTROL: ClassTriple = [0x02, 0x02, 0x01];
const SERIAL_DATA: ClassTriple = [0x0a, 0x00, 0x00];

/** Subtypes of a communication interface's own descriptors (CDC 1.1, table 25). */
const Subtype = { header: 0x00, callManagement: 0x01, abstractControl: 0x02, union: 0x06 } as const;
const CDC_1_10 = 0x0110;
/** Line coding and control line state can be set. */
const LINE_REQUESTS = 0x02;

/** Numbers of the two interfaces of a serial port, and addresses of its endpoints. */
export interface SerialPlaces {
  control: number;
  data: number;
  notification: number;
  dataIn: number;
  dataOut: number;
}

/** The part of a configuration that is a CDC-ACM serial port. */
export function serialParts(places: SerialPlaces): Uint8Array[] {
  const bulk = { type: TransferType.bulk, maxPacketBytes: 64, intervalMs: 0 };
  return [
    associationDescriptor({ first: places.control, count: 2, class: SERIAL_CONTROL }),
    interfaceDescriptor({ number: places.control, endpoints: 1, class: SERIAL_CONTROL }),
    ...serialDescriptors(places),
    endpointDescriptor({
      address: places.notification,
      type: TransferType.interrupt,
      maxPacketBytes: 8,
      intervalMs: 2,
    }),
    interfaceDescriptor({ number: places.data, endpoints: 2, class: SERIAL_DATA }),
    endpointDescriptor({ ...bulk, address: places.dataIn }),
    endpointDescriptor({ ...bulk, address: places.dataOut }),
  ];
}

/** What a CDC-ACM control interface reports of itself. */
function serialDescriptors(options: { control: number; data: number }): Uint8Array[] {
  return [
    functional(Subtype.header, word(CDC_1_10)),
    functional(Subtype.abstractControl, [LINE_REQUESTS]),
    functional(Subtype.union, [options.control, options.data]),
    functional(Subtype.callManagement, [0, options.data]),
  ];
}

const functional = (subtype: number, body: readonly number[]): Uint8Array =>
  described(DescriptorType.classInterface, [subtype, ...body]);
