import { CATALOGUE } from './catalogue.ts';
import type { Diagnostic } from './diagnostic.ts';

/** Maximum reasons listed in a sentence; further ones are counted. */
const NAMED = 3;

/**
 * True for a finding caused only by this rig's configuration (an unknown actuator or sensor, a missing
 * calibration, a limit beyond what its sensor can measure) and that another rig would not have. Only for warnings:
 * an error makes the text invalid.
 */
export const isRigFinding = ({ code, severity }: Diagnostic): boolean =>
  severity === 'warning' && (CATALOGUE[code].severity === 'R' || code === 'SCN240' || code === 'SCN250');

/** Why this rig cannot run a scenario, each reason once and without its remedy. */
export const rigReasons = (diagnostics: readonly Diagnostic[]): string[] => [
  ...new Set(
    diagnostics
      .filter(isRigFinding)
      .map(({ message }) => message.split(/[;,] (?=nothing|correct|add|ask)/, 1)[0]!),
  ),
];

/** `"vlave-1" is not an actuator of this rig; and 2 more`; empty when there is no reason. */
export function reasonsSentence(reasons: readonly string[]): string {
  const named = reasons.slice(0, NAMED).join('; ');
  return reasons.length > NAMED ? `${named}; and ${reasons.length - NAMED} more` : named;
}
