import { DescriptorType } from '../../usb/descriptors/standard.ts';
import {
  identityOf,
  interfacesOf,
  partsOf,
  type UsbDescriptors,
} from '../../usb/descriptors/usb-descriptors.ts';
import type { DataMessage } from './decode.ts';
import { CAPABILITIES, HEAD_BYTES, HELLO_HEAD_BYTES, type StatusCode, Type, VERSION_BYTES } from './types.ts';

const FULL_SPEED = 1;
const MAX_INTERFACES = 32;
const ENDPOINTS = 32;
const NO_ENDPOINT = 255;

export function encodeHello(version: string): Buffer {
  const message = Buffer.alloc(HELLO_HEAD_BYTES + VERSION_BYTES + 4);
  message.writeUInt32LE(Type.hello, 0);
  message.writeUInt32LE(VERSION_BYTES + 4, 4);
  message.write(version.slice(0, VERSION_BYTES - 1), HELLO_HEAD_BYTES, 'latin1');
  message.writeUInt32LE(CAPABILITIES, HELLO_HEAD_BYTES + VERSION_BYTES);
  return message;
}

/** @param id of the message that is answered; 0 for one of our own */
export function encode(type: number, id: bigint, ...parts: Uint8Array[]): Buffer {
  const body = Buffer.concat(parts);
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(body.length, 4);
  head.writeBigUInt64LE(id, 8);
  return Buffer.concat([head, body]);
}

/** The answer to a transfer. @param length bytes that were carried @param data of an IN transfer */
export function encodeTransfer(
  { kind, head }: Pick<DataMessage, 'kind' | 'head'>,
  id: bigint,
  answer: { status: StatusCode; length: number; data: Uint8Array },
): Buffer {
  const body = Buffer.from(head);
  const { status, length, data } = answer;
  if (kind === 'control') {
    body.writeUInt8(status, 3);
    body.writeUInt16LE(length, 8);
    return encode(Type.controlPacket, id, body, data);
  }
  body.writeUInt8(status, 1);
  body.writeUInt16LE(length & 0xffff, 2);
  if (kind === 'interrupt') return encode(Type.interruptPacket, id, body, data);
  body.writeUInt16LE(length >>> 16, 8);
  return encode(Type.bulkPacket, id, body, data);
}

/** An IN report that the host has not requested by itself. @param endpoint with 0x80 */
export const encodeReport = (endpoint: number, status: StatusCode, data: Uint8Array): Buffer =>
  encodeTransfer({ kind: 'interrupt', head: Uint8Array.of(endpoint, 0, 0, 0) }, 0n, {
    status,
    length: data.length,
    data,
  });

/** What a host has to know of a device, in the order in which QEMU wants it; the last message plugs it in. */
export function encodeDevice(descriptors: UsbDescriptors): Buffer {
  const { deviceClass, deviceSubClass, deviceProtocol, vendorId, productId, bcdDevice } =
    identityOf(descriptors);
  const connect = Buffer.alloc(10);
  connect.set([FULL_SPEED, deviceClass, deviceSubClass, deviceProtocol]);
  connect.writeUInt16LE(vendorId, 4);
  connect.writeUInt16LE(productId, 6);
  connect.writeUInt16LE(bcdDevice, 8);
  return Buffer.concat([encodeParts(descriptors), encode(Type.deviceConnect, 0n, connect)]);
}

/** Interfaces and endpoints. */
export function encodeParts(descriptors: UsbDescriptors): Buffer {
  const interfaces = interfacesOf(descriptors);
  const info = Buffer.alloc(4 + 4 * MAX_INTERFACES);
  info.writeUInt32LE(interfaces.length, 0);
  interfaces.forEach((one, index) => {
    const values = [index, one.interfaceClass, one.interfaceSubClass, one.interfaceProtocol];
    for (const [row, value] of values.entries()) info.writeUInt8(value, 4 + row * MAX_INTERFACES + index);
  });

  const endpoints = Buffer.alloc(5 * ENDPOINTS);
  endpoints.fill(NO_ENDPOINT, 0, ENDPOINTS);
  const put = (at: number, values: { type: number; interval: number; interface: number; bytes: number }) => {
    endpoints.writeUInt8(values.type, at);
    endpoints.writeUInt8(values.interval, ENDPOINTS + at);
    endpoints.writeUInt8(values.interface, 2 * ENDPOINTS + at);
    endpoints.writeUInt16LE(values.bytes, 3 * ENDPOINTS + 2 * at);
  };
  const controlBytes = Buffer.from(descriptors.device).readUInt8(7);
  for (const at of [0, 16]) put(at, { type: 0, interval: 0, interface: 0, bytes: controlBytes });
  let of = 0;
  for (const part of partsOf(descriptors)) {
    if (part[1] === DescriptorType.interface) of = part.readUInt8(2);
    if (part[1] !== DescriptorType.endpoint) continue;
    const address = part.readUInt8(2);
    put(((address & 0x80) >> 3) | (address & 0x0f), {
      type: part.readUInt8(3) & 3,
      interval: part.readUInt8(6),
      interface: of,
      bytes: part.readUInt16LE(4),
    });
  }
  return Buffer.concat([encode(Type.interfaceInfo, 0n, info), encode(Type.endpointInfo, 0n, endpoints)]);
}
