import { connect, type Socket } from 'node:net';
import { bytesOf, hexOf } from '../../transports/hex.ts';

/** A client that knows no protocol: bytes out, so many bytes in. */
export class ByteClient {
  readonly #socket: Socket;
  #received = Buffer.alloc(0);
  #ended = false;
  #wake: () => void = () => {};

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Uint8Array) => {
      this.#received = Buffer.concat([this.#received, chunk]);
      this.#wake();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#ended = true;
      this.#wake();
    });
  }

  /** @param place a port of 127.0.0.1, or the path of a Unix socket */
  static async open(place: number | string): Promise<ByteClient> {
    const socket = typeof place === 'number' ? connect(place, '127.0.0.1') : connect(place);
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', () => resolve());
      socket.once('error', reject);
    });
    return new ByteClient(socket);
  }

  /** Bytes that came and were not read. */
  get unread(): number {
    return this.#received.length;
  }

  /** Bytes that the other side has not made room for. */
  get unsent(): number {
    return this.#socket.writableLength;
  }

  send(bytes: string | Uint8Array): void {
    this.#socket.write(typeof bytes === 'string' ? bytesOf(bytes) : bytes);
  }

  /** @returns the next bytes as hex. @throws RangeError when the connection ends before there are so many */
  async read(count: number): Promise<string> {
    await this.#arrived(count);
    const bytes = this.#received.subarray(0, count);
    this.#received = this.#received.subarray(count);
    return hexOf(bytes);
  }

  /** Reads so many bytes and forgets them. @throws RangeError as `read` */
  async skip(count: number): Promise<void> {
    await this.#arrived(count);
    this.#received = this.#received.subarray(count);
  }

  /** Resolves when the other side has hung up. */
  async ended(): Promise<void> {
    while (!this.#ended) await this.#change();
  }

  /** Takes nothing more from the network, as a host that is stuck. */
  stopReading(): void {
    this.#socket.pause();
  }

  readAgain(): void {
    this.#socket.resume();
  }

  close(): void {
    this.#socket.destroy();
  }

  async #arrived(count: number): Promise<void> {
    while (this.#received.length < count) {
      if (this.#ended) throw new RangeError(`hung up after ${this.#received.length} of ${count} bytes`);
      await this.#change();
    }
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }
}
