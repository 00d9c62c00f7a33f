import * as z from 'zod';
import type { HidTwin } from '../../devices/twin.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
import { MessageServer } from '../../transports/bench/message-server.ts';
import { REPORT_BYTES } from '../../transports/hid/hid-transport.ts';
import { BenchError } from '../bench-error.ts';
import { InterruptFrames } from './interrupt-frames.ts';

const outSchema = z.object({ out: z.string().regex(new RegExp(`^[0-9a-fA-F]{${2 * REPORT_BYTES}}$`)) });

/** OUT reports that may wait for their frame before their sender is made to wait. */
const MAX_WAITING_OUT = 8;

/**
 * The place where a HID twin is plugged in: a Unix socket paced like the two interrupt endpoints. An IN report goes to
 * every client, as hidraw does it; one that comes while no client is connected is lost.
 */
export class HidSocket {
  readonly path: string;
  readonly #twin: HidTwin;
  readonly #server: MessageServer<{ out: string }>;
  readonly #frames: InterruptFrames;

  /** @param options.pollingMs interval of both endpoints; 0 hands every report on at once */
  constructor(options: { path: string; twin: HidTwin; clock: Clock; pollingMs?: number }) {
    this.path = options.path;
    this.#twin = options.twin;
    this.#frames = new InterruptFrames({
      clock: options.clock,
      pollingMs: options.pollingMs ?? 1,
      takeOut: (report) => this.#twin.receive(report),
      deliverIn: (report) => this.#server.broadcast({ in: Buffer.from(report).toString('hex') }),
    });
    this.#server = new MessageServer({
      path: options.path,
      schema: outSchema,
      onMessage: ({ out }, client) => {
        this.#frames.out(Uint8Array.from(Buffer.from(out, 'hex')), () => client.resume());
        if (this.#frames.waitingOut > MAX_WAITING_OUT) client.pause();
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
      const message = `cannot listen at ${this.path}: ${reasonOf(cause)}; choose another folder for the bench`;
      throw new BenchError('bench_port_in_use', message, { cause });
    }
    this.#twin.connect((report) => this.#frames.in(Uint8Array.from(report)));
  }

  /** Unplugs it: clients are hung up on, reports under way are lost, the socket file is gone. */
  async close(): Promise<void> {
    this.#twin.connect(() => {});
    this.#frames.clear();
    await this.#server.close();
    this.#frames.clear();
  }
}
