import type { Limits } from '../../rig/configuration/types.ts';
import type { Interlock } from '../../rig/interlocks/interlock.ts';
import type { Registry } from '../../rig/registry/registry.ts';
import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Timeouts } from '../run/timeouts.ts';
import type { GivenVariable } from '../run/variables.ts';

export interface SafetyOptions {
  readonly registry: Registry;
  readonly limits: Limits;
  readonly interlocks: readonly Interlock[];
  /** Variables that exist before the scenario starts; each counts as its value. */
  readonly variables?: Readonly<Record<string, GivenVariable>>;
  /** Time-outs of the run; default those of `timeouts.ts`. */
  readonly timeouts?: Partial<Timeouts>;
}

export interface SafetyReport {
  /** Severity error, in order of file and position. None: the scenario is safe in the sense of docs/safety-check.md. */
  readonly findings: readonly Diagnostic[];
  /** Longest time from the lease to the end of the safe state, seconds; undefined when there is no bound. */
  readonly worstCaseS: number | undefined;
}
