import type { Milliseconds, Percent, Volts } from '../../../lib/quantity.ts';
import type { PumpReading } from '../ports.ts';

/** How one exchange is to be done. `safe` goes ahead of all waiting work. */
export interface ExchangeOptions {
  priority?: 'normal' | 'safe';
  signal?: AbortSignal;
  deadlineMs?: Milliseconds;
}

/** What the rig needs of the IO module's driver. */
export interface ValveDriver {
  readonly warnings: readonly string[];
  /** Rejects also while outputs cannot be switched on. */
  checkHealth(signal?: AbortSignal): Promise<void>;
  readOutputs(options?: ExchangeOptions): Promise<boolean[]>;
  /** A reading of outputs that are on: a lost reply is made up for within the time. */
  watchOutputs(options: { withinMs: Milliseconds; signal?: AbortSignal }): Promise<boolean[]>;
  /** Resolves only after an identical echo and a read-back. */
  setOutput(coil: number, on: boolean, options?: ExchangeOptions): Promise<void>;
  allOff(options?: ExchangeOptions): Promise<void>;
}

/** What the rig needs of the pump's driver. */
export interface PumpDriver {
  /** What the device told at the start; null when it did not. */
  readonly version: string | null;
  setPower(percent: Percent, options?: ExchangeOptions): Promise<PumpDriverState>;
  stop(options?: ExchangeOptions): Promise<PumpDriverState>;
  readState(options?: ExchangeOptions): Promise<PumpDriverState>;
}

export type PumpDriverState = Pick<PumpReading, 'powerPercent' | 'duty' | 'enabled'> & {
  frequencyHz: number;
};

/** What the rig needs of the converter's driver. */
export interface AdcDriver {
  read(input: 0 | 1 | 2 | 3, options?: ExchangeOptions): Promise<AdcDriverSample>;
}

export interface AdcDriverSample {
  raw: number;
  volts: Volts;
  saturated: boolean;
  /** Wall clock, milliseconds. */
  observedAt: number;
}

/** `options` without members that are undefined. */
export function exchange(priority: 'normal' | 'safe', signal: AbortSignal | undefined): ExchangeOptions {
  return signal ? { priority, signal } : { priority };
}
