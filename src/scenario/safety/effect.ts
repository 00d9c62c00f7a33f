import type { Code } from '../diagnostics/catalogue.ts';
import type { ActuatorState } from './rig-states.ts';

/** What a command that reached an actuator may make of it. */
export interface Effect {
  readonly state: Exclude<ActuatorState, 'untouched'>;
  /** Lung: the longest time that it moves now, ms. */
  readonly lungMs?: number;
}

/** A finding about a setpoint, before it has a place. */
export interface Problem {
  readonly code: Code;
  readonly message: string;
}

export interface Setpoint {
  /** Empty: the command is an error before anything is sent. */
  readonly effects: readonly Effect[];
  readonly problems: readonly Problem[];
}

export const ON: Effect = { state: 'on' };
export const OFF: Effect = { state: 'off' };
export const AT_REST: Effect = { state: 'off', lungMs: 0 };
