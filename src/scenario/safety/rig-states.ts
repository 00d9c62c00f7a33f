import type { Peripheral, Registry } from '../../rig/registry/registry.ts';
import type { Instruction } from '../program/instruction.ts';

/**
 * State of one actuator: `on` is open, on, or set to an active value; `unknown` counts against the rig. `untouched` is a
 * peripheral without driver that the scenario has not set: nobody knows its value, and it is not the scenario's.
 */
export type ActuatorState = 'on' | 'off' | 'unknown' | 'untouched';

/** One way in which the rig may stand, and how it came to that. */
export interface RigState {
  readonly states: readonly ActuatorState[];
  /** Longest time that a started lung may still move, ms. */
  readonly lungMs: number;
  /** What set each actuator last. */
  readonly since: readonly (Instruction | undefined)[];
  /** The turns on the way here, newest last. */
  readonly path: readonly string[];
}

/** Turns of a path that are reported. */
const MAX_TURNS = 3;
/** Beyond this many, ways to stand are joined into one in which more is unknown. */
const MAX_RIG_STATES = 256;

/** The actuators of a rig, in a fixed order. */
export class Actuators {
  readonly all: readonly Peripheral[];
  readonly #index: ReadonlyMap<string, number>;

  constructor(registry: Registry) {
    const byId = new Map<string, Peripheral>();
    for (const name of registry.peripheralNames()) {
      const one = registry.peripheral(name);
      if (one) byId.set(one.id, one);
    }
    this.all = [...byId.values()];
    this.#index = new Map(this.all.map(({ id }, i) => [id, i]));
  }

  /** -1 for one that the rig does not have. */
  indexOf(id: string): number {
    return this.#index.get(id) ?? -1;
  }

  /**
   * The rig after the safe state that comes before every run. A valve whose safe value is open is unknown: the bridge
   * switches all valves off, its single calls leave this one open.
   */
  atStart(): RigState {
    const states = this.all.map(({ kind, safeValue }): ActuatorState => {
      if (kind === 'other') return 'untouched';
      return kind === 'valve' && safeValue ? 'unknown' : 'off';
    });
    return { states, lungMs: 0, since: states.map(() => undefined), path: [] };
  }

  /** The same rig after at least so many ms without a command: a lung whose longest time has passed is at rest. */
  after(rigState: RigState, ms: number): RigState {
    if (rigState.lungMs === 0) return rigState;
    const lungMs = Math.max(0, rigState.lungMs - ms);
    if (lungMs > 0) return { ...rigState, lungMs };
    const states = rigState.states.map((state, i) =>
      state === 'unknown' && this.all[i]?.kind === 'lung' ? 'off' : state,
    );
    return { ...rigState, states, lungMs };
  }

  stateOf({ states }: RigState, id: string): boolean | undefined {
    const state = states[this.indexOf(id)];
    return state === 'on' ? true : state === 'off' ? false : undefined;
  }
}

/** All ways in which the rig may stand at one point of the scenario. Immutable. */
export class RigStateSet {
  readonly #rigStates: ReadonlyMap<string, RigState>;

  constructor(rigStates: Iterable<RigState>) {
    const byKey = new Map<string, RigState>();
    for (const rigState of rigStates) {
      const key = rigState.states.join(' ');
      const known = byKey.get(key);
      byKey.set(key, known ? merged(known, rigState) : rigState);
    }
    this.#rigStates = byKey.size > MAX_RIG_STATES ? blurred(byKey) : byKey;
  }

  [Symbol.iterator](): Iterator<RigState> {
    return this.#rigStates.values();
  }

  map(change: (rigState: RigState) => RigState): RigStateSet {
    return new RigStateSet([...this].map(change));
  }

  flatMap(change: (rigState: RigState) => readonly RigState[]): RigStateSet {
    return new RigStateSet([...this].flatMap(change));
  }

  join(other: RigStateSet): RigStateSet {
    if (other === this || (this.#holds(other) && !this.#isLongerThan(other))) return this;
    return new RigStateSet([...this, ...other]);
  }

  same(other: RigStateSet): boolean {
    return this.#holds(other) && other.#holds(this);
  }

  /** Whether the other one knows a way with fewer turns. */
  #isLongerThan(other: RigStateSet): boolean {
    for (const [key, { path }] of other.#rigStates)
      if (path.length < (this.#rigStates.get(key)?.path.length ?? 0)) return true;
    return false;
  }

  #holds(other: RigStateSet): boolean {
    for (const [key, { lungMs }] of other.#rigStates) {
      const own = this.#rigStates.get(key);
      if (!own || own.lungMs < lungMs) return false;
    }
    return true;
  }
}

/** One of two ways to the same states: the one with fewer turns is reported. */
function merged(a: RigState, b: RigState): RigState {
  const shorter = b.path.length < a.path.length ? b : a;
  const lungMs = Math.max(a.lungMs, b.lungMs);
  return shorter.lungMs === lungMs ? shorter : { ...shorter, lungMs };
}

function blurred(rigStates: ReadonlyMap<string, RigState>): ReadonlyMap<string, RigState> {
  const [first, ...rest] = rigStates.values();
  if (!first) return rigStates;
  let blur = first;
  for (const { states, lungMs, since } of rest)
    blur = {
      ...blur,
      states: blur.states.map((state, i) => (state === states[i] ? state : 'unknown')),
      since: blur.since.map((one, i) => one ?? since[i]),
      lungMs: Math.max(blur.lungMs, lungMs),
    };
  return new Map([[blur.states.join(' '), { ...blur, path: ['many paths lead here'] }]]);
}

/** The rigState with one actuator set. */
export function withState(
  rigState: RigState,
  index: number,
  state: ActuatorState,
  since: Instruction,
  lungMs = rigState.lungMs,
): RigState {
  return {
    ...rigState,
    states: rigState.states.with(index, state),
    since: rigState.since.with(index, since),
    lungMs,
  };
}

/** A turn that the run may take, noted for the message. */
export const takingTurn =
  (turn: string) =>
  (rigState: RigState): RigState =>
    rigState.path.at(-1) === turn
      ? rigState
      : { ...rigState, path: [...rigState.path, turn].slice(-MAX_TURNS) };
