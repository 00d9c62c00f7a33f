import type { Socket } from 'node:net';
import type { Clock } from '../../lib/clock/clock.ts';
import { messageOf } from '../../lib/errors/coded-error.ts';
import { encodeMessage, MessageReader } from '../bench/messages.ts';
import { connectTo } from '../bench/socket-transport.ts';
import { bytesOf, hexOf } from '../hex.ts';
import { TransportError } from '../transport-error.ts';
import type { I2cAnswer, I2cBus, I2cRequest } from './i2c-bus.ts';
import { denied, nack, silent } from './i2c-fault.ts';
import { TransferTurns } from './transfer-turns.ts';

/** An I2C bus of twins, reached over `bench:<socket path>`. */
export class BenchI2cBus implements I2cBus {
  readonly address: string;
  readonly #path: string;
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #turns = new TransferTurns();
  #socket: Socket | undefined;
  #settle: ((answer: I2cAnswer | TransportError) => void) | undefined;

  constructor(options: { address: string; path: string; clock: Clock; timeoutMs?: number }) {
    this.address = options.address;
    this.#path = options.path;
    this.#clock = options.clock;
    this.#timeoutMs = options.timeoutMs ?? 1000;
  }

  transfer(device: number, write: Uint8Array, readCount: number, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#turns.run(() => this.#transfer(device, write, readCount), signal);
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    socket?.destroy();
    this.#settle?.(new TransportError('port_closed', this.address, `${this.address} was closed`));
  }

  async #transfer(device: number, write: Uint8Array, readCount: number): Promise<Uint8Array> {
    const socket = this.#socket ?? (await this.#connect());
    const request: I2cRequest = { address: device, write: hexOf(write), read: readCount };
    const answer = await new Promise<I2cAnswer | TransportError>((resolve) => {
      const cancel = this.#clock.after(this.#timeoutMs, () =>
        settle(silent(this.address, device, this.#timeoutMs)),
      );
      const settle = (result: I2cAnswer | TransportError) => {
        cancel();
        this.#settle = undefined;
        resolve(result);
      };
      this.#settle = settle;
      socket.write(encodeMessage(request));
    });
    if (answer instanceof TransportError) {
      // An answer may still be on its way: a new connection keeps it from being taken for the next one.
      await this.close();
      throw answer;
    }
    if (!answer.ok) {
      if (answer.error === 'nack') throw nack(this.address, device);
      if (answer.error === 'permission_denied') throw denied(this.address);
      throw new TransportError('port_failed', this.address, `the bench refused a transfer: ${answer.error}`);
    }
    const bytes = bytesOf(answer.bytes);
    if (bytes.length !== readCount) {
      const message = `${this.address} gave ${bytes.length} bytes where ${readCount} were asked for`;
      throw new TransportError('port_failed', this.address, message);
    }
    return bytes;
  }

  async #connect(): Promise<Socket> {
    const socket = await connectTo(this.#path, this.address);
    const reader = new MessageReader();
    this.#socket = socket;
    socket.on('data', (chunk: Uint8Array) => {
      try {
        for (const message of reader.push(chunk)) this.#settle?.(message as I2cAnswer);
      } catch (cause) {
        socket.destroy(new Error(messageOf(cause)));
      }
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = undefined;
      this.#settle?.(
        new TransportError(
          'port_gone',
          this.address,
          `bench socket ${this.#path} was closed by the bench; plug the twin in again`,
        ),
      );
    });
    return socket;
  }
}
