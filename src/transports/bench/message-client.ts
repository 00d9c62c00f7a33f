import type { Socket } from 'node:net';
import type * as z from 'zod';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { Listeners } from '../listeners.ts';
import { TransportError } from '../transport-error.ts';
import { encodeMessage, MessageReader } from './messages.ts';
import { connectTo } from './socket-transport.ts';

/** The client's end of a bench socket that carries messages. */
export class MessageClient<T> {
  readonly address: string;
  readonly path: string;
  readonly #schema: z.ZodType<T>;
  readonly #messages = new Listeners<T>();
  readonly #closed = new Listeners<TransportError>();
  #opening: Promise<void> | undefined;
  #socket: Socket | undefined;

  /** @param options.schema what the bench may say; when it says anything else the connection ends */
  constructor(options: { address: string; path: string; schema: z.ZodType<T> }) {
    this.address = options.address;
    this.path = options.path;
    this.#schema = options.schema;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  /** @throws TransportError `port_absent`, `port_permission`, `port_failed` */
  async open(): Promise<void> {
    if (this.#socket) return;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async close(): Promise<void> {
    await this.#opening?.catch(() => {});
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  /** Resolves when the operating system has taken it. @throws TransportError `port_closed`, `port_gone` */
  send(message: unknown): Promise<void> {
    const socket = this.#socket;
    if (!socket) return Promise.reject(this.notOpen());
    return new Promise((resolve, reject) => {
      socket.write(encodeMessage(message), (cause) => (cause ? reject(this.gone(cause)) : resolve()));
    });
  }

  onMessage(listener: (message: T) => void): () => void {
    return this.#messages.add(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#closed.add(listener);
  }

  gone(cause?: unknown): TransportError {
    const why = cause === undefined ? '' : ` (${messageOf(cause)})`;
    const message = `bench socket ${this.path} was closed by the bench${why}; plug the twin in again`;
    return new TransportError('port_gone', this.address, message, { cause });
  }

  notOpen(): TransportError {
    return new TransportError(
      'port_closed',
      this.address,
      `bench socket ${this.path} is not open; open it first`,
    );
  }

  async #open(): Promise<void> {
    const socket = await connectTo(this.path, this.address);
    const reader = new MessageReader();
    let fault: unknown;
    this.#socket = socket;
    const understood = (chunk: Uint8Array): T[] => {
      try {
        return reader.push(chunk).map((message) => this.#schema.parse(message));
      } catch (cause) {
        fault = cause;
        socket.destroy();
        return [];
      }
    };
    socket.on('data', (chunk: Uint8Array) => {
      for (const message of understood(chunk)) {
        if (this.#socket === socket) this.#messages.tell(message);
      }
    });
    socket.on('error', (cause) => {
      fault = cause;
    });
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#closed.tell(this.gone(fault));
    });
  }
}
