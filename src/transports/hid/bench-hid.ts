import * as z from 'zod';
import { MessageClient } from '../bench/message-client.ts';
import { Listeners } from '../listeners.ts';
import type { TransportError } from '../transport-error.ts';
import { checkedOutReport, type HidEndpoint, type HidTransport } from './hid-transport.ts';

/** What the twin's end sends: one IN report of any length. */
const inSchema = z.object({ in: z.string().regex(/^([0-9a-fA-F]{2})*$/) });

/** The HID interface of a twin: `bench:<socket path>`. */
export class BenchHid implements HidTransport {
  readonly address: string;
  readonly #client: MessageClient<z.output<typeof inSchema>>;
  readonly #reports = new Listeners<Uint8Array>();

  constructor(options: { address: string; path: string }) {
    this.address = options.address;
    this.#client = new MessageClient({ ...options, schema: inSchema });
    this.#client.onMessage(({ in: hex }) => this.#reports.tell(Uint8Array.from(Buffer.from(hex, 'hex'))));
  }

  get endpoint(): HidEndpoint | undefined {
    return this.#client.isOpen
      ? { backend: 'bench', path: this.#client.path, kernelDriver: null }
      : undefined;
  }

  open(): Promise<void> {
    return this.#client.open();
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  async write(report: Uint8Array): Promise<void> {
    const out = Buffer.from(checkedOutReport(report).subarray(1)).toString('hex');
    await this.#client.send({ out });
  }

  onReport(listener: (report: Uint8Array) => void): () => void {
    return this.#reports.add(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#client.onClosed(listener);
  }
}
