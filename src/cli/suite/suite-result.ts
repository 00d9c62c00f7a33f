import type { Outcome } from '../../scenario/events/event.ts';
import type { JunitEntry } from '../../scenario/outputs/junit.ts';
import { leftOutOf, markOf, startOf, type TestedUnit } from '../../scenario/outputs/record.ts';
import { isOk, shownRunOutcome, worstOf } from '../../scenario/run/outcome.ts';
import type { Result } from '../../scenario/run/result.ts';
import { recordOf } from '../run/run-outputs.ts';
import type { LoadedScenario } from './load-suite.ts';

/** What became of a scenario of a suite. */
export type ScenarioEnd = { readonly scenario: LoadedScenario } & (
  | { readonly result: Result; readonly runId: string | null }
  /** `error`: it could not be run; `skipped`: it was not reached or not selected. */
  | { readonly outcome: 'error' | 'skipped'; readonly reason: string }
);

export const outcomeOf = (end: ScenarioEnd): Outcome => ('result' in end ? end.result.outcome : end.outcome);

/** The verdict over all: the worst of the scenarios. @param aborted stopped from outside, also between two scenarios */
export const suiteOutcome = (ends: readonly ScenarioEnd[], aborted: boolean): Outcome =>
  worstOf([...ends.map(outcomeOf), ...(aborted ? (['aborted'] as const) : [])]);

/** A run in which nothing was judged is `done`: it is no pass. To be valid needs no judgement. */
function shownOf(end: ScenarioEnd): Outcome | 'done' {
  if (!('result' in end) || startOf(end.result)?.mode === 'validate') return outcomeOf(end);
  return shownRunOutcome(end.result);
}

const COUNTED = ['done', 'failed', 'error', 'inconclusive', 'skipped', 'aborted'] as const;

/** `2/3 scenarios passed, 1 failed (bench, not a test)` */
export function suiteLine(ends: readonly ScenarioEnd[]): string {
  const count = (outcome: Outcome | 'done') => ends.filter((end) => shownOf(end) === outcome).length;
  const others = COUNTED.flatMap((outcome) => (count(outcome) === 0 ? [] : [`${count(outcome)} ${outcome}`]));
  const left = leftOutText(ends);
  const marks = marksOf(ends);
  const tail = [left, markOf(marks)].filter((part) => part !== '').map((part) => ` (${part})`);
  return `${[`${count('passed')}/${ends.length} scenarios passed`, ...others].join(', ')}${tail.join('')}`;
}

/** A run of a part must not pass for one of the whole suite. */
function leftOutText(ends: readonly ScenarioEnd[]): string {
  const scenarios = ends.some(({ scenario }) => scenario.leftOut !== undefined);
  const goals = ends.some((end) => 'result' in end && leftOutOf(end.result).length > 0);
  const what = [...(scenarios ? ['scenarios'] : []), ...(goals ? ['goals'] : [])];
  return what.length === 0 ? '' : `${what.join(' and ')} left out`;
}

/** One simulated run makes the suite no test. */
export const marksOf = (ends: readonly ScenarioEnd[]): { simulated: boolean; bench: boolean } => ({
  simulated: ends.some((end) => 'result' in end && end.result.simulated),
  bench: ends.some((end) => 'result' in end && end.result.bench),
});

/** `[failed] Leak (mask-leak.oql): 2/3 passed` */
export function endLine(end: ScenarioEnd): string {
  const { name, request } = end.scenario;
  const why = 'reason' in end ? end.reason : countsText(end.result);
  return `[${shownOf(end)}] ${name} (${request.source.name})${why === '' ? '' : `: ${why}`}`;
}

/** How much of a run that is not passed as a whole did pass. */
function countsText(result: Result): string {
  if (result.outcome === 'passed') return '';
  const left = leftOutOf(result).length > 0 ? ', goals left out by --goal' : '';
  return `${result.passed}/${result.total} passed${left}`;
}

/** The same as the reports take it. */
export function reportEntry(
  end: ScenarioEnd,
  tested: TestedUnit,
): JunitEntry & { readonly tested: TestedUnit } {
  const { name, request } = end.scenario;
  const { source } = request;
  if ('result' in end) return { name, record: recordOf(end.result, source.bytes, tested), tested };
  return { name, file: source.name, outcome: end.outcome, reason: end.reason, tested };
}

/** One document for programs. @param detail what of a run goes into it */
export function suiteDocument<Detail extends object>(
  suite: { readonly name: string; readonly file?: string },
  ends: readonly ScenarioEnd[],
  aborted: boolean,
  tested: TestedUnit,
  detail: (result: Result) => Detail,
) {
  const outcome = suiteOutcome(ends, aborted);
  const bad = ends.find((end) => !isOk(outcomeOf(end)));
  return {
    ok: isOk(outcome),
    outcome,
    ...(isOk(outcome) ? {} : { error: bad ? endLine(bad) : suiteLine(ends), code: outcome }),
    suite: suite.name,
    file: suite.file ?? null,
    tested,
    ...marksOf(ends),
    passed: ends.filter((end) => shownOf(end) === 'passed').length,
    total: ends.length,
    scenarios: ends.map((end) => {
      const { name, request } = end.scenario;
      const common = {
        name,
        file: request.source.name,
        variables: request.options.var ?? {},
        outcome: outcomeOf(end),
      };
      if (!('result' in end)) return { ...common, reason: end.reason };
      return { ...common, runId: end.runId, leftOut: leftOutOf(end.result), ...detail(end.result) };
    }),
  };
}
