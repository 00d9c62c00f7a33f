import type { Port } from './port.ts';

/** The devices of devices.md section 11, in its order, and the plant they stand on. */
export const BENCH_DEVICES = [
  'usbhid',
  'uart',
  'tic',
  'modbus-io',
  'pump',
  'ads1115',
  'bank',
  'plant',
] as const;
export type BenchDevice = (typeof BENCH_DEVICES)[number];

/** One device of the bench as everything above it sees it. */
export interface Station {
  readonly name: BenchDevice;
  readonly ports: readonly Port[];
  /** Every knob with its present value. */
  readonly knobs: Readonly<Record<string, unknown>>;
  /** What one answer can be spoilt with; empty when the device takes no such faults. */
  readonly faultKinds: readonly string[];
  /** Resolves when the knobs have taken effect. @throws CodedError `knob_invalid`, and nothing is changed then */
  setKnobs(patch: unknown): Promise<void>;
  /** Spoils the next answers, one fault for each. @throws BenchError `knob_invalid`, and nothing is changed then */
  faultOnce(faults: unknown): void;
  /** Outputs off, knobs and faults at rest, plugged in. */
  reset(): Promise<void>;
  /** Plugs it in. */
  open(): Promise<void>;
  /** Pulls it out for good. */
  close(): Promise<void>;
}
