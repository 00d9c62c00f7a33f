import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { comparedRows } from './compared-rows.ts';

const test = suite('measurements of two runs');

const row = (key: string, value: number | null, more: object = {}) => ({
  ...{ key, block: 'Leak', check: 'CHECK AI01', sensor: 'AI01', unit: 'mbar', low: 1, high: 2 },
  ...{ value, outcome: 'passed' as const, ...more },
});

test('PAGE-001 two runs are compared by the keys of their measurements, whatever their order', () => {
  const rows = comparedRows([row('a', 1), row('b', 2)], [row('b', 2.5), row('a', 1), row('c', 3)]);
  assert.equal(
    rows.map(({ one, other, difference }) => [one?.value, other?.value, difference]),
    [
      [1, 1, 0],
      [2, 2.5, 0.5],
      [undefined, 3, null],
    ],
  );
});

test('PAGE-001 other limits and other units are told, and values of two units have no difference', () => {
  const [limits, units, same, missing] = comparedRows(
    [row('a', 1), row('b', 1), row('c', 1), row('d', null)],
    [row('a', 1, { high: 3 }), row('b', 1, { unit: 'V' }), row('c', 1), row('d', 1)],
  );
  assert.equal([limits?.hasOtherLimits, limits?.difference], [true, 0]);
  assert.equal([units?.hasOtherLimits, units?.difference], [true, null]);
  assert.is(same?.hasOtherLimits, false);
  assert.is(missing?.difference, null, 'nothing measured is no zero');
});

test('PAGE-001 a measurement of every round of a loop stands beside the same round of the other run', () => {
  const rows = comparedRows([row('a', 1), row('a', 2)], [row('a', 5)]);
  assert.equal(
    rows.map(({ one, other }) => [one?.value, other?.value]),
    [
      [1, 5],
      [2, undefined],
    ],
  );
});

test.run();
