import type { Transfer } from '../../usb/device/transfer.ts';

/** Bytes of every message once a device is imported, without its data. */
export const URB_HEAD_BYTES = 48;
/** Most data that is taken with one OUT transfer; the drivers for these devices send 4 KiB at most. */
export const MAX_OUT_BYTES = 65_536;

const Command = { submit: 1, unlink: 2, submitReply: 3, unlinkReply: 4 } as const;
const DIRECTION_OUT = 0;
const DIRECTION_IN = 1;
/** Number of packets of a transfer that is not isochronous: 0 by Linux, all ones by its document. */
const NO_PACKETS: readonly number[] = [0, 0xffff_ffff];

/** One transfer that the host wants. */
export interface Submit extends Transfer {
  kind: 'submit';
  /** Bus number x 65536 + device number. */
  deviceId: number;
  /** As it came; the reply repeats it. */
  packets: number;
}

/** The host gives an earlier transfer up. */
export interface Unlink {
  kind: 'unlink';
  sequence: number;
  deviceId: number;
  /** Sequence number of the transfer. */
  unlinked: number;
}

/** @param head at least 48 bytes. @returns bytes of the whole message. @throws RangeError on what nobody may send */
export function urbLength(head: Buffer): number {
  const command = head.readUInt32BE(0);
  if (command === Command.unlink) return URB_HEAD_BYTES;
  if (command !== Command.submit) throw new RangeError(`command ${command} is not 1 (submit) or 2 (unlink)`);
  const direction = head.readUInt32BE(12);
  if (direction !== DIRECTION_OUT && direction !== DIRECTION_IN)
    throw new RangeError(`direction ${direction} is not 0 or 1`);
  const endpoint = head.readUInt32BE(16);
  if (endpoint > 15) throw new RangeError(`endpoint ${endpoint} is not 0 to 15`);
  const packets = head.readUInt32BE(32);
  if (!NO_PACKETS.includes(packets))
    throw new RangeError(`${packets} isochronous packets: these devices have no such endpoint`);
  if (direction === DIRECTION_IN) return URB_HEAD_BYTES;
  const length = head.readUInt32BE(24);
  if (length > MAX_OUT_BYTES)
    throw new RangeError(`an OUT transfer of ${length} bytes, at most ${MAX_OUT_BYTES} are taken`);
  return URB_HEAD_BYTES + length;
}

/** @param bytes one whole message. @throws RangeError as `urbLength` */
export function decodeUrb(bytes: Buffer): Submit | Unlink {
  const length = urbLength(bytes);
  const sequence = bytes.readUInt32BE(4);
  const deviceId = bytes.readUInt32BE(8);
  if (bytes.readUInt32BE(0) === Command.unlink)
    return { kind: 'unlink', sequence, deviceId, unlinked: bytes.readUInt32BE(20) };
  return {
    kind: 'submit',
    sequence,
    deviceId,
    direction: bytes.readUInt32BE(12) === DIRECTION_IN ? 'in' : 'out',
    endpoint: bytes.readUInt32BE(16),
    length: bytes.readUInt32BE(24),
    packets: bytes.readUInt32BE(32),
    setup: Uint8Array.from(bytes.subarray(40, 48)),
    data: Uint8Array.from(bytes.subarray(URB_HEAD_BYTES, length)),
  };
}

/**
 * The reply to a transfer that ended by itself.
 *
 * @param reply.status 0 or a negative error number of Linux
 * @param reply.length bytes that were carried, in either direction
 * @param reply.data of an IN transfer
 */
export function encodeSubmitReply(
  submit: Pick<Submit, 'sequence' | 'packets'>,
  reply: { status: number; length: number; data: Uint8Array },
): Buffer {
  const head = Buffer.alloc(URB_HEAD_BYTES);
  head.writeUInt32BE(Command.submitReply, 0);
  head.writeUInt32BE(submit.sequence, 4);
  head.writeInt32BE(reply.status, 20);
  head.writeUInt32BE(reply.length, 24);
  head.writeUInt32BE(submit.packets, 32);
  return Buffer.concat([head, reply.data]);
}

/** @param status `TransferStatus.unlinked`, or 0 when the transfer had ended before */
export function encodeUnlinkReply(sequence: number, status: number): Buffer {
  const head = Buffer.alloc(URB_HEAD_BYTES);
  head.writeUInt32BE(Command.unlinkReply, 0);
  head.writeUInt32BE(sequence, 4);
  head.writeInt32BE(status, 20);
  return head;
}
