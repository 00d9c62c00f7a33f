import { word } from '../modbus-rtu/request.ts';

/** One message of Modbus TCP without its lengths (Modbus messaging on TCP/IP, section 3.1.3). */
export interface TcpFrame {
  /** Chosen by the client, repeated by the server: 0..65535. */
  transaction: number;
  unit: number;
  /** From the function code on. */
  body: Uint8Array;
}

/** Transaction, protocol, length, unit. */
const HEADER_BYTES = 7;
/** The longest body a Modbus message may have. */
const LONGEST_BODY = 253;

export function encodeFrame(transaction: number, unit: number, body: ArrayLike<number>): Uint8Array {
  return Uint8Array.from([
    ...word(transaction),
    0,
    0,
    ...word(1 + body.length),
    unit,
    ...Uint8Array.from(body),
  ]);
}

/** Takes a stream apart into frames. After the first fault the place of the next frame is not known any more. */
export class FrameReader {
  #held = Buffer.alloc(0);

  /** Bytes of a frame that has not ended yet. */
  get held(): number {
    return this.#held.length;
  }

  /** @returns whole frames, and what is wrong with the stream, if anything */
  push(bytes: Uint8Array): { frames: TcpFrame[]; fault?: string } {
    this.#held = Buffer.concat([this.#held, bytes]);
    const frames: TcpFrame[] = [];
    while (this.#held.length >= HEADER_BYTES) {
      const protocol = this.#held.readUInt16BE(2);
      const length = this.#held.readUInt16BE(4);
      if (protocol !== 0) return { frames, fault: `protocol ${protocol} where 0 is Modbus` };
      if (length < 2 || length > 1 + LONGEST_BODY)
        return { frames, fault: `length ${length} where 2 to 254 is possible` };
      const end = HEADER_BYTES - 1 + length;
      if (this.#held.length < end) break;
      frames.push({
        transaction: this.#held.readUInt16BE(0),
        unit: this.#held[6] ?? 0,
        body: Uint8Array.from(this.#held.subarray(HEADER_BYTES, end)),
      });
      this.#held = this.#held.subarray(end);
    }
    return { frames };
  }

  reset(): void {
    this.#held = Buffer.alloc(0);
  }
}
