/** Messages are JSON texts behind their length in bytes, 32 bit big-endian. */
const MAX_BYTES = 65_536;

export function encodeMessage(message: unknown): Buffer {
  const body = Buffer.from(JSON.stringify(message), 'utf8');
  const head = Buffer.alloc(4);
  head.writeUInt32BE(body.length);
  return Buffer.concat([head, body]);
}

/** Cuts a stream of bytes back into messages. */
export class MessageReader {
  #held = Buffer.alloc(0);

  /** @throws RangeError when a length is not believable; @throws SyntaxError when a text is not JSON */
  push(chunk: Uint8Array): unknown[] {
    this.#held = Buffer.concat([this.#held, chunk]);
    const messages: unknown[] = [];
    while (this.#held.length >= 4) {
      const length = this.#held.readUInt32BE();
      if (length > MAX_BYTES)
        throw new RangeError(`message of ${length} bytes, at most ${MAX_BYTES} are allowed`);
      if (this.#held.length < 4 + length) break;
      messages.push(JSON.parse(this.#held.toString('utf8', 4, 4 + length)));
      this.#held = this.#held.subarray(4 + length);
    }
    return messages;
  }
}
