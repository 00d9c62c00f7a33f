import { decodeOperation, OPERATION_BYTES, type Operation, operationLength } from './operations.ts';
import { decodeUrb, type Submit, type Unlink, URB_HEAD_BYTES, urbLength } from './urb.ts';

export type Message = Operation | Submit | Unlink;

/**
 * Cuts a client's stream into messages: one operation first, transfers after an import. It never holds more than one
 * message: a length from the network is judged before anything is kept for it.
 */
export class MessageReader {
  #held = Buffer.alloc(0);
  #phase: 'operation' | 'transfers' = 'operation';

  /** From now on the client sends transfers. */
  imported(): void {
    this.#phase = 'transfers';
  }

  push(chunk: Uint8Array): void {
    this.#held = Buffer.concat([this.#held, chunk]);
  }

  /** @returns the next whole message, if there is one. @throws RangeError when the stream is not USB/IP */
  next(): Message | undefined {
    const transfers = this.#phase === 'transfers';
    const headBytes = transfers ? URB_HEAD_BYTES : OPERATION_BYTES;
    if (this.#held.length < headBytes) return undefined;
    const length = transfers ? urbLength(this.#held) : operationLength(this.#held);
    if (this.#held.length < length) return undefined;
    const bytes = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return transfers ? decodeUrb(bytes) : decodeOperation(bytes);
  }
}
