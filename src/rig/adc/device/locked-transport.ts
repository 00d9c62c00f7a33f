import type { ByteTransport } from '../../../transports/byte-transport.ts';
import type { TransportError } from '../../../transports/transport-error.ts';
import { adcLockKey, type DeviceLocks, isResolved } from './device-locks.ts';

/**
 * A serial port that is opened only under the lock of its real path. The lock of a path that could not be resolved at
 * the start is kept beside it; that of a real path which the device has left is given back, for it soon belongs to
 * another device.
 */
export class LockedTransport implements ByteTransport {
  readonly #port: ByteTransport;
  readonly #locks: DeviceLocks;
  #realKey: string | undefined;

  constructor(port: ByteTransport, locks: DeviceLocks) {
    this.#port = port;
    this.#locks = locks;
  }

  get address(): string {
    return this.#port.address;
  }

  get baud(): number | undefined {
    return this.#port.baud;
  }

  get characterBits(): number | undefined {
    return this.#port.characterBits;
  }

  get isOpen(): boolean {
    return this.#port.isOpen;
  }

  /** Takes the lock without opening anything: at the start. @throws LockHeldError, LockError */
  async takeLock(): Promise<void> {
    const key = adcLockKey(this.address);
    const isReal = isResolved(this.address);
    await this.#locks.take(key);
    const before = this.#realKey;
    if (!isReal || before === key) return;
    this.#realKey = key;
    if (before !== undefined) await this.#locks.release(before);
  }

  /** @throws LockHeldError; TransportError as the port's own */
  async open(): Promise<void> {
    await this.takeLock();
    await this.#port.open();
  }

  close(): Promise<void> {
    return this.#port.close();
  }

  write(bytes: Uint8Array): Promise<void> {
    return this.#port.write(bytes);
  }

  flushInput(): Promise<void> {
    return this.#port.flushInput();
  }

  onBytes(listener: (bytes: Uint8Array) => void): () => void {
    return this.#port.onBytes(listener);
  }

  onClosed(listener: (cause: TransportError) => void): () => void {
    return this.#port.onClosed(listener);
  }
}
