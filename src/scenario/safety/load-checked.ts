import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { hasErrors, type Loaded, type LoadOptions, loadScenario } from '../load.ts';
import { selectGoals } from '../program/select-goals.ts';
import { type SafetyOptions, type SafetyReport, safetyCheck } from './safety-check.ts';

export interface CheckedLoadOptions extends Omit<LoadOptions, 'registry' | 'variables'> {
  readonly safety: SafetyOptions;
  /** Only these goals are to run (`--goal`); default all. */
  readonly goals?: readonly string[];
  /** Findings of the safety check that are to be seen and keep nothing from running. */
  readonly warnsOf?: (finding: Diagnostic) => boolean;
}

/** A scenario with the findings of reader, static checks and safety check. */
export interface CheckedScenario extends Loaded {
  /** Undefined for a text with errors, which has no plan worth checking. */
  readonly safety: SafetyReport | undefined;
}

/** Reads, checks and compiles a scenario, then checks that its plan is safe on this rig. Never throws. */
export function loadChecked(
  source: string | Uint8Array,
  file: string,
  { safety: options, goals, warnsOf = () => false, ...load }: CheckedLoadOptions,
): CheckedScenario {
  const read = loadScenario(source, file, {
    ...load,
    registry: options.registry,
    ...(options.variables ? { variables: options.variables } : {}),
  });
  // What is left out moves nothing, and what it would have prepared for a later goal is not there.
  const loaded = { ...read, program: selectGoals(read.program, goals) };
  if (hasErrors(loaded.diagnostics)) return { ...loaded, safety: undefined };
  const safety = safetyCheck(loaded.program, options);
  const findings = safety.findings.map(
    (one): Diagnostic => (warnsOf(one) ? { ...one, severity: 'warning' } : one),
  );
  return { ...loaded, diagnostics: [...loaded.diagnostics, ...findings], safety };
}
