import { rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import type * as z from 'zod';
import { encodeMessage, MessageReader } from './messages.ts';

/** A client that does not read loses messages beyond this, as a reader of hidraw loses reports beyond 64. */
const MAX_UNREAD_BYTES = 16_384;

export interface MessageServerOptions<T> {
  path: string;
  /** Messages that clients may send; any other input closes the connection. */
  schema: z.ZodType<T>;
  onClient?: (client: Socket) => void;
  onMessage: (message: T, client: Socket) => void;
}

/** The twin's end of a bench socket that carries messages. */
export class MessageServer<T> {
  readonly #options: MessageServerOptions<T>;
  readonly #clients = new Set<Socket>();
  #server: Server | undefined;

  constructor(options: MessageServerOptions<T>) {
    this.#options = options;
  }

  get clients(): number {
    return this.#clients.size;
  }

  /** Takes the place of a socket file that an earlier process left. */
  async open(): Promise<void> {
    if (this.#server) return;
    const { path } = this.#options;
    rmSync(path, { force: true });
    const server = createServer((client) => this.#serve(client));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        this.#server = undefined;
        reject(cause);
      });
      server.listen(path, resolve);
    });
  }

  /** Hangs up on every client and removes the socket file. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const client of this.#clients) client.destroy();
    this.#clients.clear();
    await closed;
  }

  /** To one client. */
  send(client: Socket, message: unknown): void {
    write(client, encodeMessage(message));
  }

  /** To all clients. */
  broadcast(message: unknown): void {
    const encoded = encodeMessage(message);
    for (const client of this.#clients) write(client, encoded);
  }

  #serve(client: Socket): void {
    if (!this.#server) {
      client.destroy();
      return;
    }
    const reader = new MessageReader();
    this.#clients.add(client);
    client.on('close', () => this.#clients.delete(client));
    client.on('error', () => {});
    client.on('data', (chunk: Uint8Array) => {
      for (const message of this.#understood(reader, chunk, client)) this.#options.onMessage(message, client);
    });
    this.#options.onClient?.(client);
  }

  #understood(reader: MessageReader, chunk: Uint8Array, client: Socket): T[] {
    try {
      return reader.push(chunk).map((message) => this.#options.schema.parse(message));
    } catch {
      client.destroy();
      return [];
    }
  }
}

function write(client: Socket, encoded: Uint8Array): void {
  if (client.writableLength < MAX_UNREAD_BYTES) client.write(encoded);
}
