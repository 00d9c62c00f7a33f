import * as assert from 'uvu/assert';
import type { HttpError } from '../../lib/http/http-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { HID_SAMPLE_MS, LONGEST_LIMIT_MS, sampleLimitMs, UART_SAMPLE_MS } from './samples.ts';

const test = suite('sample budget');
const BATCH_MS = 2 * UART_SAMPLE_MS;

function refusal(samples: number, sampleMs: number, delayMs = 0): HttpError {
  try {
    sampleLimitMs({ samples, delayMs }, sampleMs);
  } catch (error) {
    return error as HttpError;
  }
  throw new Error(`${samples} samples were taken`);
}

test('the limit is the larger of 2.5 s and 1.5 x cost + 1 s', () => {
  const limit = (samples: number, sampleMs: number, delayMs = 0) =>
    sampleLimitMs({ samples, delayMs }, sampleMs);
  assert.is(limit(1, UART_SAMPLE_MS), 2500);
  assert.is(limit(20, UART_SAMPLE_MS), 2500, '1.5 x 1 s + 1 s');
  assert.is(limit(21, UART_SAMPLE_MS), 2575);
  assert.is(limit(600, UART_SAMPLE_MS), 46_000);
  assert.is(limit(10_000, HID_SAMPLE_MS), 31_000);
  assert.is(limit(1, 0), 2500);
  assert.is(limit(3, UART_SAMPLE_MS, 10_000), 1.5 * 20_150 + 1000);
  assert.is(LONGEST_LIMIT_MS, 46_000);
});

test('SVC-020 too many samples: 422 that names the largest number, 600 for one UART input and 300 for a batch', () => {
  for (const [samples, sampleMs, delayMs, largest] of [
    [601, UART_SAMPLE_MS, 0, 600],
    [10_000, UART_SAMPLE_MS, 0, 600],
    [301, BATCH_MS, 0, 300],
    [4, UART_SAMPLE_MS, 10_000, 3],
    [30, BATCH_MS, 1000, 28],
  ] as const) {
    const error = refusal(samples, sampleMs, delayMs);
    assert.is(error.code, 'sample_budget_exceeded');
    assert.match(error.message, `${samples} samples`);
    assert.match(error.message, new RegExp(`largest number here is ${largest}$`));
    assert.equal(error.errors, [
      { in: 'query', field: 'samples', message: `must be 1..${largest}`, value: String(samples) },
    ]);
    assert.equal(error.members, { largest_samples: largest });
    assert.type(sampleLimitMs({ samples: largest, delayMs }, sampleMs), 'number');
  }
});

test('no allowed number of HID samples exceeds the budget', () => {
  assert.type(sampleLimitMs({ samples: 10_000, delayMs: 0 }, HID_SAMPLE_MS), 'number');
});

test.run();
