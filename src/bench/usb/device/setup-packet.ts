import type { Setup } from '../../../transports/memory/usb-pipe.ts';

/** Who a control request is for, and who defined it (USB 2.0, table 9-2). */
export interface SetupPacket extends Setup {
  direction: 'in' | 'out';
  type: 'standard' | 'class' | 'vendor' | 'reserved';
  recipient: 'device' | 'interface' | 'endpoint' | 'other';
}

const TYPES = ['standard', 'class', 'vendor', 'reserved'] as const;
const RECIPIENTS = ['device', 'interface', 'endpoint'] as const;

/** @param bytes the 8 bytes of a setup packet */
export function decodeSetup(bytes: Uint8Array): SetupPacket {
  const view = Buffer.from(bytes);
  const requestType = view.readUInt8(0);
  return {
    requestType,
    request: view.readUInt8(1),
    value: view.readUInt16LE(2),
    index: view.readUInt16LE(4),
    length: view.readUInt16LE(6),
    direction: requestType & 0x80 ? 'in' : 'out',
    type: TYPES[(requestType >> 5) & 3] ?? 'reserved',
    recipient: RECIPIENTS[requestType & 0x1f] ?? 'other',
  };
}
