import type { SerialTwin } from '../twin.ts';

/** Several devices on one RTU line: each receives what the master sends, and the one that was asked answers. */
export class RtuBus implements SerialTwin {
  readonly #slaves: readonly SerialTwin[];

  constructor(slaves: readonly SerialTwin[]) {
    this.#slaves = slaves;
  }

  connect(send: (bytes: Uint8Array) => void): void {
    for (const slave of this.#slaves) slave.connect(send);
  }

  receive(bytes: Uint8Array): void {
    for (const slave of this.#slaves) slave.receive(bytes);
  }
}
