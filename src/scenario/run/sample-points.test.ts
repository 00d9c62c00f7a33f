import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { Measured } from './measured.ts';
import { SamplePoints } from './sample-points.ts';

const test = suite('points of a sampled sensor');

const measured = (more: Partial<Measured>): Measured => ({
  ...{ sensor: 'flow', key: 'ai01', value: 1.5, unit: 'l/min', raw: 1.5, rawUnit: 'V', measure: 'point' },
  ...{ at: '2026-11-27T11:17:58.661Z', ageMs: 3, source: 'bridge', simulated: false, bench: false },
  ...more,
});

test('LANG-040 every point comes back as it was taken, whatever it has in common with the ones before', () => {
  // Each differs from the one before in one member, and the first from the last.
  const taken: Measured[] = [
    measured({}),
    measured({ value: 0.1 + 0.2, raw: -0, ageMs: 0.25 }),
    measured({ raw: null }),
    measured({ at: '2026-11-27T12:17:58.661+01:00' }),
    measured({ at: '2026-11-27T11:17:58.661123Z' }),
    measured({ at: 'yesterday' }),
    ...(
      [
        { sensor: 'other' },
        { key: 'ai02' },
        { unit: null },
        { rawUnit: null },
        { measure: 'difference' },
        { recompute: (unit: string) => unit.length },
        { source: 'other' },
        { simulated: true },
        { bench: true },
        { calibration: 'cal-1' },
        { resolution: 0.01 },
      ] satisfies Partial<Measured>[]
    ).flatMap((more) => [measured({}), measured(more)]),
  ];
  const points = new SamplePoints();
  // More than there is room for at the start.
  const all = Array.from({ length: 300 }, (_, n) => ({ ...taken[n % taken.length]!, ageMs: n }));
  for (const [n, one] of all.entries()) {
    assert.is(points.open(10 * n, 10 * n + 0.5), n);
    points.setPoint(n, one);
  }
  all.forEach((one, n) => {
    assert.equal(points.measured(n), one, `${n}`);
    assert.is(points.value(n), one.value);
    assert.equal([points.dueMs(n), points.t(n)], [10 * n, 10 * n + 0.5]);
  });
});

test('a slot is on its way, a point, or a gap, and a point that is the last one does not keep its conversion', () => {
  const points = new SamplePoints();
  for (let n = 0; n < 4; n++) points.open(n, n);
  points.setPoint(0, measured({ conversion: { id: '#1', fromMs: 0, toMs: 1 } }));
  points.setGap(1, false);
  points.setGap(2, true);
  const states = [0, 1, 2, 3].map((n) => [points.isSettled(n), points.isPoint(n), points.isBeyondRange(n)]);
  assert.equal(states, [
    [true, true, false],
    [true, false, false],
    [true, false, true],
    [false, false, false],
  ]);
  assert.equal(
    [1, 2, 3].map((n) => points.value(n) ?? points.measured(n)),
    [undefined, undefined, undefined],
  );
  assert.is(points.measured(0)?.conversion, undefined);
  assert.is(points.simulated, false);
  points.setPoint(3, measured({ simulated: true }));
  assert.is(points.simulated, true);
});

test.run();
