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

/** Runs that are alike in everything that yields ask for. */
export interface AlikeRuns {
  readonly count: number;
  readonly verdict: JudgedRun['verdict'];
  readonly firstAttempt: JudgedRun['firstAttempt'];
  /** Whether it is its unit's first judged run; `none`: the run has no serial number. */
  readonly ofUnit: 'first' | 'later' | 'none';
}

/**
 * @param firstRuns position of each unit's first judged run, where the runs are a selection that may lack it; default:
 *   the first one among the runs
 */
export function yieldsOf(
  runs: readonly JudgedRun[],
  firstRuns: ReadonlyMap<string, number> = firstRunsOf(runs),
): Yields {
  return yieldsOfAlike(
    runs.map(({ serial, position, verdict, firstAttempt }) => {
      const isFirst = serial !== null && firstRuns.get(serial) === position;
      return {
        ...{ count: 1, verdict, firstAttempt },
        ofUnit: serial === null ? 'none' : isFirst ? 'first' : 'later',
      };
    }),
  );
}

export function yieldsOfAlike(alike: readonly AlikeRuns[]): Yields {
  const sum = (wanted: (runs: AlikeRuns) => boolean) =>
    alike.reduce((count, runs) => (wanted(runs) ? count + runs.count : count), 0);
  const isJudged = ({ verdict }: AlikeRuns) => verdict !== 'none';
  const passed = sum(({ verdict }) => verdict === 'passed');
  const failed = sum(({ verdict }) => verdict === 'failed');
  const units = sum((runs) => isJudged(runs) && runs.ofUnit === 'first');
  const firstPassed = sum(
    ({ verdict, firstAttempt, ofUnit }) =>
      verdict === 'passed' && firstAttempt === 'passed' && ofUnit === 'first',
  );
  return {
    runs: sum(() => true),
    ...{ passed, failed },
    not_judged: sum((runs) => !isJudged(runs)),
    yield: ratio(passed, passed + failed),
    first_pass: {
      units,
      passed: firstPassed,
      yield: ratio(firstPassed, units),
      runs_without_serial: sum((runs) => isJudged(runs) && runs.ofUnit === 'none'),
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
