import { connect, type Socket } from 'node:net';
import type { ByteTransport } from '../byte-transport.ts';
import { Listeners } from '../listeners.ts';
import { portFault } from '../serial/port-fault.ts';
import { TransportError } from '../transport-error.ts';

/** A twin's bytes over a Unix socket: `bench:<socket path>`. Has no line rate and nothing to flush. */
export class SocketTransport implements ByteTransport {
  readonly address: string;
  readonly baud = undefined;
  readonly isPaced = false;
  readonly #path: string;
  readonly #bytes = new Listeners<Uint8Array>();
  readonly #closed = new Listeners<TransportError>();
  #socket: Socket | undefined;

  constructor(options: { address: string; path: string }) {
    this.address = options.address;
    this.#path = options.path;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  async open(): Promise<void> {
    if (this.#socket) return;
    const socket = await connectTo(this.#path, this.address);
    this.#socket = socket;
    socket.on('data', (bytes: Uint8Array) => this.#bytes.tell(bytes));
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#closed.tell(this.#fault('port_gone', 'was closed by the bench; plug the twin in again'));
    });
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  write(bytes: Uint8Array): Promise<void> {
    const socket = this.#socket;
    if (!socket) return Promise.reject(this.#fault('port_closed', 'is not open; open it first'));
    return new Promise((resolve, reject) => {
      socket.write(bytes, (cause) =>
        cause ? reject(this.#fault('port_gone', 'went away; plug the twin in again', cause)) : resolve(),
      );
    });
  }

  async flushInput(): Promise<void> {
    if (!this.#socket) throw this.#fault('port_closed', 'is not open; open it first');
  }

  onBytes(listener: (bytes: Uint8Array) => void): () => void {
    return this.#bytes.add(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#closed.add(listener);
  }

  #fault(code: 'port_gone' | 'port_closed', what: string, cause?: unknown): TransportError {
    return new TransportError(code, this.address, `bench socket ${this.#path} ${what}`, { cause });
  }
}

/** @throws TransportError `port_absent` when no process listens there */
export function connectTo(path: string, address: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(path);
    socket.once('connect', () => {
      socket.removeAllListeners('error');
      resolve(socket);
    });
    socket.once('error', (cause: NodeJS.ErrnoException) => {
      const isAbsent = cause.code === 'ECONNREFUSED' || cause.code === 'ENOENT';
      reject(
        isAbsent
          ? new TransportError('port_absent', address, `no bench listens at ${path}; start svc-bench`, {
              cause,
            })
          : portFault(address, path, cause),
      );
    });
  });
}
