import * as z from 'zod';
import { HttpError } from '../../lib/http/http-error.ts';
import { numberText } from '../../lib/http/query-types.ts';

/** Time of one sample, milliseconds. */
export const UART_SAMPLE_MS = 50;
export const HID_SAMPLE_MS = 2;

const MOST_COST_MS = 30_000;
const LEAST_LIMIT_MS = 2500;
/** No request can have a longer limit. */
export const LONGEST_LIMIT_MS = limitOf(MOST_COST_MS);

export interface SampleRequest {
  /** 1..10000 */
  samples: number;
  /** Pause between two samples, milliseconds. */
  delayMs: number;
}

/**
 * How long a request may take.
 *
 * @param sampleMs what one sample costs; 0 when nothing of this request can be averaged
 * @returns milliseconds: the larger of 2.5 s and 1.5 x cost + 1 s
 * @throws HttpError `sample_budget_exceeded` naming the largest number of samples, when they cost over 30 s
 */
export function sampleLimitMs({ samples, delayMs }: SampleRequest, sampleMs: number): number {
  const costMs = samples * sampleMs + (samples - 1) * delayMs;
  if (costMs <= MOST_COST_MS) return limitOf(costMs);
  const largest = Math.floor((MOST_COST_MS + delayMs) / (sampleMs + delayMs));
  const message = `${samples} samples would take ${costMs / 1000} s, more than ${MOST_COST_MS / 1000} s; the largest number here is ${largest}`;
  throw new HttpError('sample_budget_exceeded', message, {
    errors: [{ in: 'query', field: 'samples', message: `must be 1..${largest}`, value: String(samples) }],
    members: { largest_samples: largest },
  });
}

function limitOf(costMs: number): number {
  return Math.max(LEAST_LIMIT_MS, 1.5 * costMs + 1000);
}

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
  // A value that is none by itself is reported once.
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
