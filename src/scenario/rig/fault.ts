import { CodedError, messageOf } from '../../lib/errors/coded-error.ts';
import { CATALOGUE, type Code } from '../diagnostics/catalogue.ts';

/** What a fault ends: its goal, or the whole run. */
export type FaultScope = 'goal' | 'run';

interface FaultOptions {
  readonly scope?: FaultScope;
  readonly cause?: unknown;
  /** The bridge answered that the lease is not ours any more. */
  readonly leaseLost?: boolean;
  /** The sensor reached the end of what can be measured: its true value may be anything beyond. */
  readonly beyondRange?: boolean;
}

/** Why a command has no verdict. `scn` is the code of the catalogue, `code` its name in lower snake case. */
export class RunFault extends CodedError {
  readonly scn: Code;
  readonly scope: FaultScope;
  readonly leaseLost: boolean;
  readonly beyondRange: boolean;

  constructor(scn: Code, message: string, options: FaultOptions = {}) {
    const { scope = 'goal', cause, leaseLost = false, beyondRange = false } = options;
    super(CATALOGUE[scn].name.replaceAll('-', '_'), message, cause === undefined ? undefined : { cause });
    this.scn = scn;
    this.scope = scope;
    this.leaseLost = leaseLost;
    this.beyondRange = beyondRange;
  }

  /** True when the run was stopped from outside, by its caller or by an operator's stop of the rig. */
  get aborted(): boolean {
    return this.scn === 'SCN412';
  }
}

/** The same fault, ending the run. */
export function endingRun(fault: RunFault): RunFault {
  if (fault.scope === 'run') return fault;
  const { scn, message, cause, leaseLost, beyondRange } = fault;
  return new RunFault(scn, message, { scope: 'run', cause, leaseLost, beyondRange });
}

/** Anything thrown as a fault; what nobody foresaw ends the run. */
export function toFault(thrown: unknown): RunFault {
  if (thrown instanceof RunFault) return thrown;
  return new RunFault('SCN411', `internal error: ${messageOf(thrown)}`, { scope: 'run', cause: thrown });
}
