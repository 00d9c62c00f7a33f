import type { GoalMarks } from '../events/event.ts';
import type { Pos } from '../source/position.ts';
import type { Instruction } from './instruction.ts';

export type Dialect = 'flat' | 'legacy';

/** What the interpreter executes: blocks and instructions in document order, names resolved, macros expanded. */
export interface Program {
  readonly file: string;
  /** Text of `SCENARIO:`, or the name of an @-form scenario. */
  readonly scenario: string | null;
  /** Declared version; 3 without a header. */
  readonly version: number;
  readonly dialect: Dialect;
  readonly metadata: Readonly<Record<string, string>>;
  /** Parameters: what DEFAULT gives a name from the start, unless a value was given for the run. */
  readonly defaults: Readonly<Record<string, ProgramDefault>>;
  /** Its goals were named for this run (`--goal`): each one has to be entered. */
  readonly isSelection?: true;
  /** GOAL and CONFIG blocks in document order. The index of a block here is its `goal` in events. */
  readonly blocks: readonly ProgramBlock[];
  /** Ids of peripherals and sensors that any instruction may use; decides the preflight. */
  readonly uses: {
    readonly peripherals: readonly string[];
    readonly sensors: readonly string[];
    /** Those of the sensors that are asked for in the unit of their calibration. */
    readonly calibrated: readonly string[];
    /** Why limits lie beyond what their sensors can measure (SCN250), one sentence each. */
    readonly unmeasurable: readonly string[];
  };
}

export interface ProgramDefault {
  readonly value: number | string;
  readonly unit?: string;
}

export interface ProgramBlock {
  readonly index: number;
  readonly kind: 'GOAL' | 'CONFIG';
  /** As reported, for example `Rig.Mask/Hold`; `goal 2` style when it has none. */
  readonly name: string;
  /** CONFIG after the last GOAL: always runs, also after failure, error or abort. */
  readonly teardown: boolean;
  readonly marks: GoalMarks;
  /** Not selected for this run (`--goal`): its instructions are left out. */
  readonly leftOut?: true;
  readonly instructions: readonly Instruction[];
  readonly pos: Pos;
}
