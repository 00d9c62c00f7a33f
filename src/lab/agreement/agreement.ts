import { Interpreter } from '../../scenario/interpreter.ts';
import type { Result } from '../../scenario/run/result.ts';
import type { MemoryBench } from './memory-bench.ts';
import type { Judgement, RandomJudgement } from './random-judgement.ts';

export interface Disagreement extends Judgement {
  what: string;
}

export interface AgreementReport {
  cases: number;
  /** Runs by outcome of the execute mode; `refused` were not started. */
  outcomes: Record<string, number>;
  checks: number;
  disagreements: Disagreement[];
}

/** Runs each scenario by validate, dry-run and execute with the same readings, and reports where they differ. */
export async function measureAgreement(options: {
  bench: MemoryBench;
  scenarios: RandomJudgement;
  cases: number;
  onCase?: (done: number) => void;
}): Promise<AgreementReport> {
  const { bench, scenarios, cases } = options;
  const report: AgreementReport = { cases: 0, outcomes: {}, checks: 0, disagreements: [] };
  while (report.cases < cases) {
    const judgement = scenarios.next();
    const { source, volts } = judgement;
    const { registry } = bench;
    const sensors = Object.fromEntries(volts.map((value, input) => [`AI0${input + 1}`, `${value} V`]));
    const validated = await new Interpreter({ mode: 'validate', registry, strict: true }).run(
      source,
      'agreement.oql',
    );
    const dry = await new Interpreter({ mode: 'dry-run', registry, sensors, strict: true }).run(
      source,
      'agreement.oql',
    );
    const executed = await bench.execute(source, volts);
    const what = differenceOf(validated, dry, executed);
    if (what !== undefined) report.disagreements.push({ ...judgement, what });
    const outcome = started(executed) ? executed.outcome : 'refused';
    report.outcomes[outcome] = (report.outcomes[outcome] ?? 0) + 1;
    report.checks += checksOf(executed).length;
    report.cases += 1;
    options.onCase?.(report.cases);
  }
  return report;
}

/** Undefined when the three agree. */
export function differenceOf(validated: Result, dry: Result, executed: Result): string | undefined {
  const isRefused = !started(executed);
  const isValid = validated.ok && !isUnreachable(validated);
  if (isValid === isRefused)
    return `validate says ${isValid ? 'valid' : errorsOf(validated).join(' ')}, execute ${isRefused ? `is refused: ${errorsOf(executed).join(' ')}` : 'runs'}`;
  if (isRefused || (isUnreachable(dry) && executed.outcome === 'error')) return undefined;
  const outcomes = (result: Result) =>
    result.goals.map(({ name, outcome }) => `${name} ${outcome}`).join(', ');
  if (outcomes(dry) !== outcomes(executed))
    return `dry-run: ${outcomes(dry)} (${errorsOf(dry).join('; ')}); execute: ${outcomes(executed)} (${errorsOf(executed).join('; ')})`;
  const [ours, theirs] = [new Set(checksOf(dry)), new Set(checksOf(executed))];
  const onlyDry = [...ours].filter((check) => !theirs.has(check));
  const onlyExecuted = [...theirs].filter((check) => !ours.has(check));
  if (onlyDry.length + onlyExecuted.length === 0) return undefined;
  return `checks of the dry-run only: ${onlyDry.join(' ')}; of execute only: ${onlyExecuted.join(' ')}`;
}

/** A limit that no reading can reach is a warning before the run; execute refuses it, or a variable that brings it. */
const isUnreachable = ({ diagnostics }: Result): boolean => diagnostics.some(({ code }) => code === 'SCN250');

const started = ({ events }: Result): boolean => events.some(({ type }) => type === 'block.start');

const errorsOf = ({ diagnostics, goals }: Result): string[] => [
  ...diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code} ${message}`),
  ...goals.flatMap(({ outcome, message }) => (outcome === 'error' && message ? [message] : [])),
];

/**
 * The verdicts, numbers to nine digits: the converter's exact step and a calibration leave no more. Compared as a set: a
 * sample point that falls due together with a command is judged before or after it.
 */
function checksOf({ events }: Result): string[] {
  return events.flatMap((event) => {
    if (event.type !== 'check') return [];
    const { kind, sensor, op, low, high, actual, unit, outcome } = event;
    const shown = [low, high, actual].map((value) =>
      typeof value === 'number' ? value.toPrecision(9) : value,
    );
    return [JSON.stringify([kind, sensor, op, ...shown, unit, outcome])];
  });
}
