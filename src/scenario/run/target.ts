import type { Sensor } from '../../rig/registry/registry.ts';
import type { Subject } from '../program/operand.ts';
import type { RunContext } from './run-context.ts';

/** What a name stands for when the command runs. */
export type Target =
  | { readonly kind: 'sensor'; readonly name: string; readonly key: string; readonly sensor: Sensor }
  | { readonly kind: 'variable'; readonly name: string; readonly key: string }
  | { readonly kind: 'timer'; readonly name: string; readonly key: 'timer' }
  | { readonly kind: 'unknown'; readonly name: string; readonly key: string };

/** A registry sensor, else a variable, else the timer. @throws RunFault SCN411 for `$name` that is not set */
export function targetOf(subject: Subject, run: RunContext): Target {
  const open = subject.name.includes('$');
  const name = open ? run.strictText(subject.name) : subject.name;
  const sensor = run.registry.sensor(subject.kind === 'sensor' && !open ? subject.id : name);
  if (sensor) return { kind: 'sensor', name, key: sensor.id, sensor };
  if (run.variables.has(name) || (subject.kind === 'variable' && !open))
    return { kind: 'variable', name, key: variableKey(name, run) };
  if (/^timer$/i.test(name)) return { kind: 'timer', name, key: 'timer' };
  return { kind: 'unknown', name, key: `unknown:${name}` };
}

/** The key of a name for which nothing in a run can change it; undefined for all others. */
export function fixedKeyOf(subject: Subject, run: RunContext): string | undefined {
  if (subject.name.includes('$')) return undefined;
  const sensor = run.registry.sensor(subject.kind === 'sensor' ? subject.id : subject.name);
  return sensor?.id ?? (subject.kind === 'variable' ? variableKey(subject.name, run) : undefined);
}

export const variableKey = (name: string, { variables }: RunContext): string =>
  `variable:${variables.keyOf(name)}`;

/** Names under which IF_FAIL, PASS and FAIL find what a command was about. */
export const namesOf = (target: Target): string[] =>
  target.kind === 'sensor' ? [target.name, target.sensor.id] : [target.name];
