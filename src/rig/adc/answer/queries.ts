import * as z from 'zod';
import { numberText } from '../../../lib/http/query-types.ts';
import { LONGEST_LIMIT_MS } from '../sample-budget.ts';

const MOST_SAMPLES = 10_000;
const LONGEST_DELAY_S = 10;
const GREATEST_AGE_MS = 1000;

const fields = {
  /** How many samples to average; without it one. */
  samples: numberText({ integer: true, min: 1, max: MOST_SAMPLES }).default(1),
  /** Greatest age of a sample that may be served again, milliseconds; with 0 one is taken after the request. */
  max_age_ms: numberText({ integer: true, min: 0, max: GREATEST_AGE_MS }).default(0),
};

/** A mean is of samples taken for it. */
const ageOfOne = (query: { samples: number; max_age_ms: number }) =>
  query.samples === 1 || query.max_age_ms === 0;
const AGE_OF_ONE = {
  path: ['max_age_ms'],
  // A value that is none by itself is told of once.
  when: ({ issues }: { issues: unknown[] }) => issues.length === 0,
  message: 'is for a single sample; leave it out, or leave samples out',
};

export const samplesQuery = z.object(fields).refine(ageOfOne, AGE_OF_ONE);

export const delayedSamplesQuery = z
  .object({
    ...fields,
    /** Pause between two samples, seconds. */
    sample_delay: numberText({ min: 0, max: LONGEST_DELAY_S }).default(0),
  })
  .refine(ageOfOne, AGE_OF_ONE);

/** What a request for readings may ask. */
export type ReadingQuery = typeof samplesQuery | typeof delayedSamplesQuery;

/** @param pattern of the channel numbers, for openapi.json; they are judged by `channelOf` */
export const channelParams = (pattern: string) => z.object({ n: z.string().meta({ pattern }) });

/** Behind every limit of our own: the kit's deadline only ends what should have ended itself. */
export const READING_DEADLINE_MS = LONGEST_LIMIT_MS + 1000;
