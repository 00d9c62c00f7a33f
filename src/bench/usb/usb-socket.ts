import * as z from 'zod';
import type { UsbTwin } from '../../devices/twin.ts';
import type { Clock } from '../../lib/clock/clock.ts';
import { reasonOf } from '../../lib/errors/reason.ts';
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
  clock: Clock;
}

/** The place where a USB twin is plugged in: a Unix socket that carries control transfers. */
export class UsbSocket {
  readonly path: string;
  readonly #server: MessageServer<z.output<typeof requestSchema>>;
  /** Cancels the answers that are held back. */
  readonly #held = new Set<() => void>();

  constructor({ path, twin, identity, clock }: UsbSocketOptions) {
    this.path = path;
    this.#server = new MessageServer({
      path,
      onClient: (client) => this.#server.send(client, { identity: identity() }),
      schema: requestSchema,
      onMessage: ({ id, ...setup }, client) => {
        const data = twin.control(setup);
        const answer = data
          ? { id, ok: true, data: Buffer.from(data.subarray(0, setup.length)).toString('hex') }
          : { id, ok: false, error: 'stall' };
        const delayMs = twin.answerDelayMs ?? 0;
        if (delayMs === 0) this.#server.send(client, answer);
        else if (Number.isFinite(delayMs))
          this.#holdBack(clock, delayMs, () => this.#server.send(client, answer));
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
  }

  /** Unplugs it: clients are hung up on, the socket file is gone. */
  async close(): Promise<void> {
    for (const cancel of this.#held) cancel();
    this.#held.clear();
    await this.#server.close();
  }

  #holdBack(clock: Clock, ms: number, send: () => void): void {
    const cancel = clock.after(ms, () => {
      this.#held.delete(cancel);
      send();
    });
    this.#held.add(cancel);
  }
}
