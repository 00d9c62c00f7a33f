import type { GuardReport } from '../../rig/guard/guard-report.ts';
import type { ModbusSettings } from '../config-report.ts';
import type { Signals } from '../detect.ts';
import type { HostRoot } from '../host/host-root.ts';

export type Severity = 'error' | 'warn' | 'info';

/** Where a fact was seen, and what was there. */
export interface Evidence {
  source: string;
  value: string;
}

/** What a check found. */
export interface Found {
  /** Subject and value. */
  message: string;
  evidence: readonly Evidence[];
  /** The likely cause. */
  cause: string;
  /** The command or the hand movement that mends it. */
  remedy: string;
  /** Of a check whose code has the name of an adapter in it. */
  code?: string;
  /** Settings that `--fix` may write. */
  fix?: ModbusFix;
}

export interface ModbusFix {
  /** Why it may not be applied; null when it may. */
  unsafe: string | null;
  mismatches: Readonly<Record<string, { current: string | number; detected: string | number }>>;
  detected: ModbusSettings;
}

/** A check that could not be made, with the reason: neither found nor absent. */
export interface NotChecked {
  notChecked: string;
}

export interface Check {
  code: string;
  severity: Severity;
  /** Id of the repair; null when there is none. */
  repair: string | null;
  find(signals: DoctorSignals): Found | readonly Found[] | NotChecked | undefined;
}

export interface Issue extends Omit<Found, 'code' | 'fix'> {
  severity: Severity;
  code: string;
  /** Code of the finding that explains this one; it is counted there. */
  caused_by: string | null;
  repair: string | null;
  repaired: boolean;
}

export interface Repair {
  id: string;
  /** `--fix` may apply it. */
  safe: boolean;
  applied: boolean;
  /** Why it was not applied; null when it was. */
  reason: 'unsafe' | 'not requested' | 'failed' | null;
  hint: string;
  mismatches?: ModbusFix['mismatches'];
  detected?: ModbusSettings;
}

/** What the checks of the doctor read: the detection, and what was collected for them alone. */
export interface DoctorSignals extends Signals {
  facts: HostFacts;
}

/** Facts of the machine and the rig that `detect` does not list. Undefined: could not be read. */
export interface HostFacts {
  nowMs: number;
  host: HostRoot;
  env: Readonly<Record<string, string | undefined>>;
  /** Holders of the devices of the ADC services. */
  adc: AdcFacts | undefined;
  /** The last safe state that the guard made or saw to; undefined also when the bridge has left the rig safe since. */
  guardReport: GuardReport | undefined;
  kernelLog: string | undefined;
  /** How long the machine runs, s. */
  uptimeS: number | undefined;
  /** Who runs the doctor. */
  account: { name: string; groups: readonly number[] } | undefined;
  /** Without the leading v. */
  nodeVersion: string;
}

export interface AdcFacts {
  profile: string | null;
  wanted: readonly string[];
  locks: readonly { device: string; holder: string; service: string | null }[];
}

export const seen = (source: string, value: unknown): Evidence => ({ source, value: String(value) });
