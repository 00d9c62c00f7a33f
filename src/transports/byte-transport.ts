import type { TransportError } from './transport-error.ts';

/** Bytes in and out of one port. Knows nothing of frames; what it receives is handed on as it comes. */
export interface ByteTransport {
  /** As configured; names the place in errors. */
  readonly address: string;
  /** Bit rate of a real or emulated serial line. */
  readonly baud: number | undefined;
  /** Bits of a character on such a line, start and stop bits included: 10 for 8N1, 11 with parity. */
  readonly characterBits?: number | undefined;
  /**
   * False where bytes take no time: in memory, on a socket, on a pseudo-terminal that is said to be so. Everything
   * else keeps the times of its bit rate.
   */
  readonly isPaced?: boolean | undefined;
  readonly isOpen: boolean;
  /** @throws TransportError `port_absent`, `port_busy`, `port_permission`, `port_forbidden`, `port_failed` */
  open(): Promise<void>;
  /** Closes without telling `onClosed`; closing a closed port is no error. */
  close(): Promise<void>;
  /** Resolves when the operating system has taken all bytes. @throws TransportError `port_closed`, `port_gone` */
  write(bytes: Uint8Array): Promise<void>;
  /** Takes what the operating system has received and not yet handed over: to the listeners, or thrown away. */
  flushInput(): Promise<void>;
  /** Every chunk received, in order. The returned function ends it. */
  onBytes(listener: (bytes: Uint8Array) => void): () => void;
  /** What is wrong with the open port and does not stop it from being used, for people. */
  warnings?(): Promise<string[]>;
  /** The port went away on its own: unplugged, hung up, other side gone. */
  onClosed(listener: (cause: TransportError) => void): () => void;
}
