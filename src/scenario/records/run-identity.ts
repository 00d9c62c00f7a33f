import type { Mode } from '../events/event.ts';
import type { TestedUnit } from '../outputs/record.ts';
import type { GivenVariable } from '../run/variables.ts';
import type { RigPublicKey } from './rig-key.ts';

/** A file and what was in it. */
export interface HashedFile {
  readonly file: string;
  /** SHA-256, hexadecimal. */
  readonly sha256: string;
}

/** A calibration that the configuration has for a sensor when the run begins. */
export interface ConfiguredCalibration {
  readonly sensor: string;
  readonly id: string;
  readonly calibrated_at: string | null;
  readonly due_at: string | null;
  readonly confirmed_at: string | null;
  readonly confirmed_by: string | null;
  /** Expanded (k = 2), in the unit that comes out; null where svc.yaml names none. Not in older records. */
  readonly uncertainty?: number | null;
}

/** What had the run started. */
export type StartedBy = 'page' | 'api' | 'svcctl' | 'schedule';

/** The machine that a run is made on. */
export interface Station {
  readonly host: string;
  /** It follows from the key of the rig. */
  readonly rig_id: string;
}

/** What a record says of the machine by itself. */
export interface StationFacts {
  readonly station: Station;
  /** The key that seals the record. */
  readonly key: RigPublicKey;
  readonly clock: {
    /** By a time server, when the run was asked for; null: this machine cannot determine. */
    readonly synchronised: boolean | null;
  };
}

/** What is known of a run before it begins. None of it changes later. */
export interface RunFacts {
  readonly scenario: HashedFile & { readonly id: string; readonly includes: readonly HashedFile[] };
  readonly mode: Mode;
  readonly hardware_mode: 'mock' | 'real';
  /** A simulation was allowed in execute mode. */
  readonly simulation_allowed: boolean;
  /** Given from outside. */
  readonly variables: Readonly<Record<string, GivenVariable>>;
  /** As named by who asked for the run; null when nobody was. */
  readonly operator: string | null;
  readonly unit_under_test: string | null;
  /** Part number of the unit. Records of older versions lack this and the two below. */
  readonly part?: string | null;
  readonly revision?: string | null;
  readonly batch?: string | null;
  /** Not in older records. */
  readonly started_by?: StartedBy;
  readonly requested_by: { readonly address: string | null; readonly request_id: string };
  readonly software: { readonly name: string; readonly version: string };
  readonly configuration: {
    /** Null: no file, the defaults hold. */
    readonly file: HashedFile | null;
    /** Of file and environment together, as the run used them. */
    readonly effective_sha256: string;
  };
  readonly calibrations: readonly ConfiguredCalibration[];
  readonly firmware_url: string;
}

/** What was tested, for reports. */
export const testedUnitOf = ({
  unit_under_test,
  part = null,
  revision = null,
  batch = null,
  operator,
}: RunFacts): TestedUnit => ({
  unit: unit_under_test ?? null,
  part,
  revision,
  batch,
  operator: operator ?? null,
});

/** Of the facts of the machine, records of older versions have none. */
export interface RunIdentity extends RunFacts, Partial<StationFacts> {
  /** `r-<UTC date>-<number>`, for example `r-20250115-0001`. */
  readonly run_id: string;
  /** Order in which runs were asked for; the wall clock of a rig without network may jump. */
  readonly serial: number;
  readonly created_at: string;
}
