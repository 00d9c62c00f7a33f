import * as z from 'zod';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { MessageClient } from '../bench/message-client.ts';
import { TransportError } from '../transport-error.ts';
import type { ControlRequest, UsbControl, UsbIdentity } from './usb-control.ts';
import {
  CONTROL_TIMEOUT_MS,
  DIRECTION_IN,
  DIRECTION_OUT,
  requestName,
  stalled,
  timedOut,
} from './usb-fault.ts';

/** What the twin's end sends: who it is first, then one answer to each request. */
const fromTwinSchema = z.union([
  z.object({
    identity: z.object({
      vendorId: z.int().min(0).max(0xffff),
      productId: z.int().min(0).max(0xffff),
      serial: z.string().nullable(),
      bcdDevice: z.int().min(0).max(0xffff),
    }),
  }),
  z.object({ id: z.int(), ok: z.literal(true), data: z.string().regex(/^([0-9a-fA-F]{2})*$/) }),
  z.object({ id: z.int(), ok: z.literal(false), error: z.literal('stall') }),
]);
type FromTwin = z.output<typeof fromTwinSchema>;
type Answer = Exclude<FromTwin, { identity: object }>;

/** Control transfers to a twin: `bench:<socket path>`. */
export class BenchUsb implements UsbControl {
  readonly address: string;
  readonly #client: MessageClient<FromTwin>;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  /** What waits for an answer of the twin; all fail when the connection ends. */
  readonly #waiting = new Map<number | 'identity', (outcome: Answer | TransportError) => void>();
  #opening: Promise<void> | undefined;
  #identity: UsbIdentity | undefined;
  #lastId = 0;

  constructor(options: { address: string; path: string; clock?: Clock; timeoutMs?: number }) {
    this.address = options.address;
    this.#client = new MessageClient({
      address: options.address,
      path: options.path,
      schema: fromTwinSchema,
    });
    this.#clock = options.clock ?? systemClock;
    this.#timeoutMs = options.timeoutMs ?? CONTROL_TIMEOUT_MS;
    this.#client.onMessage((message) => this.#receive(message));
    this.#client.onClosed((cause) => this.#end(cause));
  }

  get identity(): UsbIdentity | undefined {
    return this.#client.isOpen ? this.#identity : undefined;
  }

  async open(): Promise<void> {
    if (this.identity) return;
    this.#opening ??= this.#open().finally(() => {
      this.#opening = undefined;
    });
    await this.#opening;
  }

  async close(): Promise<void> {
    await this.#client.close();
    this.#end(this.#client.notOpen());
  }

  async controlOut(request: ControlRequest): Promise<void> {
    await this.#transfer(DIRECTION_OUT, request, 0);
  }

  controlIn(request: ControlRequest, length: number): Promise<Uint8Array> {
    return this.#transfer(DIRECTION_IN, request, length);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#client.onClosed(listener);
  }

  async #open(): Promise<void> {
    this.#identity = undefined;
    await this.#client.open();
    const told = await this.#wait('identity');
    if (!(told instanceof TransportError)) return;
    await this.#client.close();
    const message = `${this.#client.path} did not identify its USB device (${told.message}); is it the socket of a USB twin?`;
    throw new TransportError('port_failed', this.address, message, { cause: told });
  }

  async #transfer(requestType: number, request: ControlRequest, length: number): Promise<Uint8Array> {
    const id = ++this.#lastId;
    const { request: number, value, index } = request;
    // Waiting begins before sending, for the connection may end in between.
    const answer = this.#wait(id, requestName(number));
    try {
      await this.#client.send({ id, requestType, request: number, value, index, length });
    } catch (cause) {
      this.#waiting.get(id)?.(cause instanceof TransportError ? cause : this.#client.gone(cause));
    }
    const outcome = await answer;
    if (outcome instanceof TransportError) throw outcome;
    if (!outcome.ok) throw stalled(this.address, number);
    return Uint8Array.from(Buffer.from(outcome.data, 'hex')).subarray(0, length);
  }

  #wait(id: number | 'identity', what = 'the identity'): Promise<Answer | TransportError> {
    return new Promise((resolve) => {
      const cancel = this.#clock.after(this.#timeoutMs, () =>
        settle(timedOut(this.address, what, this.#timeoutMs)),
      );
      const settle = (outcome: Answer | TransportError) => {
        cancel();
        this.#waiting.delete(id);
        resolve(outcome);
      };
      this.#waiting.set(id, settle);
    });
  }

  #receive(told: FromTwin): void {
    if (!('identity' in told)) {
      // An answer without a waiting request came after its time limit.
      this.#waiting.get(told.id)?.(told);
      return;
    }
    this.#identity = { ...told.identity, path: this.#client.path };
    this.#waiting.get('identity')?.({ id: 0, ok: true, data: '' });
  }

  #end(cause: TransportError): void {
    for (const settle of [...this.#waiting.values()]) settle(cause);
  }
}
