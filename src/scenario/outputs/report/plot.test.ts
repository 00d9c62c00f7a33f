import * as assert from 'uvu/assert';
import { test } from '../../../test-kit/suite.ts';
import type { SampleSeries } from '../../run/result.ts';
import { plot } from './plot.ts';
import { type Point, thin } from './thin.ts';
import { ticks } from './ticks.ts';

const series = (points: readonly Point[]): SampleSeries => ({
  sensor: 'AI01',
  goal: 0,
  unit: 'mbar',
  points,
  stats: {
    count: 0,
    min: null,
    max: null,
    avg: null,
    last: null,
    first: null,
    delta: null,
    stddev: null,
    gaps: 0,
  },
});

test('ticks are round and inside the range', () => {
  assert.equal(ticks(0.58, 0.71, 6), [0.6, 0.65, 0.7]);
  assert.equal(ticks(0, 0, 6), [0]);
  assert.equal(ticks(-12, 9, 6), [-10, -5, 0, 5]);
});

test('a long series is thinned without losing its peaks and gaps', () => {
  const points = Array.from(
    { length: 72_000 },
    (_, i): Point => [i * 100, i === 41_234 ? null : i === 50_001 ? 99 : i % 7],
  );
  const kept = thin(points, 350);
  assert.ok(kept.length <= 350 * 5, `${kept.length} points`);
  assert.ok(
    kept.some(([, value]) => value === 99),
    'the peak is kept',
  );
  assert.ok(
    kept.some(([, value]) => value === null),
    'the gap is kept',
  );
  assert.equal(
    kept,
    [...kept].sort((a, b) => a[0] - b[0]),
  );
});

test('a gap breaks the line', () => {
  const [, d = ''] =
    /<path class="line" d="([^"]*)"/.exec(
      plot(
        series([
          [0, 1],
          [100, null],
          [200, 2],
          [300, 3],
        ]),
        [],
      ),
    ) ?? [];
  assert.is(d.match(/M/g)?.length, 2);
  assert.is(d.match(/L/g)?.length, 1);
});

test('limits are drawn and lie inside the plot', () => {
  const svg = plot(
    series([
      [0, 1],
      [1000, 2],
    ]),
    [{ low: 0, high: 10 }],
  );
  assert.is(svg.match(/class="limit"/g)?.length, 2);
  for (const [, y] of svg.matchAll(/class="limit"[^>]*y1="([\d.-]+)"/g))
    assert.ok(Number(y) > 0 && Number(y) < 220);
});

test('a series without a good point says so', () => {
  assert.match(plot(series([[0, null]]), []), 'no good point');
});

test.run();
