import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { Registry, type Sensor } from '../../rig/registry/registry.ts';
import { resolutionIn } from '../../rig/registry/resolution.ts';
import { CONFIRMED } from '../../test-kit/rig/calibration.ts';
import { suite } from '../../test-kit/suite.ts';
import { compare } from '../run/compare.ts';
import { shownBeside, shownLimit, shownNumber } from './shown-number.ts';

const test = suite('shown numbers');

test('LANG-082 a value has the decimals of the resolution of its sensor', () => {
  assert.is(shownNumber(19.887500000000003, 0.0125), '19.89');
  assert.is(shownNumber(0.834_999_999_9, 0.000_125), '0.835');
  assert.is(shownNumber(836.04, 12.5), '836');
  assert.is(shownNumber(-0.000_01, 0.000_125), '0');
});

test('LANG-082 without a resolution six significant digits are shown; whole numbers keep all', () => {
  assert.is(shownNumber(19.887500000000003), '19.8875');
  assert.is(shownNumber(0.1 + 0.2), '0.3');
  assert.is(shownNumber(12_345_678), '12345678');
  assert.is(shownNumber(1_234_567.89), '1234568');
  assert.is(shownNumber(1.234_567_89e-7), '0.000000123457');
  assert.is(shownNumber(Number.NEGATIVE_INFINITY), '-∞');
});

test('LANG-082 rounding never moves a value across its limit', () => {
  assert.is(shownBeside(400.04, [null, 400], 1), '400.04');
  assert.is(shownBeside(400.000_04, [null, 400], 0.1), '400.00004');
  assert.is(shownBeside(399.96, [null, 399.965], 0.1), '399.96');
  assert.is(shownBeside(0.670_000_2, [0.6, 0.67], 0.000_125), '0.6700002');
  assert.is(shownBeside(400, [null, 400], 1), '400');
  assert.is(shownBeside(1e-12, [null, 0], 0.1), '0.000000000001');
});

test('LANG-082 what is shown gives the verdict that was given, for 20,000 values close to their limits', () => {
  const random = seededRandom(82);
  for (let i = 0; i < 20_000; i++) {
    const scale = 10 ** (6 * random() - 3);
    const limit = Number((scale * (2 * random() - 1)).toPrecision(1 + Math.floor(6 * random())));
    const value = limit + scale * (random() - 0.5) * 10 ** (-12 * random());
    const resolution = random() < 0.5 ? undefined : 10 ** (4 * random() - 3);
    const shown = Number(shownBeside(value, [limit, null], resolution));
    const applied = Number(shownLimit(limit));
    for (const operator of ['<=', '<', '>=', '>'] as const)
      assert.is(
        compare(shown, operator, applied),
        compare(value, operator, limit),
        `${value} ${operator} ${limit}, shown ${shown} ${operator} ${applied}, resolution ${resolution}`,
      );
  }
});

test('LANG-082 limits lose the noise of a conversion and nothing that was written', () => {
  assert.is(shownLimit(0.1 * 3), '0.3');
  assert.is(shownLimit(400.000_000_1), '400.0000001');
  assert.is(shownLimit(Number.POSITIVE_INFINITY), '∞');
});

test('LANG-082 the resolution goes through the slope of the calibration', () => {
  const linear: Sensor = {
    id: 'ai01',
    unit: 'V',
    resolution: 125e-6,
    calibration: { kind: 'linear', id: 'c', unit: 'mbar', scale: -100, offset: 0, ...CONFIRMED },
  };
  const points = [
    [0, 0],
    [1, 10],
    [2, 1010],
  ] as const;
  const table: Sensor = {
    ...linear,
    calibration: { kind: 'table', id: 't', unit: 'mbar', points, ...CONFIRMED },
  };
  const near = (actual: number | undefined, expected: number) =>
    assert.ok(Math.abs((actual ?? 0) - expected) < 1e-12, `${actual} is not ${expected}`);
  near(resolutionIn(linear, 'mV'), 0.125);
  near(resolutionIn(linear, 'mbar'), 0.0125);
  near(resolutionIn(linear, 'kPa'), 0.00125);
  near(resolutionIn(table, 'mbar'), 0.00125);
  assert.is(resolutionIn(linear, 's'), undefined);
  assert.is(resolutionIn({ id: 'x', unit: 'V' }, 'V'), undefined);
  assert.is(new Registry().sensor('AI01')?.resolution, 125e-6);
});

test.run();
