import { HttpError } from '../../lib/http/http-error.ts';

/** Time of one sample, milliseconds (services.md section 4.1). */
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
