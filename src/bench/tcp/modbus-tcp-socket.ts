import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Responder } from '../../devices/modbus-rtu/responder.ts';
import { TcpSlave } from '../../devices/modbus-tcp/slave.ts';
import type { TwinListener } from '../../devices/twin-event.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { BenchError } from '../bench-error.ts';

/** A Modbus TCP server in front of a twin. Several clients may be connected; each is answered on its own connection. */
export class ModbusTcpSocket {
  readonly #options: {
    responder: Responder;
    clock: Clock;
    listener?: TwinListener;
    host?: string;
    port?: number;
  };
  readonly #clients = new Map<Socket, TcpSlave>();
  #server: Server | undefined;
  #port: number | undefined;

  /** @param options.port default 0: a free one, kept when it is opened again @param options.host default 127.0.0.1 */
  constructor(options: {
    responder: Responder;
    clock: Clock;
    listener?: TwinListener;
    host?: string;
    port?: number;
  }) {
    this.#options = options;
    this.#port = options.port === 0 ? undefined : options.port;
  }

  get host(): string {
    return this.#options.host ?? '127.0.0.1';
  }

  /** Known from the first opening on. */
  get port(): number | undefined {
    return this.#port;
  }

  /** Connections that are up. */
  get clients(): number {
    return this.#clients.size;
  }

  /** @returns the port @throws BenchError `bench_port_in_use` */
  async open(): Promise<number> {
    if (this.#server && this.#port !== undefined) return this.#port;
    const server = createServer((socket) => this.#serve(socket));
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        const place = `${this.host}:${this.#port ?? 0}`;
        const message = `cannot listen at ${place}: ${reasonOf(cause)}; choose another port`;
        reject(new BenchError('bench_port_in_use', message, { cause }));
      });
      server.listen(this.#port ?? 0, this.host, resolve);
    });
    this.#server = server;
    this.#port = (server.address() as AddressInfo).port;
    return this.#port;
  }

  /** Hangs up on all clients and takes no more, as a pulled network cable does not but a switched-off device does. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    for (const socket of this.#clients.keys()) socket.destroy();
    if (server) await new Promise<void>((resolve) => server.close(() => resolve()));
  }

  #serve(socket: Socket): void {
    socket.setNoDelay(true);
    const slave = new TcpSlave({
      clock: this.#options.clock,
      responder: this.#options.responder,
      listener: this.#options.listener ?? (() => {}),
      send: (bytes) => socket.write(bytes),
      hangUp: () => socket.destroy(),
    });
    this.#clients.set(socket, slave);
    socket.on('data', (bytes) => slave.receive(bytes));
    socket.on('error', () => {});
    socket.on('close', () => {
      slave.stop();
      this.#clients.delete(socket);
    });
  }
}
