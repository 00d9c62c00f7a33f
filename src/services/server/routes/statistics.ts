import * as z from 'zod';
import { HttpError } from '../../../lib/http/http-error.ts';
import { numberText } from '../../../lib/http/query-types.ts';
import { type Route, route } from '../../../lib/http/route.ts';
import { csvAnswer } from '../csv-answer.ts';
import type { RunHistory } from '../runs/run-history.ts';
import { api } from './paths.ts';
import { runFilterOf, statisticsQuery } from './run-filter-query.ts';
import { MEASUREMENT, MEASUREMENT_KEYS, SCENARIOS } from './statistics-schema.ts';

/** Longer than the index may take. */
const DEADLINE_MS = 10_000;
const POINTS = 2000;
const MOST_POINTS = 100_000;

const format = z.enum(['json', 'csv'], 'must be json or csv').default('json');
const answerType = ['application/json', 'text/csv'];
const interval = z.enum(['day', 'week', 'month'], 'must be day, week or month').default('day');

const KEY_COLUMNS = Object.keys(MEASUREMENT_KEYS.shape.measurements.element.shape);
const POINT_COLUMNS = Object.keys(MEASUREMENT.shape.chart.shape.points.element.shape);
const PERIOD_COLUMNS = [
  'from',
  'runs',
  'passed',
  'failed',
  'not_judged',
  'yield',
  'first_pass_units',
  'first_pass_yield',
] as const;

/** Statistics of the records, by the index; 503 while not all records are in it. */
export function statisticsRoutes(history: RunHistory): Route[] {
  return [
    route({
      method: 'GET',
      path: api('/statistics/measurements'),
      summary: 'What was measured in a selection of runs: the keys, with count and yield',
      query: z.object({ ...statisticsQuery, format }),
      deadlineMs: DEADLINE_MS,
      answer: MEASUREMENT_KEYS,
      answerType,
      problems: ['device_unavailable'],
      handler: async ({ query }) => {
        const { measurements, damaged } = await history.statistics('keys', runFilterOf(query));
        if (query.format === 'csv')
          return csvAnswer(
            'measurements',
            KEY_COLUMNS,
            measurements.map((one) => ({ ...one })),
          );
        return { measurements, damaged_records: damaged };
      },
    }),
    route({
      method: 'GET',
      path: api('/statistics/measurement'),
      summary: 'Capability, control chart and drift of one measurement; as CSV its values',
      query: z.object({
        ...statisticsQuery,
        key: z.string().min(1).max(2000),
        unit: z.string().max(50).optional(),
        points: numberText({ min: 1, max: MOST_POINTS, integer: true }).optional(),
        base_since: statisticsQuery.since,
        base_until: statisticsQuery.until,
        format,
      }),
      deadlineMs: DEADLINE_MS,
      answer: MEASUREMENT,
      answerType,
      problems: ['not_found', 'device_unavailable'],
      handler: async ({ query }) => {
        const { key, unit, base_since: sinceMs, base_until: untilMs, format } = query;
        const period = {
          sinceMs: sinceMs ?? Number.NEGATIVE_INFINITY,
          untilMs: untilMs ?? Number.POSITIVE_INFINITY,
        };
        const { description, statistics, damaged } = await history.statistics('measurement', {
          key,
          unit,
          filter: runFilterOf(query),
          points: query.points ?? (format === 'csv' ? MOST_POINTS : POINTS),
          base: sinceMs === undefined && untilMs === undefined ? undefined : period,
        });
        if (!description)
          throw new HttpError(
            'not_found',
            `no record has the measurement ${JSON.stringify(key)}; GET /api/statistics/measurements lists them`,
          );
        if (format === 'csv')
          return csvAnswer(
            'measurement',
            [...POINT_COLUMNS, 'unit'],
            statistics.chart.points.map((point) => ({
              ...point,
              rules: point.rules.join(' '),
              unit: statistics.unit,
            })),
          );
        return { ...description, ...statistics, damaged_records: damaged };
      },
    }),
    route({
      method: 'GET',
      path: api('/statistics/scenarios'),
      summary: 'Yield over time, first failed checks and units of a selection of runs; as CSV the yield',
      query: z.object({ ...statisticsQuery, interval, format }),
      deadlineMs: DEADLINE_MS,
      answer: SCENARIOS,
      answerType,
      problems: ['device_unavailable'],
      handler: async ({ query }) => {
        const ask = { filter: runFilterOf(query), interval: query.interval };
        const { statistics, origins, damaged } = await history.statistics('scenarios', ask);
        if (query.format === 'csv')
          return csvAnswer(
            'yield',
            PERIOD_COLUMNS,
            statistics.over_time.map(({ first_pass, ...period }) => ({
              ...period,
              first_pass_units: first_pass.units,
              first_pass_yield: first_pass.yield,
            })),
          );
        return { ...statistics, ...origins, damaged_records: damaged };
      },
    }),
  ];
}
