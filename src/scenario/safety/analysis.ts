import type { Instruction } from '../program/instruction.ts';
import type { Program } from '../program/program.ts';
import { DEFAULT_TIMEOUTS, type Timeouts } from '../run/timeouts.ts';
import { type GivenVariable, givenVariable } from '../run/variables.ts';
import { type Alternatives, abstractOf } from './abstract-value.ts';
import { Environment } from './environment.ts';
import { Findings, placeName } from './findings.ts';
import { Actuators, RigStateSet } from './rig-states.ts';
import type { SafetyOptions } from './safety-options.ts';
import { join, type Reached, type State } from './state.ts';

/** Instructions that loops are unrolled to at most; beyond that their rounds are joined. */
const UNROLLED_INSTRUCTIONS = 30_000;

/** What one check of one scenario knows and gathers. */
export class Analysis {
  readonly options: SafetyOptions;
  readonly timeouts: Timeouts;
  readonly actuators: Actuators;
  readonly findings = new Findings();
  readonly file: string;
  readonly #defaults: Program['defaults'];
  /** Everything that may be true where the run before the teardown is cut off. */
  cutOff: Reached;
  /** Instructions that may still be walked through to follow a loop round by round. */
  unrolling = UNROLLED_INSTRUCTIONS;

  constructor({ file, defaults }: Pick<Program, 'file' | 'defaults'>, options: SafetyOptions) {
    this.file = file;
    this.#defaults = defaults;
    this.options = options;
    this.timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts };
    this.actuators = new Actuators(options.registry);
  }

  initial(): State {
    return {
      variables: new Environment(alternatives(this.#defaults), alternatives(this.options.variables ?? {})),
      rigStates: new RigStateSet([this.actuators.atStart()]),
      elapsedMs: 0,
      timerFromMs: 0,
      sampling: false,
    };
  }

  cut(state: State): void {
    this.cutOff = join(this.cutOff, state);
  }

  placeOf(instruction: Pick<Instruction, 'pos' | 'stack'>): string {
    return placeName(instruction, this.file);
  }
}

function alternatives(values: Readonly<Record<string, GivenVariable>>): Map<string, Alternatives> {
  return new Map(Object.entries(values).map(([name, value]) => [name, [abstractOf(givenVariable(value))]]));
}
