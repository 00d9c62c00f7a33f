import type { ReferenceStandard } from '../../diagnostics/calibration/calibration-record.ts';
import type { Requirements } from '../../diagnostics/calibration/evaluate.ts';
import { usageError } from '../errors/cli-error.ts';
import type { Io } from '../io/io.ts';

/** As given on the command line; what is missing is asked for at a terminal. */
export interface CalibrateOptions {
  unit?: string;
  range?: string;
  points?: string;
  limit?: string;
  standard?: string;
  certificate?: string;
  standardDue?: string;
  standardUncertainty?: string;
  temperature?: string;
  medium?: string;
  height?: string;
  by?: string;
  due?: string;
  id?: string;
  pump?: true;
  valve?: string;
  benchReference?: true;
  benchUrl?: string;
  samples?: string;
  settleTimeout?: number;
  measureOnly?: true;
  yes?: true;
  json?: true;
  firmwareUrl?: string;
}

/** What a calibration is made with. */
export interface CalibrationOrder {
  unit: string;
  /** In the order in which they are measured, in the unit. */
  nominals: readonly number[];
  checks: readonly number[];
  requirements: Requirements;
  standard: ReferenceStandard;
  conditions: { temperature_c: number; medium: string; height_m: number };
  by: string;
  due: string;
  id: string;
  samples: number;
  settleTimeoutMs: number;
}

const DAY = /^\d{4}-\d\d-\d\d$/;
const DEFAULT_POINTS = '0,25,50,75,100';
/** Check points lie a quarter of the way from both ends, between the points of the fit. */
const CHECK_SHARES = [0.375, 0.625];

/** One line of a person's answer; undefined where none can be asked. */
export type Ask = (question: string) => Promise<string | undefined>;

/**
 * All that a calibration needs, from the options, and from a person where they lack something.
 * @param known unit of the calibration that is in use
 * @throws CliError exit code 2, naming the option, its value and what it takes
 */
export async function orderOf(
  sensor: string,
  options: CalibrateOptions,
  known: string | undefined,
  ask: Ask,
  { clock }: Pick<Io, 'clock'>,
): Promise<CalibrationOrder> {
  const bench = options.benchReference === true;
  const want = async (value: string | undefined, option: string, question: string, standing?: string) => {
    const given = value ?? standing ?? (await ask(question))?.trim();
    if (given === undefined || given === '') throw usageError(`calibrate needs ${option}: ${question}`);
    return given;
  };
  const unit = await want(options.unit, '--unit', 'unit of the reference, for example mbar', known);
  const [low, high] = rangeOf(await want(options.range, '--range', `range in ${unit}, for example 0..100`));
  const limit =
    options.limit === undefined
      ? (high - low) / 100
      : numberOf(options.limit, '--limit', (one) => one > 0, 'above 0');
  const today = new Date(clock.now()).toISOString().slice(0, 10);
  const standard: ReferenceStandard = bench
    ? { id: 'plant of the bench', certificate: 'none, simulated', due_at: '2099-12-31', uncertainty: 0 }
    : {
        id: await want(options.standard, '--standard', 'identity of the reference standard'),
        certificate: await want(options.certificate, '--certificate', 'number of its certificate'),
        due_at: dayAfter(
          await want(options.standardDue, '--standard-due', 'due date of the standard, YYYY-MM-DD'),
          '--standard-due',
          today,
          'use a standard whose certificate is in force',
        ),
        uncertainty: numberOf(
          await want(
            options.standardUncertainty,
            '--standard-uncertainty',
            `its expanded uncertainty (k = 2) in ${unit}`,
          ),
          '--standard-uncertainty',
          (one) => one >= 0,
          '0 or more',
        ),
      };
  const span = high - low;
  return {
    unit,
    nominals: pointsOf(options.points ?? DEFAULT_POINTS).map((percent) => low + (span * percent) / 100),
    checks: CHECK_SHARES.map((share) => low + span * share),
    requirements: { limit, low, high, standardUncertainty: standard.uncertainty },
    standard,
    conditions: {
      temperature_c: numberOf(
        options.temperature ?? '20',
        '--temperature',
        (one) => one > -50 && one < 100,
        '-50..100',
      ),
      medium: options.medium ?? 'air',
      height_m: numberOf(options.height ?? '0', '--height', (one) => Math.abs(one) <= 100, '-100..100'),
    },
    by: await want(options.by, '--by', 'name of the person who calibrates'),
    due: dayAfter(
      await want(options.due, '--due', 'due date of the new calibration, YYYY-MM-DD'),
      '--due',
      today,
      'give a day to come',
    ),
    id: options.id ?? `${bench ? 'bench-' : ''}${sensor}-${today}`,
    samples: numberOf(
      options.samples ?? '20',
      '--samples',
      (one) => Number.isInteger(one) && one >= 2 && one <= 1000,
      'a whole number, 2..1000',
    ),
    settleTimeoutMs: options.settleTimeout ?? 60_000,
  };
}

/** A number of a person, with a point or a comma. @throws CliError */
export function numberOf(
  text: string,
  option: string,
  isGood: (value: number) => boolean,
  wanted: string,
): number {
  const value = text.trim() === '' ? Number.NaN : Number(text.trim().replace(',', '.'));
  if (!Number.isFinite(value) || !isGood(value))
    throw usageError(`${option} "${text}" is not a number ${wanted}`);
  return value;
}

function rangeOf(text: string): [low: number, high: number] {
  const [low, high, more] = text
    .split('..')
    .map((one) => Number(one.trim() === '' ? Number.NaN : one.trim()));
  if (
    low === undefined ||
    high === undefined ||
    more !== undefined ||
    !(low < high) ||
    !Number.isFinite(high - low)
  )
    throw usageError(`--range "${text}" is not a range: write for example 0..100, the lower end first`);
  return [low, high];
}

function pointsOf(text: string): number[] {
  const points = text.split(',').map((one) => (one.trim() === '' ? Number.NaN : Number(one)));
  const isRising = points.every((one, index) => index === 0 || one > (points[index - 1] ?? 0));
  if (points.length < 2 || !isRising || !points.every((one) => one >= 0 && one <= 100))
    throw usageError(`--points "${text}" are not two or more rising percentages 0..100 of the range`);
  return points;
}

function dayAfter(text: string, option: string, today: string, remedy: string): string {
  const isDay =
    DAY.test(text) && !Number.isNaN(Date.parse(text)) && new Date(text).toISOString().startsWith(text);
  if (!isDay) throw usageError(`${option} "${text}" is not a day: write YYYY-MM-DD`);
  if (text <= today) throw usageError(`${option} ${text} is not after today, ${today}: ${remedy}`);
  return text;
}
