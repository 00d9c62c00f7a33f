/** What a real run left behind, as far as a picture needs it. Times in ms. */
export interface TerminalRecording {
  readonly command: string;
  /** With the escape sequences of the colours. */
  readonly output: string;
}

export interface Exchange {
  /** ms after the beginning. */
  readonly at: number;
  readonly device: string;
  readonly kind: string;
  /** Hex digits of a frame. */
  readonly bytes?: string;
  readonly coil?: number;
  readonly on?: boolean;
  readonly duty?: number;
  readonly enabled?: boolean;
  readonly energized?: boolean;
  readonly velocity?: number;
}

export interface StopRecording {
  /** Trace of the twins from 20 ms before the stop was taken, which is 0. */
  readonly trace: readonly Exchange[];
  readonly steps: readonly { readonly name: string; readonly duration_ms: number; readonly detail: string }[];
  readonly durationMs: number;
}

export interface LeaseRecording {
  readonly ttlMs: number;
  /** When the holder's calls were answered; the grant is 0. */
  readonly calls: readonly { readonly at: number; readonly call: 'take' | 'open' | 'renew' }[];
  /** When the coil moved, by the twin's own trace. */
  readonly coil: readonly { readonly at: number; readonly on: boolean }[];
  /** First moment at which the bridge said that the rig is not leased. */
  readonly freeAt: number;
  readonly safeState: { readonly outcome: string; readonly reason: string };
}

/** A rectangle or a run of text of the page, as the browser laid it out. CSS pixels. */
export type Mark =
  | {
      readonly kind: 'box';
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      readonly fill: string | null;
      readonly stroke: string | null;
      readonly strokeWidth: number;
      readonly isDashed: boolean;
      readonly radius: number;
    }
  | {
      readonly kind: 'text';
      readonly x: number;
      /** Of the base line. */
      readonly y: number;
      readonly width: number;
      readonly text: string;
      readonly size: number;
      readonly isBold: boolean;
      readonly colour: string;
    };

export interface ReportRecording {
  readonly width: number;
  readonly height: number;
  readonly marks: readonly Mark[];
}
