import type { Diagnostic } from '../../scenario/diagnostics/diagnostic.ts';
import { countedOutcome } from '../../scenario/run/outcome.ts';
import type { Result } from '../../scenario/run/result.ts';
import { EXIT, exitCodeOf } from '../errors/exit-code.ts';

/** Codes from here on are found by running. */
const isRunTime = ({ code }: Diagnostic): boolean => Number(code.slice(3)) >= 400;

/** The scenario has errors of its own, so that nothing of it was run. */
export function wasRefused({ diagnostics, events }: Result): boolean {
  const started = events.some(({ type }) => type === 'block.start');
  return !started && diagnostics.some((one) => one.severity === 'error' && !isRunTime(one));
}

/** Exit code of a run. */
export function runExitCode(result: Result, mode: 'dry-run' | 'execute' | 'validate'): number {
  if (mode === 'validate') return result.ok ? EXIT.ok : EXIT.failed;
  return wasRefused(result) ? EXIT.usage : exitCodeOf(result.outcome);
}

/** Why a run is not ok, in one sentence, and a stable code for it; undefined when it is ok. */
export function failureOf(result: Result): { readonly error: string; readonly code: string } | undefined {
  if (result.ok) return undefined;
  const finding = result.diagnostics.find(({ severity }) => severity === 'error');
  if (finding) return { error: finding.message, code: finding.code };
  const goal = result.goals.find(
    (one) => one.outcome !== null && countedOutcome(one.outcome, one) === result.outcome,
  );
  const error = goal ? `${goal.name}: ${goal.message ?? result.outcome}` : `the run ended ${result.outcome}`;
  return { error, code: result.outcome };
}
