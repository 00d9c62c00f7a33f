/** One I2C bus master. Transfers are run one after the other, in order of the calls. */
export interface I2cBus {
  /** As configured; names the place in errors. */
  readonly address: string;
  /**
   * Writes `write` (when not empty) to `device`, then reads `readCount` bytes from it.
   *
   * @param device 7-bit address
   * @param signal gives it up; a transfer that has begun goes on to its end
   * @throws TransportError `i2c_nack`, `i2c_timeout`, `port_absent`, `port_permission`, `port_gone`, `port_failed`
   */
  transfer(device: number, write: Uint8Array, readCount: number, signal?: AbortSignal): Promise<Uint8Array>;
  /** Ends the connection to the bus; the next transfer opens it again. */
  close(): Promise<void>;
}

/** What travels over a `bench:` socket, one answer to each request, in order. Bytes are hex digits. */
export interface I2cRequest {
  address: number;
  write: string;
  read: number;
}

export type I2cAnswer =
  | { ok: true; bytes: string }
  | { ok: false; error: 'nack' | 'permission_denied' | 'bad_request' };
