import {
  BULK_BYTES,
  CAPABILITIES,
  CONTROL_BYTES,
  INTERRUPT_BYTES,
  MAX_DATA_BYTES,
  Type,
  VERSION_BYTES,
} from './types.ts';

/** One message of the host (QEMU), without what only the answer needs. */
export type Message = { id: bigint } & (
  | { kind: 'hello' }
  | { kind: 'reset' }
  | { kind: 'set_configuration'; value: number }
  | { kind: 'get_configuration' }
  | { kind: 'set_alt_setting'; interface: number; value: number }
  | { kind: 'get_alt_setting'; interface: number }
  | { kind: 'start_interrupt' | 'stop_interrupt'; endpoint: number }
  | { kind: 'cancel' }
  | { kind: 'refused' }
  | DataMessage
);

/** A transfer: `length` bytes are requested of an IN endpoint, `data` is for an OUT endpoint. */
export type DataMessage = {
  kind: 'control' | 'bulk' | 'interrupt';
  /** Number, with 0x80 for IN. */
  endpoint: number;
  length: number;
  data: Uint8Array;
  /** 8 bytes for a control transfer, else none. */
  setup: Uint8Array;
  /** Head of the message, which its answer repeats but for status and length. */
  head: Uint8Array;
};

/** Lengths of the fixed part by type, and whether data may follow. */
const SHAPES: Readonly<Record<number, { bytes: number; data?: true }>> = {
  [Type.hello]: { bytes: VERSION_BYTES + 4, data: true },
  [Type.reset]: { bytes: 0 },
  [Type.setConfiguration]: { bytes: 1 },
  [Type.getConfiguration]: { bytes: 0 },
  [Type.setAltSetting]: { bytes: 2 },
  [Type.getAltSetting]: { bytes: 1 },
  [Type.startInterruptReceiving]: { bytes: 1 },
  [Type.stopInterruptReceiving]: { bytes: 1 },
  [Type.cancelDataPacket]: { bytes: 0 },
  [Type.filterReject]: { bytes: 0 },
  [Type.controlPacket]: { bytes: CONTROL_BYTES, data: true },
  [Type.bulkPacket]: { bytes: BULK_BYTES, data: true },
  [Type.interruptPacket]: { bytes: INTERRUPT_BYTES, data: true },
};

/** Judges a message by its head, before anything is kept for it. @throws RangeError for what no host may send */
export function checkHead(type: number, bytes: number): void {
  const shape = SHAPES[type];
  if (!shape) throw new RangeError(`usb-redir message ${type} is not one of ${Object.keys(SHAPES)}`);
  const most = shape.bytes + (shape.data ? MAX_DATA_BYTES : 0);
  if (bytes < shape.bytes || bytes > most)
    throw new RangeError(`usb-redir message ${type} of ${bytes} bytes, ${shape.bytes} to ${most} are taken`);
}

/** @param body of a message whose head was checked. @throws RangeError when it contradicts itself */
export function decode(type: number, id: bigint, body: Buffer): Message {
  switch (type) {
    case Type.hello:
      if ((body.readUInt32LE(VERSION_BYTES) & CAPABILITIES) !== CAPABILITIES)
        throw new RangeError('the host lacks capabilities that these devices need');
      return { id, kind: 'hello' };
    case Type.reset:
      return { id, kind: 'reset' };
    case Type.setConfiguration:
      return { id, kind: 'set_configuration', value: body.readUInt8(0) };
    case Type.getConfiguration:
      return { id, kind: 'get_configuration' };
    case Type.setAltSetting:
      return { id, kind: 'set_alt_setting', interface: body.readUInt8(0), value: body.readUInt8(1) };
    case Type.getAltSetting:
      return { id, kind: 'get_alt_setting', interface: body.readUInt8(0) };
    case Type.startInterruptReceiving:
      return { id, kind: 'start_interrupt', endpoint: body.readUInt8(0) };
    case Type.stopInterruptReceiving:
      return { id, kind: 'stop_interrupt', endpoint: body.readUInt8(0) };
    case Type.cancelDataPacket:
      return { id, kind: 'cancel' };
    case Type.filterReject:
      return { id, kind: 'refused' };
    case Type.controlPacket: {
      const length = body.readUInt16LE(8);
      const setup = Buffer.from([
        body.readUInt8(2),
        body.readUInt8(1),
        ...body.subarray(4, 8),
        ...body.subarray(8, 10),
      ]);
      return data({ id, kind: 'control', body, headBytes: CONTROL_BYTES, length, setup });
    }
    case Type.bulkPacket: {
      const length = body.readUInt16LE(2) + body.readUInt16LE(8) * 0x1_0000;
      return data({ id, kind: 'bulk', body, headBytes: BULK_BYTES, length });
    }
    default:
      return data({
        id,
        kind: 'interrupt',
        body,
        headBytes: INTERRUPT_BYTES,
        length: body.readUInt16LE(2),
      });
  }
}

function data(options: {
  id: bigint;
  kind: DataMessage['kind'];
  body: Buffer;
  headBytes: number;
  length: number;
  setup?: Uint8Array;
}): Message {
  const { id, kind, body, headBytes, length, setup = new Uint8Array() } = options;
  const endpoint = body.readUInt8(0);
  const bytes = Uint8Array.from(body.subarray(headBytes));
  const expected = endpoint & 0x80 ? 0 : length;
  if (bytes.length !== expected)
    throw new RangeError(`${bytes.length} bytes of data for endpoint ${endpoint}, its head says ${expected}`);
  if (length > MAX_DATA_BYTES)
    throw new RangeError(`a transfer of ${length} bytes, at most ${MAX_DATA_BYTES} are given`);
  const head = Uint8Array.from(body.subarray(0, headBytes));
  return { id, kind, endpoint, length, data: bytes, setup, head };
}
