import { checkHead, decode, type Message } from './decode.ts';
import { HEAD_BYTES, HELLO_HEAD_BYTES, Type } from './types.ts';

/**
 * Cuts a host's stream into messages: hello first, then all others. It never holds more than one message and what came
 * with it: a length from the socket is judged before anything is kept for it.
 */
export class MessageReader {
  #held = Buffer.alloc(0);
  #isGreeted = false;

  push(chunk: Uint8Array): void {
    this.#held = Buffer.concat([this.#held, chunk]);
  }

  /** @returns the next whole message, if there is one. @throws RangeError when the stream is not usb-redir */
  next(): Message | undefined {
    const headBytes = this.#isGreeted ? HEAD_BYTES : HELLO_HEAD_BYTES;
    if (this.#held.length < headBytes) return undefined;
    const type = this.#held.readUInt32LE(0);
    const length = this.#held.readUInt32LE(4);
    if ((type === Type.hello) === this.#isGreeted)
      throw new RangeError(`usb-redir message ${type} ${this.#isGreeted ? 'after' : 'before'} hello`);
    checkHead(type, length);
    if (this.#held.length < headBytes + length) return undefined;
    const id = this.#isGreeted ? this.#held.readBigUInt64LE(8) : BigInt(this.#held.readUInt32LE(8));
    const message = decode(type, id, this.#held.subarray(headBytes, headBytes + length));
    this.#held = this.#held.subarray(headBytes + length);
    this.#isGreeted = true;
    return message;
  }
}
