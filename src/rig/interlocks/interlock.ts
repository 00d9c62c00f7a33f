import type { InterlockEntry } from '../configuration/types.ts';
import type { Registry } from '../registry/registry.ts';

/** A rule between actuators, with the ids that the registry knows (`pump-main`, `valve-1`, `lung-main`). */
export interface Interlock {
  readonly id: string;
  readonly reason: string;
  readonly while: ReadonlyMap<string, boolean>;
  readonly require: 'all' | 'any';
  readonly states: ReadonlyMap<string, boolean>;
}

/** State of an actuator by its id: true is open, on or moving; undefined is unknown. */
export type StateOf = (id: string) => boolean | undefined;

/** @throws TypeError for a name that is not an actuator; the configuration has refused it before */
export function interlockOf(entry: InterlockEntry, registry: Registry): Interlock {
  const ids = (states: Readonly<Record<string, boolean>>) =>
    new Map(Object.entries(states).map(([name, state]) => [idOf(name, registry), state]));
  const { id, reason, require } = entry;
  return { id, reason, require, while: ids(entry.while), states: ids(entry.states) };
}

/**
 * Whether the rule is broken in these states. What is unknown counts against the rig: it may fulfil the condition, and
 * it never fulfils the demand.
 */
export function isBroken(interlock: Interlock, stateOf: StateOf): boolean {
  const applies = [...interlock.while].every(([id, wanted]) => (stateOf(id) ?? wanted) === wanted);
  if (!applies) return false;
  const kept = [...interlock.states].map(([id, wanted]) => stateOf(id) === wanted);
  return interlock.require === 'all' ? kept.includes(false) : !kept.includes(true);
}

function idOf(name: string, registry: Registry): string {
  const peripheral = registry.peripheral(name);
  if (peripheral === undefined) throw new TypeError(`${name} is not an actuator`);
  return peripheral.id;
}
