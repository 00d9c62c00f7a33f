import type { Parity } from '../transports/serial/serial-format.ts';

/** How one end of a serial line is set. */
export interface LineSettings {
  /** Bits per second. */
  baud: number;
  parity: Parity;
}
