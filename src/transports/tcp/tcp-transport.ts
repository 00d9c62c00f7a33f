import { connect, type Socket } from 'node:net';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import type { ByteTransport } from '../byte-transport.ts';
import { Listeners } from '../listeners.ts';
import { type TransportCode, TransportError } from '../transport-error.ts';

export interface TcpTransportOptions {
  host: string;
  port: number;
  clock?: Clock;
  /** How long a connection may take to come about, milliseconds. Default 3000. */
  connectTimeoutMs?: number;
}

/** Bytes over a TCP connection. Has no line rate and nothing to flush: what comes late comes in order. */
export class TcpTransport implements ByteTransport {
  /** `tcp:<host>:<port>`, for errors; `svc.yaml` gives host and port as fields of their own. */
  readonly address: string;
  readonly baud = undefined;
  readonly #options: TcpTransportOptions;
  readonly #clock: Clock;
  readonly #bytes = new Listeners<Uint8Array>();
  readonly #closed = new Listeners<TransportError>();
  #socket: Socket | undefined;

  constructor(options: TcpTransportOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    const { host, port } = options;
    this.address = `tcp:${host.includes(':') ? `[${host}]` : host}:${port}`;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  async open(): Promise<void> {
    if (this.#socket) return;
    const socket = await this.#connect();
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (bytes: Uint8Array) => {
      if (this.#socket === socket) this.#bytes.tell(bytes);
    });
    let cause: Error | undefined;
    socket.on('error', (fault) => {
      cause = fault;
    });
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#closed.tell(this.#fault('port_gone', 'was closed by the other side', cause));
    });
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
  }

  write(bytes: Uint8Array): Promise<void> {
    const socket = this.#socket;
    if (!socket) return Promise.reject(this.#fault('port_closed', 'is not open'));
    return new Promise((resolve, reject) => {
      socket.write(bytes, (cause) =>
        cause ? reject(this.#fault('port_gone', 'went away', cause)) : resolve(),
      );
    });
  }

  async flushInput(): Promise<void> {
    if (!this.#socket) throw this.#fault('port_closed', 'is not open');
  }

  onBytes(listener: (bytes: Uint8Array) => void): () => void {
    return this.#bytes.add(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#closed.add(listener);
  }

  #connect(): Promise<Socket> {
    const { host, port, connectTimeoutMs = 3000 } = this.#options;
    return new Promise((resolve, reject) => {
      const socket = connect({ host, port });
      const fail = (error: TransportError) => {
        cancelTimeout();
        socket.removeAllListeners();
        socket.on('error', () => {});
        socket.destroy();
        reject(error);
      };
      const cancelTimeout = this.#clock.after(connectTimeoutMs, () =>
        fail(
          this.#fault(
            'port_absent',
            `did not answer within ${connectTimeoutMs} ms; check address and network`,
          ),
        ),
      );
      socket.once('error', (cause: NodeJS.ErrnoException) => fail(this.#openFault(cause)));
      socket.once('connect', () => {
        cancelTimeout();
        socket.removeAllListeners();
        resolve(socket);
      });
    });
  }

  #openFault(cause: NodeJS.ErrnoException): TransportError {
    switch (cause.code) {
      case 'ECONNREFUSED':
        return this.#fault('port_absent', 'is refused: no server listens there; start the server', cause);
      case 'EHOSTUNREACH':
      case 'ENETUNREACH':
      case 'ENOTFOUND':
      case 'EAI_AGAIN':
      case 'ETIMEDOUT':
        return this.#fault('port_absent', 'cannot be reached; check address and network', cause);
      case 'ECONNRESET':
      case 'ECONNABORTED':
        return this.#fault('port_busy', 'takes no further connection: end another one', cause);
      case 'EACCES':
      case 'EPERM':
        return this.#fault('port_permission', 'is forbidden; ask for a rule in the firewall', cause);
      default:
        return this.#fault('port_failed', 'cannot be opened; check host and port', cause);
    }
  }

  #fault(code: TransportCode, what: string, cause?: Error): TransportError {
    const said = cause ? ` (${reasonOf(cause)})` : '';
    return new TransportError(code, this.address, `connection ${this.address} ${what}${said}`, { cause });
  }
}
