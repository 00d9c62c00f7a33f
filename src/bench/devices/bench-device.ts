import type { Port } from './port.ts';

/** One device of the bench as everything above it sees it. */
export interface BenchDevice {
  readonly name: string;
  /** By the names of their addresses; the device's own first. */
  readonly ports: ReadonlyMap<string, Port>;
  /** Every knob with its present value. */
  readonly knobs: Readonly<Record<string, unknown>>;
  /** Faults that can be injected into one reply; empty when the device takes none. */
  readonly faultKinds: readonly string[];
  /** Resolves when the knobs have taken effect. @throws CodedError `knob_invalid`, and nothing is changed then */
  setKnobs(patch: unknown): Promise<void>;
  /** Injects faults into the next replies, one into each. @throws BenchError `knob_invalid`, and nothing is changed then */
  faultOnce(faults: unknown): void;
  /** Outputs off, knobs and faults at rest, plugged in. */
  reset(): Promise<void>;
  /** Plugs it in. */
  open(): Promise<void>;
  /** Unplugs it for good. */
  close(): Promise<void>;
}
