/** One thing seen on a line. */
export interface RtuTraceEvent {
  kind: 'sent' | 'received' | 'discarded' | 'note';
  /** Monotonic milliseconds. */
  atMs: number;
  bytes?: Uint8Array;
  note?: string;
}

export type RtuTrace = (event: RtuTraceEvent) => void;
