/** One run as far as yield needs it. */
export interface JudgedRun {
  /** Order of the runs. */
  readonly position: number;
  readonly serial: string | null;
  readonly verdict: 'passed' | 'failed' | 'none';
  /** Verdict of the first attempt, before any retry. */
  readonly firstAttempt: 'passed' | 'failed' | 'none';
}

export interface Yields {
  readonly runs: number;
  readonly passed: number;
  readonly failed: number;
  /** Runs with neither verdict; they are in no yield. */
  readonly not_judged: number;
  /** Passed of those that passed or failed, 0 to 1; null where there is none. */
  readonly yield: number | null;
  readonly first_pass: {
    /** Units with a serial number whose first judged run is among these runs. */
    readonly units: number;
    /** Of these, the ones that passed in that run without a retry. */
    readonly passed: number;
    /** 0 to 1; null without such a unit. */
    readonly yield: number | null;
    /** Judged runs without a serial number: whether they were a unit's first run cannot be said. */
    readonly runs_without_serial: number;
  };
}

/**
 * @param firstRuns position of each unit's first judged run, where the runs are a selection that may lack it; default:
 *   the first one among the runs
 */
export function yieldsOf(
  runs: readonly JudgedRun[],
  firstRuns: ReadonlyMap<string, number> = firstRunsOf(runs),
): Yields {
  const judged = runs.filter(({ verdict }) => verdict !== 'none');
  const passed = judged.filter(({ verdict }) => verdict === 'passed').length;
  const firsts = judged.filter(
    ({ serial, position }) => serial !== null && firstRuns.get(serial) === position,
  );
  const firstPassed = firsts.filter(
    (run) => run.verdict === 'passed' && run.firstAttempt === 'passed',
  ).length;
  return {
    runs: runs.length,
    passed,
    failed: judged.length - passed,
    not_judged: runs.length - judged.length,
    yield: ratio(passed, judged.length),
    first_pass: {
      units: firsts.length,
      passed: firstPassed,
      yield: ratio(firstPassed, firsts.length),
      runs_without_serial: judged.filter(({ serial }) => serial === null).length,
    },
  };
}

/** Position of the first judged run of each serial number. */
export function firstRunsOf(runs: readonly JudgedRun[]): Map<string, number> {
  const first = new Map<string, number>();
  for (const { serial, position, verdict } of runs) {
    if (serial === null || verdict === 'none') continue;
    const known = first.get(serial);
    if (known === undefined || position < known) first.set(serial, position);
  }
  return first;
}

export const ratio = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
