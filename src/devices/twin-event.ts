/** What a twin reports about itself; the bench writes it down as the witness of what really happened. */
export type TwinEvent =
  | { kind: 'in' | 'out'; bytes: Uint8Array; note?: string }
  | { kind: 'coil'; coil: number; on: boolean }
  /** Effective drive of the pump: 0..1, 0 while it is disabled. */
  | { kind: 'drive'; fraction: number; duty: number; enabled: boolean }
  /** The motor began or ceased to move, or its coils were switched. Microsteps and microsteps per second. */
  | { kind: 'motion'; position: number; velocity: number; energized: boolean }
  /** The contact of the relay in the actuators' supply. */
  | { kind: 'supply'; closed: boolean }
  /** The device leaves the bus and comes back after `awayMs`: a reset. */
  | { kind: 'reenumerate'; awayMs: number }
  | { kind: 'note'; note: string };

export type TwinListener = (event: TwinEvent) => void;
