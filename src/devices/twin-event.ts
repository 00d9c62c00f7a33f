/** What a twin reports about itself; the bench writes it down as the witness of what really happened. */
export type TwinEvent =
  | { kind: 'in' | 'out'; bytes: Uint8Array; note?: string }
  | { kind: 'coil'; coil: number; on: boolean }
  /** Effective drive of the pump: 0..1, 0 while it is disabled. */
  | { kind: 'drive'; fraction: number; duty: number; enabled: boolean }
  | { kind: 'note'; note: string };

export type TwinListener = (event: TwinEvent) => void;
