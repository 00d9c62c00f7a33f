import * as z from 'zod';
import { numberText } from '../../../lib/http/query-types.ts';
import { LONGEST_LIMIT_MS } from '../sample-budget.ts';

const MOST_SAMPLES = 10_000;
const LONGEST_DELAY_S = 10;

/** How many samples to average; without it one. */
export const samplesQuery = z.object({
  samples: numberText({ integer: true, min: 1, max: MOST_SAMPLES }).default(1),
});

export const delayedSamplesQuery = samplesQuery.extend({
  /** Pause between two samples, seconds. */
  sample_delay: numberText({ min: 0, max: LONGEST_DELAY_S }).default(0),
});

/** @param pattern of the channel numbers, for openapi.json; they are judged by `channelOf` */
export const channelParams = (pattern: string) => z.object({ n: z.string().meta({ pattern }) });

/** Behind every limit of our own: the kit's deadline only ends what should have ended itself. */
export const READING_DEADLINE_MS = LONGEST_LIMIT_MS + 1000;
