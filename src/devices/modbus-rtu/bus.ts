import type { LineSettings } from '../line-settings.ts';
import type { SerialTwin } from '../twin.ts';

/** Several devices on one RTU line: each receives what the master sends, and the one that was asked answers. */
export class RtuBus implements SerialTwin {
  readonly #slaves = new Set<SerialTwin>();
  #send: (bytes: Uint8Array) => void = () => {};

  constructor(slaves: readonly SerialTwin[] = []) {
    for (const slave of slaves) this.attach(slave);
  }

  attach(slave: SerialTwin): void {
    this.#slaves.add(slave);
    slave.connect((bytes) => this.#send(bytes));
  }

  /** What it still sends is lost, and it receives nothing more. */
  detach(slave: SerialTwin): void {
    this.#slaves.delete(slave);
    slave.connect(() => {});
  }

  connect(send: (bytes: Uint8Array) => void): void {
    this.#send = send;
  }

  setLine(settings: Partial<LineSettings>): void {
    for (const slave of this.#slaves) slave.setLine?.(settings);
  }

  receive(bytes: Uint8Array): void {
    for (const slave of this.#slaves) slave.receive(bytes);
  }
}
