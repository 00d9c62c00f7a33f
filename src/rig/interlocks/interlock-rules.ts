import { type Interlock, isBroken, type StateOf } from './interlock.ts';

/** A state that a rule needs and that is not known to hold. */
export interface MissingState {
  readonly id: string;
  readonly required: boolean;
  /** Undefined: unknown. */
  readonly known: boolean | undefined;
}

export interface BrokenRule {
  readonly rule: Interlock;
  readonly missing: readonly MissingState[];
}

/** What a rule has switched off because it would be broken otherwise. */
export interface Trip {
  /** Id of the rule. */
  readonly rule: string;
  /** Ids of the actuators. */
  readonly off: readonly string[];
}

/** The rules between actuators, applied to one change at a time. */
export class InterlockRules {
  readonly #interlocks: readonly Interlock[];

  constructor(interlocks: readonly Interlock[]) {
    this.#interlocks = interlocks;
  }

  /** Whether switching `id` on is judged by the state of `other`. */
  asks(id: string, other: string): boolean {
    return this.#interlocks.some(
      (rule) => isHinderedBy(rule, id, true) && (rule.while.has(other) || rule.states.has(other)),
    );
  }

  /** The rules that forbid to switch an actuator on now. A change that leads towards a rule is never forbidden by it. */
  brokenBySwitchingOn(id: string, stateOf: StateOf): BrokenRule[] {
    const then: StateOf = (one) => (one === id ? true : stateOf(one));
    return this.#interlocks
      .filter((rule) => isHinderedBy(rule, id, true) && isBroken(rule, then))
      .map((rule) => ({ rule, missing: missingOf(rule, then) }));
  }

  /**
   * What must go off at once when an actuator is switched off, which is always allowed: the `while` actuators of each
   * rule that is broken by it, and what those in their turn entail. What is known to be off already changes nothing.
   */
  tripsBySwitchingOff(id: string, stateOf: StateOf): Trip[] {
    if (stateOf(id) === false) return [];
    const trips: Trip[] = [];
    const off = new Set([id]);
    const then: StateOf = (one) => (off.has(one) ? false : stateOf(one));
    const next = () =>
      this.#interlocks.find(
        (rule) =>
          [...off].some((one) => isHinderedBy(rule, one, false)) &&
          !trips.some((trip) => trip.rule === rule.id) &&
          isBroken(rule, then),
      );
    for (let rule = next(); rule !== undefined; rule = next()) {
      const targets = targetsOf(rule).filter((one) => !off.has(one));
      trips.push({ rule: rule.id, off: targets });
      for (const target of targets) off.add(target);
    }
    return trips;
  }
}

/** Whether the change can break the rule: it fulfils a condition, or takes away a state that is demanded. */
function isHinderedBy(rule: Interlock, id: string, state: boolean): boolean {
  return rule.while.get(id) === state || rule.states.get(id) === !state;
}

/** What ends the rule's condition; a rule whose condition is that all is off is mended by switching off what must be. */
function targetsOf(rule: Interlock): string[] {
  const on = [...rule.while].filter(([, state]) => state);
  const targets = on.length > 0 ? on : [...rule.states].filter(([, state]) => !state);
  return targets.map(([id]) => id);
}

const missingOf = (rule: Interlock, stateOf: StateOf): MissingState[] =>
  [...rule.states].flatMap(([id, required]) => {
    const known = stateOf(id);
    return known === required ? [] : [{ id, required, known }];
  });
