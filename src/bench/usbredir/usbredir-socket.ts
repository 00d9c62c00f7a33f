import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { BenchError } from '../bench-error.ts';
import type { UsbDevice } from '../usb/device/usb-device.ts';
import { UsbredirConnection } from './connection.ts';

/**
 * The place where a USB device is plugged into an emulated machine: a Unix socket that speaks usb-redir 0.7, for QEMU's
 * `-chardev socket` and `-device usb-redir`. One host at a time has the device.
 */
export class UsbredirSocket {
  readonly path: string;
  readonly #device: UsbDevice;
  readonly #clock: Clock;
  #server: Server | undefined;
  #connection: UsbredirConnection | undefined;

  constructor(options: { path: string; device: UsbDevice; clock: Clock }) {
    this.path = options.path;
    this.#device = options.device;
    this.#clock = options.clock;
  }

  /** Hosts that have the device: 0 or 1. */
  get clients(): number {
    return this.#connection ? 1 : 0;
  }

  /** Plugs it in. @throws BenchError `bench_socket_failed` */
  async open(): Promise<void> {
    rmSync(this.path, { force: true });
    const server = createServer((socket) => {
      if (this.#connection) {
        socket.destroy();
        return;
      }
      const connection = new UsbredirConnection({ socket, device: this.#device, clock: this.#clock });
      this.#connection = connection;
      socket.once('close', () => {
        if (this.#connection === connection) this.#connection = undefined;
      });
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        const message = `cannot listen on ${this.path} for usb-redir: ${reasonOf(cause)}; choose a folder with a shorter path that can be written to`;
        reject(new BenchError('bench_socket_failed', message, { cause }));
      });
      server.listen(this.path, () => resolve());
    });
    this.#server = server;
  }

  /** Unplugs it: the host sees a disconnect, and the socket is gone. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    this.#connection?.hangUp();
    await closed;
    rmSync(this.path, { force: true });
  }
}
