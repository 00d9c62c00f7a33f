import { type AddressInfo, createServer, type Server } from 'node:net';
import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { StartRefusedError } from '../../lib/http/exposure.ts';
import { isLoopback } from '../../lib/http/loopback.ts';
import { BenchError } from '../bench-error.ts';
import { UsbipConnection } from './server/connection.ts';
import { type UsbipDevice, UsbipPort } from './server/usbip-port.ts';

/** The port of USB/IP, as registered and as `usbip` expects it. */
export const USBIP_PORT = 3240;
const MAX_CLIENTS = 32;

export interface UsbipServerOptions {
  devices: readonly UsbipDevice[];
  /** Default 127.0.0.1. */
  host?: string;
  /** Default 3240; 0 takes a free one. */
  port?: number;
  /** USB/IP knows no passwords: a host beyond loopback must be wanted in so many words. Default false. */
  allowRemote?: boolean;
  clock: Clock;
}

/**
 * Exports devices over USB/IP, so that a Linux host with `vhci_hcd` gets them as its own
 * (Documentation/usb/usbip_protocol.rst). One host at a time has a device.
 */
export class UsbipServer {
  readonly #ports: readonly UsbipPort[];
  readonly #host: string;
  readonly #port: number;
  readonly #clock: Clock;
  readonly #connections = new Set<UsbipConnection>();
  #server: Server | undefined;

  /**
   * @throws StartRefusedError when the host is not a loopback address and `allowRemote` is not set
   * @throws RangeError when a bus id is malformed or given twice
   */
  constructor({
    devices,
    host = '127.0.0.1',
    port = USBIP_PORT,
    allowRemote = false,
    clock,
  }: UsbipServerOptions) {
    if (!allowRemote && !isLoopback(host))
      throw new StartRefusedError(
        `USB/IP on ${host} would give the twins to everybody who reaches it; bind 127.0.0.1 or allow it explicitly`,
      );
    this.#ports = devices.map((device, position) => new UsbipPort(device, position));
    const busIds = this.#ports.map(({ busId }) => busId);
    if (new Set(busIds).size < busIds.length)
      throw new RangeError(`bus ids ${busIds.join(', ')}: each can be used once`);
    this.#host = host;
    this.#port = port;
    this.#clock = clock;
  }

  /** Open connections, those that have imported a device and others. */
  get connections(): number {
    return this.#connections.size;
  }

  /** @returns the port. @throws BenchError `bench_port_in_use` */
  async open(): Promise<number> {
    const server = createServer((socket) => {
      const connection = new UsbipConnection({ socket, ports: this.#ports, clock: this.#clock });
      this.#connections.add(connection);
      socket.once('close', () => this.#connections.delete(connection));
    });
    server.maxConnections = MAX_CLIENTS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', (cause) => {
        const message = `cannot listen on ${this.#host}:${this.#port} for USB/IP: ${reasonOf(cause)}; stop what listens there or give another port`;
        reject(new BenchError('bench_port_in_use', message, { cause }));
      });
      server.listen(this.#port, this.#host, () => resolve());
    });
    this.#server = server;
    return (server.address() as AddressInfo).port;
  }

  /** Hangs up on every host. Closing a closed one is no error. */
  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (!server) return;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const connection of this.#connections) connection.hangUp();
    await closed;
  }

  /** Whether a host has the device now. @throws BenchError `device_unknown` */
  isImported(busId: string): boolean {
    return this.#find(busId).hangUp !== undefined;
  }

  /** Pulls the device out: its host sees a disconnect, and it is not listed. @throws BenchError `device_unknown` */
  unplug(busId: string): void {
    const port = this.#find(busId);
    port.plugged = false;
    port.hangUp?.();
  }

  /** Plugs the device in again; a host has to import it again. @throws BenchError `device_unknown` */
  plug(busId: string): void {
    this.#find(busId).plugged = true;
  }

  #find(busId: string): UsbipPort {
    const port = this.#ports.find((each) => each.busId === busId);
    if (port) return port;
    const known = this.#ports.map((each) => each.busId).join(', ');
    throw new BenchError('device_unknown', `no device is exported as ${busId} (exported: ${known})`);
  }
}
