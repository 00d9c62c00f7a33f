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
  /** GOAL and CONFIG blocks in document order. The index of a block here is its `goal` in events. */
  readonly blocks: readonly ProgramBlock[];
  /** Ids of peripherals and sensors that any instruction may use; decides the preflight. */
  readonly uses: {
    readonly peripherals: readonly string[];
    readonly sensors: readonly string[];
    /** Those of the sensors that are asked for in the unit of their calibration. */
    readonly calibrated: readonly string[];
  };
}

export interface ProgramBlock {
  readonly index: number;
  readonly kind: 'GOAL' | 'CONFIG';
  /** As reported, for example `Rig.Mask/Hold`; `goal 2` style when it has none. */
  readonly name: string;
  /** CONFIG after the last GOAL: always runs, also after failure, error or abort. */
  readonly teardown: boolean;
  readonly marks: GoalMarks;
  readonly instructions: readonly Instruction[];
  readonly pos: Pos;
}
