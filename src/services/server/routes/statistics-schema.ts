import * as z from 'zod';

const count = z.int().min(0);
const number = z.number();
const text = z.string();

const yields = {
  runs: count,
  passed: count,
  failed: count,
  not_judged: count,
  yield: number.nullable(),
  first_pass: z.object({
    units: count,
    passed: count,
    yield: number.nullable(),
    runs_without_serial: count,
  }),
};

/** Records that could not be read or trusted; they are in no figure. */
const damaged = { damaged_records: count };

export const MEASUREMENT_KEYS = z.object({
  measurements: z.array(
    z.object({
      key: text,
      scenario: text,
      block: text,
      check: text,
      sensor: text.nullable(),
      count,
      passed: count,
      failed: count,
      yield: number.nullable(),
      last_run_id: text,
      /** By which the last of these runs judged it, in `unit`. */
      low: number.nullable(),
      high: number.nullable(),
      unit: text.nullable(),
    }),
  ),
  ...damaged,
});

const index = z.object({ value: number, low95: number, high95: number });

const limitGroup = z.object({
  low: number.nullable(),
  high: number.nullable(),
  since: text,
  until: text,
  count,
  mean: number,
  standard_deviation: number.nullable(),
  capability: z
    .object({
      sides: z.enum(['both', 'low', 'high']),
      cp: number.nullable(),
      cpk: index,
      sigma_within: number,
      pp: number.nullable(),
      ppk: index,
      caution: z.boolean(),
    })
    .nullable(),
  no_capability: z.enum(['no_limits', 'too_few_values', 'no_spread']).nullable(),
});

export const MEASUREMENT = z.object({
  key: text,
  scenario: text,
  block: text,
  check: text,
  sensor: text.nullable(),
  ...yields,
  unit: text.nullable(),
  units: z.array(z.object({ unit: text.nullable(), count })),
  retries: z.object({ runs: count, values: count }),
  values: z.object({
    count,
    mean: number.nullable(),
    standard_deviation: number.nullable(),
    min: number.nullable(),
    max: number.nullable(),
  }),
  limits: z.array(limitGroup),
  histogram: z.array(z.object({ low: number, high: number, count })),
  control_limits: z
    .object({ mean: number, sigma: number, low: number, high: number, based_on: count })
    .nullable(),
  rules_broken: z.object({ '1': count, '2': count, '3': count, '4': count }).nullable(),
  chart: z.object({
    total: count,
    points: z.array(
      z.object({
        run_id: text,
        at: text,
        unit_under_test: text.nullable(),
        value: number,
        low: number.nullable(),
        high: number.nullable(),
        outcome: text,
        rules: z.array(z.int().min(1).max(4)),
      }),
    ),
  }),
  drift: z.object({ per_day: number, low95: number, high95: number, significant: z.boolean() }).nullable(),
  ...damaged,
});

export const SCENARIOS = z.object({
  ...yields,
  by_status: z.record(text, count),
  /** Texts of the chosen scenario by their SHA-256, and rigs, by which the selection can be narrowed. */
  versions: z.array(z.object({ version: text, runs: count, last_at: text })),
  rigs: z.array(z.object({ rig: text, runs: count })),
  over_time: z.array(z.object({ from: text, ...yields })),
  pareto: z.array(z.object({ key: text.nullable(), text, count, cumulative: number })),
  units: z.array(
    z.object({
      unit_under_test: text,
      runs: count,
      first_status: text,
      last_status: text,
      last_run_id: text,
      last_at: text,
    }),
  ),
  units_total: count,
  ...damaged,
});
