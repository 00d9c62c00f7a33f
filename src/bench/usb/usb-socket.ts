import * as z from 'zod';
import type { UsbTwin } from '../../devices/twin.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { MessageServer } from '../../transports/bench/message-server.ts';
import type { UsbIdentity } from '../../transports/usb/usb-control.ts';
import { BenchError } from '../bench-error.ts';

const byte = z.int().min(0).max(0xff);
const word = z.int().min(0).max(0xffff);
const requestSchema = z.object({
  id: z.int(),
  requestType: byte,
  request: byte,
  value: word,
  index: word,
  length: word,
});

export interface UsbSocketOptions {
  path: string;
  twin: UsbTwin;
  /** What the descriptors say; asked anew for every client, since a knob may change the firmware. */
  identity: () => Omit<UsbIdentity, 'path'>;
}

/** The place where a USB twin is plugged in: a Unix socket that carries control transfers, answered at once. */
export class UsbSocket {
  readonly path: string;
  readonly #server: MessageServer<z.output<typeof requestSchema>>;

  constructor({ path, twin, identity }: UsbSocketOptions) {
    this.path = path;
    this.#server = new MessageServer({
      path,
      onClient: (client) => this.#server.send(client, { identity: identity() }),
      schema: requestSchema,
      onMessage: ({ id, ...setup }, client) => {
        const data = twin.control(setup);
        this.#server.send(
          client,
          data
            ? { id, ok: true, data: Buffer.from(data.subarray(0, setup.length)).toString('hex') }
            : { id, ok: false, error: 'stall' },
        );
      },
    });
  }

  /** Programs that have it open. */
  get clients(): number {
    return this.#server.clients;
  }

  /** Plugs it in. @throws BenchError `bench_port_in_use` */
  async open(): Promise<void> {
    try {
      await this.#server.open();
    } catch (cause) {
      const message = `cannot listen at ${this.path}: ${messageOf(cause)}; choose another folder for the bench`;
      throw new BenchError('bench_port_in_use', message, { cause });
    }
  }

  /** Unplugs it: clients are hung up on, the socket file is gone. */
  async close(): Promise<void> {
    await this.#server.close();
  }
}
