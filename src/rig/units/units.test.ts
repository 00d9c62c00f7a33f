import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { convert, convertDifference } from './units.ts';

const test = suite('temperature scales');

/** The same temperature on the three scales. */
const POINTS: [celsius: number, kelvin: number, fahrenheit: number][] = [
  [-273.15, 0, -459.67],
  [-40, 233.15, -40],
  [0, 273.15, 32],
  [37, 310.15, 98.6],
  [100, 373.15, 212],
];
const close = (actual: number | undefined, expected: number) =>
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-9, `${actual}, expected ${expected}`);

for (const [celsius, kelvin, fahrenheit] of POINTS)
  test(`LANG-070 ${celsius} °C are ${kelvin} K and ${fahrenheit} °F, in every direction`, () => {
    const scales = [
      ['°C', celsius],
      ['K', kelvin],
      ['°F', fahrenheit],
    ] as const;
    for (const [from, value] of scales)
      for (const [to, expected] of scales) close(convert(value, from, to), expected);
  });

test('LANG-070 a difference of 5 °C is one of 5 K and of 9 °F, in every direction', () => {
  const scales = [
    ['°C', 5],
    ['K', 5],
    ['°F', 9],
  ] as const;
  for (const [from, value] of scales)
    for (const [to, expected] of scales) close(convertDifference(value, from, to), expected);
  close(convertDifference(1, 'bar', 'mbar'), 1000);
  assert.is(convertDifference(1, 'bar', 'K'), undefined);
});

test.run();
