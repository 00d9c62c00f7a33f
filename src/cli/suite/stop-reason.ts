import { safeStatesOf } from '../../scenario/outputs/record.ts';
import type { Result } from '../../scenario/run/result.ts';

/**
 * Why nothing may follow a run; undefined when the next scenario may begin. A rig that was not left safe, or that belongs
 * to somebody else, gets no further scenario, whatever the suite says.
 */
export function stopReason(result: Result, stopOnFail: boolean): string | undefined {
  const { outcome, ok, diagnostics } = result;
  if (outcome === 'aborted') return 'it was aborted';
  if (safeStatesOf(result).at(-1)?.ok === false) return 'the rig was not brought to the safe state';
  if (diagnostics.some(({ code, severity }) => code === 'SCN408' && severity === 'error'))
    return 'the lease could not be had or was lost';
  return stopOnFail && !ok ? `${outcome}, and the suite stops on a failure` : undefined;
}
