import type { InterfaceClass } from '../../usb/descriptors/usb-descriptors.ts';
import { OperationStatus } from './status.ts';

/** Version 1.1.1 of the protocol, at the head of each request and reply (Documentation/usb/usbip_protocol.rst). */
export const VERSION = 0x0111;
export const OPERATION_BYTES = 8;
/** Bytes of a bus id on the wire, its closing zero included. */
export const BUS_ID_BYTES = 32;
const PATH_BYTES = 256;
const DEVICE_BYTES = 312;

export const OperationCode = {
  listRequest: 0x8005,
  listReply: 0x0005,
  importRequest: 0x8003,
  importReply: 0x0003,
} as const;

/** The part of a device's descriptors that is reported before it is imported. */
export interface DeviceSummary {
  /** Path on the machine that exports it; at most 255 bytes. */
  path: string;
  /** For example `1-1`; at most 31 bytes. */
  busId: string;
  busNumber: number;
  deviceNumber: number;
  /** enum usb_device_speed of Linux: 2 is full speed, 12 Mbit/s. */
  speed: number;
  vendorId: number;
  productId: number;
  bcdDevice: number;
  deviceClass: number;
  deviceSubClass: number;
  deviceProtocol: number;
  configurationValue: number;
  configurations: number;
  interfaces: readonly InterfaceClass[];
}

export type Operation = { kind: 'list' } | { kind: 'import'; busId: string };

/** @returns bytes of the whole request, judged by its first 8 bytes. @throws RangeError when it is none that we know */
export function operationLength(head: Buffer): number {
  const version = head.readUInt16BE(0);
  if (version !== VERSION)
    throw new RangeError(`USB/IP version ${version.toString(16)}, only 111 (v1.1.1) is spoken here`);
  const code = head.readUInt16BE(2);
  if (code === OperationCode.listRequest) return OPERATION_BYTES;
  if (code === OperationCode.importRequest) return OPERATION_BYTES + BUS_ID_BYTES;
  throw new RangeError(`operation ${code.toString(16)} is not one of 8003 (import) and 8005 (list)`);
}

/** @param bytes one whole request. @throws RangeError as `operationLength`, or when the bus id has no end */
export function decodeOperation(bytes: Buffer): Operation {
  if (operationLength(bytes) === OPERATION_BYTES) return { kind: 'list' };
  const end = bytes.indexOf(0, OPERATION_BYTES);
  if (end < 0) throw new RangeError('the bus id is not closed with a zero byte');
  return { kind: 'import', busId: bytes.toString('latin1', OPERATION_BYTES, end) };
}

export function encodeDeviceList(devices: readonly DeviceSummary[]): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(devices.length);
  const entries = devices.flatMap((device) => [encodeDevice(device), encodeInterfaces(device)]);
  return Buffer.concat([encodeHead(OperationCode.listReply, OperationStatus.ok), count, ...entries]);
}

/** The reply to an import that succeeded. */
export function encodeImported(device: DeviceSummary): Buffer {
  return Buffer.concat([encodeHead(OperationCode.importReply, OperationStatus.ok), encodeDevice(device)]);
}

/** @param status one of `OperationStatus`, not `ok` */
export function encodeImportRefused(status: number): Buffer {
  return encodeHead(OperationCode.importReply, status);
}

function encodeHead(code: number, status: number): Buffer {
  const head = Buffer.alloc(OPERATION_BYTES);
  head.writeUInt16BE(VERSION, 0);
  head.writeUInt16BE(code, 2);
  head.writeUInt32BE(status, 4);
  return head;
}

function encodeDevice(device: DeviceSummary): Buffer {
  const bytes = Buffer.alloc(DEVICE_BYTES);
  bytes.write(device.path, 0, PATH_BYTES - 1, 'latin1');
  bytes.write(device.busId, PATH_BYTES, BUS_ID_BYTES - 1, 'latin1');
  let at = PATH_BYTES + BUS_ID_BYTES;
  at = bytes.writeUInt32BE(device.busNumber, at);
  at = bytes.writeUInt32BE(device.deviceNumber, at);
  at = bytes.writeUInt32BE(device.speed, at);
  at = bytes.writeUInt16BE(device.vendorId, at);
  at = bytes.writeUInt16BE(device.productId, at);
  at = bytes.writeUInt16BE(device.bcdDevice, at);
  at = bytes.writeUInt8(device.deviceClass, at);
  at = bytes.writeUInt8(device.deviceSubClass, at);
  at = bytes.writeUInt8(device.deviceProtocol, at);
  at = bytes.writeUInt8(device.configurationValue, at);
  at = bytes.writeUInt8(device.configurations, at);
  bytes.writeUInt8(device.interfaces.length, at);
  return bytes;
}

function encodeInterfaces(device: DeviceSummary): Buffer {
  const quads = device.interfaces.map((entry) => [
    entry.interfaceClass,
    entry.interfaceSubClass,
    entry.interfaceProtocol,
    0,
  ]);
  return Buffer.from(quads.flat());
}
