import type { Calibration } from '../../rig/calibration/calibration.ts';
import type { Sensor } from '../../rig/registry/registry.ts';
import type { DeviceMode, SafeStateStep } from '../events/event.ts';
import type { Conversion } from './conversion.ts';
import type { LimitedQuantity, PlainLimit } from './measurable.ts';

export interface ReadRequest {
  /** As written in the scenario. */
  readonly name: string;
  /** Id of the registry. */
  readonly id: string;
  /** Unit that the scenario asks for. */
  readonly unit?: string;
  /** Unit of the sensor itself, normally V; null for a name that no registry knows. */
  readonly ownUnit: string | null;
  /** A sample point: not repeated, not reported as an event of its own. */
  readonly background?: boolean;
}

/** A reading as the rig gave it, before calibration and conversion. */
export interface RawReading {
  readonly value: number;
  readonly unit: string | null;
  /** ISO time of the observation. */
  readonly at: string;
  /** Age of the value when the answer was there, milliseconds. */
  readonly ageMs: number;
  /** Absent where each reading is a conversion. */
  readonly conversion?: Conversion;
  readonly source: string;
  readonly simulated: boolean;
  readonly bench: boolean;
  /**
   * The value in a unit of another dimension, from a rig that gives readings on every scale. Such a reading has no raw
   * value, and no calibration is applied to it. @throws RunFault SCN227
   */
  readonly recompute?: (unit: string) => number;
}

/** What the clock of a goal shows. */
export type Elapsed = Pick<RawReading, 'value' | 'unit' | 'source' | 'simulated' | 'recompute'>;

/** What an actuator is commanded. Values are checked before: a rig never corrects one. */
export type Setting =
  | { readonly kind: 'pump'; readonly id: string; readonly powerPct: number }
  | { readonly kind: 'valve'; readonly id: string; readonly open: boolean }
  | {
      readonly kind: 'lung';
      readonly id: string;
      readonly action: 'start';
      readonly steps: number;
      /** 1/10000 step/s */
      readonly speed: number;
      readonly cycles: number;
      readonly pauseS: number;
    }
  | { readonly kind: 'lung'; readonly id: string; readonly action: 'stop' }
  | { readonly kind: 'other'; readonly id: string; readonly value: number | string | boolean };

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
}

export interface ApiAnswer {
  readonly status: number;
  /** Parsed JSON; the text when it is none. */
  readonly body: unknown;
}

export interface IdentityDevice {
  /** All names of the device: its node and the links to it. */
  readonly paths: readonly string[];
  readonly chip: string | null;
  readonly kind: string | null;
}

export interface IdentityBus {
  readonly path: string;
  readonly chips: readonly { readonly address: number; readonly name: string }[];
}

/** The parts of the bridge's identify answer that scenarios may expect. */
export interface Identity {
  readonly devices: readonly IdentityDevice[];
  readonly buses: readonly IdentityBus[];
}

export interface RigMarks {
  readonly simulated: boolean;
  readonly bench: boolean;
  /** Devices that are switched on in the configuration of the bridge; undefined while it was not asked for them. */
  readonly devices?: Readonly<Record<string, DeviceMode>>;
}

/** Ids that the plan may use; decides what the preflight asks for. */
export interface RigUses {
  readonly peripherals: readonly string[];
  readonly sensors: readonly string[];
  /** Sensors whose calibration is needed. */
  readonly calibrated: readonly string[];
  /** Why limits lie beyond what their sensors can measure (SCN250), one sentence each. */
  readonly unmeasurable: readonly string[];
}

export interface SafeStateReport {
  readonly ok: boolean;
  readonly steps: readonly SafeStateStep[];
}

/**
 * The rig as a run sees it. Every method but `safeState` and `release` rejects with a RunFault, or with the reason of
 * the signal when that aborts first.
 */
export interface Rig {
  readonly marks: RigMarks;
  /** Checks whether the rig may be used at all; actuates nothing. SCN409. */
  preflight(uses: RigUses, signal: AbortSignal): Promise<void>;
  /** Takes the lease and keeps it. SCN408. */
  acquire(): Promise<void>;
  /** True while actuation is allowed. A lease that was lost is not taken again. */
  readonly leased: boolean;
  /** SCN222 for a name that no registry knows. */
  read(request: ReadRequest, signal: AbortSignal): Promise<RawReading>;
  /** The time since a moment of the monotonic clock. @param unit that the scenario asks for */
  elapsed(sinceMs: number, unit: string): Elapsed;
  /** Why a calibration may not be used now; null when it may. */
  calibrationFault(calibration: Calibration): string | null;
  /** Why no reading of the sensor ever reaches a limit; undefined for a good one. */
  unreachable(sensor: Sensor, limit: PlainLimit, quantity: LimitedQuantity): string | undefined;
  /** Sent once. A failure may mean that it happened all the same. */
  apply(setting: Setting, signal: AbortSignal): Promise<void>;
  valveState(id: string, signal: AbortSignal): Promise<boolean>;
  identify(signal: AbortSignal): Promise<Identity>;
  call(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer>;
  /** Asks whether the lease is still held; one that is not confirmed is lost. Never rejects. */
  confirmLease(): Promise<boolean>;
  /**
   * Pump 0, lung de-energized, valves safe; bounded. Without a lease nothing is sent: what the one that ended it reports is read.
   * Never rejects: what failed is a step. Undefined from a rig on which nothing moves.
   */
  safeState(): Promise<SafeStateReport | undefined>;
  /** Gives the lease back. Never rejects. @param asIs the rig is safe already */
  release(asIs: boolean): Promise<void>;
}
