import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { Amount } from './amount.ts';
import { type ArithmeticFunction, calculate } from './arithmetic.ts';

const test = suite('arithmetic of quantities');

const point = (value: number, unit: string): Amount => ({ value, unit, measure: 'point' });
const difference = (value: number, unit: string): Amount => ({ value, unit, measure: 'difference' });
const written = (value: number, unit?: string): Amount => ({ value, unit });

const CASES: [
  fn: ArithmeticFunction,
  amounts: Amount[],
  value: number,
  unit?: string | undefined,
  measure?: string,
][] = [
  ['SUB', [point(25, '°C'), point(293.15, 'K')], 5, '°C', 'difference'],
  ['SUB', [point(50, '°F'), point(0, '°C')], 18, '°F', 'difference'],
  ['SUB', [point(25, '°C'), difference(1.8, '°F')], 24, '°C', 'point'],
  ['SUB', [difference(5, '°C'), difference(3, 'K')], 2, '°C', 'difference'],
  ['SUB', [difference(5, '°C'), written(3, 'K')], 2, '°C', 'difference'],
  ['SUB', [written(25, '°C'), written(20, '°C')], 5, '°C', 'difference'],
  ['ADD', [point(20, '°C'), difference(10, 'K')], 30, '°C', 'point'],
  ['ADD', [point(20, '°C'), written(10, 'K')], 30, '°C', 'point'],
  ['ADD', [written(10, 'K'), point(20, '°C')], 303.15, 'K', 'point'],
  ['ADD', [written(20, '°C'), written(10, 'K')], 30, '°C', 'point'],
  ['SUM', [difference(1, '°C'), difference(1.8, '°F')], 2, '°C', 'difference'],
  ['AVG', [point(20, '°C'), point(303.15, 'K')], 25, '°C', 'point'],
  ['AVG', [difference(1, '°C'), difference(3, 'K')], 2, '°C', 'difference'],
  ['MAX', [difference(1, '°C'), written(3, 'K')], 3, '°C', 'difference'],
  ['MIN', [point(1, '°C'), written(273.15, 'K')], 0, '°C', 'point'],
  ['STDDEV', [point(1, '°C'), point(3, '°C')], Math.SQRT2, '°C', 'difference'],
  ['MUL', [difference(0.3, '°C'), written(2)], 0.6, '°C', 'difference'],
  ['MUL', [written(2), difference(0.3, '°C')], 0.6, '°C', 'difference'],
  ['DIV', [difference(6, '°C'), written(2)], 3, '°C', 'difference'],
  ['DIV', [difference(1, '°C'), difference(1.8, '°F')], 1, undefined, 'ratio'],
  ['DIV', [difference(3, '°C'), written(10, 's')], 0.3, '°C/s'],
  ['DIV', [point(600, 'K'), point(300, 'K')], 2, undefined, 'ratio'],
  ['MUL', [point(300, 'K'), written(2)], 600, 'K', 'point'],
  ['SUB', [point(1, 'bar'), point(100, 'mbar')], 0.9, 'bar', 'difference'],
  ['ADD', [point(1, 'bar'), point(1, 'bar')], 2, 'bar', 'point'],
  ['COUNT', [point(20, '°C'), difference(1, 'K')], 2, undefined, 'ratio'],
];

for (const [fn, amounts, value, unit, measure] of CASES)
  test(`LANG-070 ${fn} of ${amounts.map((one) => `${one.measure ?? 'written'} ${one.value} ${one.unit ?? ''}`.trim()).join(', ')}`, () => {
    const result = calculate(fn, amounts);
    assert.ok(Math.abs(result.value - value) < 1e-9, String(result.value));
    assert.equal([result.unit, result.measure], [unit, measure]);
  });

test('LANG-070 what has no meaning on a scale with an offset is refused', () => {
  const refused: [fn: ArithmeticFunction, amounts: Amount[]][] = [
    ['ADD', [point(20, '°C'), point(20, '°C')]],
    ['SUM', [point(20, '°C'), point(290, 'K')]],
    ['SUB', [difference(1, '°C'), point(20, '°C')]],
    ['AVG', [difference(1, '°C'), point(20, '°C')]],
    ['MAX', [difference(1, '°C'), point(20, '°C')]],
    ['DIV', [point(20, '°C'), point(10, '°C')]],
    ['DIV', [point(20, '°C'), difference(10, '°C')]],
    ['DIV', [point(20, '°C'), written(2)]],
    ['MUL', [point(20, '°C'), written(2)]],
    ['MUL', [written(2), point(68, '°F')]],
    ['MUL', [written(20, '°C'), written(2)]],
    ['SUB', [point(1, 'bar'), point(1, 's')]],
  ];
  for (const [fn, amounts] of refused)
    assert.throws(() => calculate(fn, amounts), undefined, `${fn} ${JSON.stringify(amounts)}`);
});

test.run();
