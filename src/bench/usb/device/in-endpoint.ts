import { TransferStatus } from './transfer.ts';

/** How one transfer ended. */
export interface TransferEnd {
  /** 0 or a negative error number of Linux. */
  status: number;
  /** Bytes carried. */
  length: number;
  /** Of an IN transfer. */
  data: Uint8Array;
}

interface WaitingTransfer {
  sequence: number;
  /** Bytes of the host's buffer. */
  length: number;
  done: (end: TransferEnd) => void;
}

export const ended = (status: number): TransferEnd => ({ status, length: 0, data: new Uint8Array() });

/**
 * An IN endpoint: a transfer waits until the device has a packet, and a packet until the host asks for it. Each packet
 * ends one transfer. Of packets that no host asks for only the newest are kept, as many as `limit`.
 */
export class InEndpoint {
  readonly #limit: number;
  #packets: Uint8Array[] = [];
  #waiting: WaitingTransfer[] = [];

  constructor(limit = 8) {
    this.#limit = limit;
  }

  /** Transfers that wait. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** The device has a packet for the host. */
  offer(packet: Uint8Array): void {
    this.#packets.push(Uint8Array.from(packet));
    this.#match();
    if (this.#packets.length > this.#limit) this.#packets.shift();
  }

  /** The host asks for a packet. */
  take(transfer: WaitingTransfer): void {
    this.#waiting.push(transfer);
    this.#match();
  }

  /** The host gives a transfer up. @returns false when it does not wait here */
  cancel(sequence: number): boolean {
    const at = this.#waiting.findIndex((transfer) => transfer.sequence === sequence);
    if (at < 0) return false;
    this.#waiting.splice(at, 1);
    return true;
  }

  /** Forgets the packets that were not requested. */
  clear(): void {
    this.#packets = [];
  }

  /** Ends every waiting transfer with STALL. */
  halt(): void {
    for (const { done } of this.#waiting.splice(0)) done(ended(TransferStatus.stall));
  }

  #match(): void {
    const [packet] = this.#packets;
    const [transfer] = this.#waiting;
    if (!packet || !transfer) return;
    this.#packets.shift();
    this.#waiting.shift();
    if (packet.length > transfer.length) transfer.done(ended(TransferStatus.overflow));
    else transfer.done({ status: TransferStatus.ok, length: packet.length, data: packet });
  }
}
