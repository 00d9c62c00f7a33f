import * as z from 'zod';
import type { RunFilter } from '../run-index/run-filter.ts';

const DAY_MS = 86_400_000;
const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;
const TIME_MESSAGE = 'must be a date (2025-01-15, UTC) or a time with its offset (2025-01-15T10:00:00Z)';

/** ISO date or time as ms. @param wholeDay a date alone is its end, so that the day belongs to the period */
const timeText = (wholeDay: boolean) =>
  z
    .string()
    .regex(TIME, { message: TIME_MESSAGE, abort: true })
    .transform((text) => Date.parse(text) + (wholeDay && !text.includes('T') ? DAY_MS : 0))
    .pipe(z.number(TIME_MESSAGE));

const word = z.string().min(1).max(200);
const hardware = z.enum(['real', 'bench', 'mock'], 'must be real, bench or mock');

const STATUSES = [
  'queued',
  'running',
  'passed',
  'done',
  'failed',
  'error',
  'inconclusive',
  'aborting',
  'aborted',
] as const;

/** Query of every route that selects runs. */
export const runFilterQuery = {
  status: z.enum(STATUSES, `must be one of ${STATUSES.join(', ')}`).optional(),
  scenario: word.optional(),
  serial: word.optional(),
  part: word.optional(),
  batch: word.optional(),
  operator: word.optional(),
  version: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be the SHA-256 of a scenario: 64 digits 0-9a-f')
    .optional(),
  rig: word.optional(),
  failed: z.string().min(1).max(2000).optional(),
  since: timeText(false).optional(),
  until: timeText(true).optional(),
  hardware: hardware.optional(),
  search: word.optional(),
};

/** As `runFilterQuery`, for statistics: runs on a bench or in mock mode only when asked for. */
export const statisticsQuery = { ...runFilterQuery, hardware: hardware.default('real') };

/** The query of a route has more members than those of the filter. */
const FILTERS: ReadonlySet<string> = new Set([...Object.keys(runFilterQuery), 'sinceMs', 'untilMs']);

type FilterQuery = z.output<z.ZodObject<typeof runFilterQuery>>;

export const runFilterOf = ({ since, until, ...query }: FilterQuery): RunFilter => {
  const filter = { ...query, sinceMs: since, untilMs: until };
  const given = Object.entries(filter).filter(([name]) => FILTERS.has(name));
  return Object.fromEntries(given.filter(([, value]) => value !== undefined));
};
