/** How a transfer ended: 0, or a negative error number of Linux. */
export const TransferStatus = {
  ok: 0,
  /** EPIPE: the endpoint answered with STALL. */
  stall: -32,
  /** EOVERFLOW: the device had more to send than the host's buffer holds. */
  overflow: -75,
  /** ECONNRESET: unlinked before it was done. */
  unlinked: -104,
} as const;

/** One transfer that the host requests, whatever carries it. */
export interface Transfer {
  /** The host's own number for it. */
  sequence: number;
  direction: 'in' | 'out';
  /** Endpoint number 0..15. */
  endpoint: number;
  /** Bytes of the host's buffer. */
  length: number;
  /** 8 bytes, for endpoint 0 only. */
  setup: Uint8Array;
  /** Data of an OUT transfer. */
  data: Uint8Array;
}
