import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { type Capability, capabilityOf } from './capability.ts';
import { controlLimitsOf } from './control-limits.ts';
import { driftOf } from './drift.ts';
import { histogramOf } from './histogram.ts';
import { momentsOf } from './moments.ts';
import { withinSigmaOf } from './moving-range.ts';
import { studentT95 } from './student-t.ts';
import { brokenRules } from './western-electric.ts';

const test = suite('statistics of measured values');

/** Digits that agree with a certified value: -log10 of the relative error (NIST's LRE), 15 at most. */
const digits = (found: number, certified: number): number =>
  found === certified ? 15 : Math.min(15, -Math.log10(Math.abs(found - certified) / Math.abs(certified)));

/** NIST StRD, NumAcc: a first value, then two values in turns around it. */
const numAcc = (first: number, below: number, above: number): number[] => [
  first,
  ...Array.from({ length: 1000 }, (_, n) => (n % 2 === 0 ? below : above)),
];

/** NIST StRD, Michelso: speed of light in air, 100 observations, Mm/s. */
const MICHELSO =
  `299.85 299.74 299.90 300.07 299.93 299.85 299.95 299.98 299.98 299.88 300.00 299.98 299.93 299.65
299.76 299.81 300.00 300.00 299.96 299.96 299.96 299.94 299.96 299.94 299.88 299.80 299.85 299.88 299.90 299.84 299.83
299.79 299.81 299.88 299.88 299.83 299.80 299.79 299.76 299.80 299.88 299.88 299.88 299.86 299.72 299.72 299.62 299.86
299.97 299.95 299.88 299.91 299.85 299.87 299.84 299.84 299.85 299.84 299.84 299.84 299.89 299.81 299.81 299.82 299.80
299.77 299.76 299.74 299.75 299.76 299.91 299.92 299.89 299.86 299.88 299.72 299.84 299.85 299.85 299.78 299.89 299.84
299.78 299.81 299.76 299.81 299.79 299.81 299.82 299.85 299.87 299.87 299.81 299.74 299.81 299.94 299.95 299.80 299.81
299.87`
    .split(/\s+/)
    .map(Number);

/** NIST/SEMATECH e-Handbook 6.3.2.2, flow rates: the example of a chart of individual values. */
const FLOW_RATES = [49.6, 47.6, 49.9, 51.3, 47.8, 51.2, 52.6, 52.4, 53.6, 52.1];

// The deviation of NumAcc3 and NumAcc4 is known to as many digits as the doubles of the data leave: 9.4 and 8.2.
for (const { name, values, mean, deviation, meanDigits, deviationDigits } of [
  {
    name: 'NumAcc3',
    values: numAcc(1_000_000.2, 1_000_000.1, 1_000_000.3),
    mean: 1_000_000.2,
    deviation: 0.1,
    meanDigits: 15,
    deviationDigits: 9.4,
  },
  {
    name: 'NumAcc4',
    values: numAcc(10_000_000.2, 10_000_000.1, 10_000_000.3),
    mean: 10_000_000.2,
    deviation: 0.1,
    meanDigits: 15,
    deviationDigits: 8.2,
  },
  {
    name: 'Michelso',
    values: MICHELSO,
    mean: 299.8524,
    deviation: 0.0790105478190518,
    meanDigits: 15,
    deviationDigits: 13.8,
  },
])
  test(`REC-006 NIST StRD ${name}: mean and standard deviation have the certified digits`, () => {
    const moments = momentsOf(values);
    assert.ok(digits(moments?.mean ?? 0, mean) >= meanDigits, String(moments?.mean));
    const found = moments?.standardDeviation ?? 0;
    assert.ok(digits(found, deviation) >= deviationDigits, `${found}: ${digits(found, deviation)} digits`);
    assert.is(moments?.count, values.length);
  });

test('the standard deviation agrees with exact arithmetic on the doubles, whatever their offset', () => {
  for (const offset of [0, 1e3, 1e7, 1e12, -1e9]) {
    const values = MICHELSO.map((value) => value + offset);
    assert.ok(
      digits(momentsOf(values)?.standardDeviation ?? 0, exactDeviation(values)) >= 14,
      String(offset),
    );
  }
});

/** By whole numbers: a double is a whole number times 2^-52 where it is below 2^52 and not tiny. */
function exactDeviation(values: readonly number[]): number {
  const SHIFT = 2 ** 52;
  const whole = values.map(
    (value) => BigInt(Math.trunc(value)) * BigInt(SHIFT) + BigInt((value % 1) * SHIFT),
  );
  const n = BigInt(values.length);
  const sum = whole.reduce((total, one) => total + one, 0n);
  const squares = whole.reduce((total, one) => total + (n * one - sum) ** 2n, 0n);
  // Variance times 2^104, with 40 more bits for the division.
  const variance = (squares << 40n) / (n ** 2n * (n - 1n));
  return Math.sqrt(Number(variance)) / SHIFT / 2 ** 20;
}

test('REC-006 one value has a mean and no deviation; no value has neither', () => {
  assert.equal(momentsOf([3]), { count: 1, mean: 3, standardDeviation: null, min: 3, max: 3 });
  assert.is(momentsOf([]), undefined);
});

test('NIST e-Handbook, flow rates: control limits of individual values from the mean moving range', () => {
  const within = withinSigmaOf(FLOW_RATES);
  assert.is((momentsOf(FLOW_RATES)?.mean ?? 0).toFixed(2), '50.81');
  assert.is((50.81 + 3 * (within?.sigma ?? 0)).toFixed(4), '55.8041');
  assert.is(controlLimitsOf(FLOW_RATES), undefined, '20 values are needed');
  assert.is(controlLimitsOf(MICHELSO.slice(0, 20))?.based_on, 20);
  assert.is(
    controlLimitsOf(new Array(20).fill(1)),
    undefined,
    'without a spread every later value were a signal',
  );
});

const capability = (values: readonly number[], low: number | null, high: number | null) => {
  const moments = momentsOf(values);
  if (!moments) throw new Error('there are no values');
  return capabilityOf(moments, withinSigmaOf(values), { low, high });
};

test('REC-006 capability of both limits: Cp and Cpk by the moving range, Pp and Ppk by the deviation', () => {
  const found = capability(FLOW_RATES, 40, 60) as Capability;
  const sigma = 16.9 / 9 / 1.128;
  assert.is(found.cp?.toFixed(9), (20 / (6 * sigma)).toFixed(9));
  assert.is(found.cpk.value.toFixed(9), ((60 - 50.81) / (3 * sigma)).toFixed(9));
  const deviation = momentsOf(FLOW_RATES)?.standardDeviation ?? 0;
  assert.is(found.pp?.toFixed(9), (20 / (6 * deviation)).toFixed(9));
  assert.is(found.ppk.value.toFixed(9), ((60 - 50.81) / (3 * deviation)).toFixed(9));
  const { value, low95, high95 } = found.ppk;
  const margin = 1.959964 * Math.sqrt(1 / 90 + value ** 2 / 18);
  assert.is((value - low95).toFixed(6), margin.toFixed(6));
  assert.is((high95 - value).toFixed(6), margin.toFixed(6));
  assert.equal([found.sides, found.caution], ['both', true]);
  assert.is((capability(MICHELSO, 299, 301) as Capability).caution, false);
});

test('REC-006 one limit gives the index of its side and no Cp', () => {
  const [low, high] = [capability(FLOW_RATES, 40, null), capability(FLOW_RATES, null, 60)] as Capability[];
  assert.equal([low?.sides, low?.cp, low?.pp], ['low', null, null]);
  assert.equal([high?.sides, high?.cp, high?.pp], ['high', null, null]);
  assert.ok((low?.cpk.value ?? 0) > (high?.cpk.value ?? 0), 'the mean is further from 40 than from 60');
});

test('REC-006 without limits, below two values, or without a spread there is no index but a reason', () => {
  assert.is(capability(FLOW_RATES, null, null), 'no_limits');
  assert.is(capability([50], 40, 60), 'too_few_values');
  assert.is(capability([50, 50, 50], 40, 60), 'no_spread');
  assert.type(capability([50, 51], 40, 60), 'object');
});

for (const [rule, values] of [
  [1, [0, 0, 3.1, 0, -2.9]],
  [2, [2.1, 0, 2.1, -2.1, 2.1, -2.1]],
  [3, [1.1, 1.1, 0, 1.1, 1.1, -1.1]],
  [4, [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, -0.1]],
] as const)
  test(`REC-006 Western Electric rule ${rule} is marked where its pattern ends, and nowhere else`, () => {
    const expected = { 1: [2], 2: [2, 4, 5], 3: [4], 4: [7] }[rule];
    const marked = brokenRules(values, { mean: 0, sigma: 1 });
    assert.equal(
      marked.flatMap((rules, at) => (rules.includes(rule) ? [at] : [])),
      expected,
    );
    const shifted = values.map((value) => 100 - 5 * value);
    assert.equal(brokenRules(shifted, { mean: 100, sigma: 5 }), marked, 'the same on the other side');
  });

test('rule 4 needs eight in a row: seven are none, and a point on the mean ends the row', () => {
  const rules = (values: number[]) => brokenRules(values, { mean: 0, sigma: 1 }).flat();
  assert.equal(rules(new Array(7).fill(0.1)), []);
  assert.equal(rules([...new Array(7).fill(0.1), 0, ...new Array(7).fill(0.1)]), []);
});

test("Student's t has the values of the tables", () => {
  for (const [degreesOfFreedom, expected] of [
    [1, 12.7062047362],
    [2, 4.3026527297],
    [5, 2.5705818366],
    [10, 2.2281388519],
    [30, 2.042272456],
    [100, 1.983971519],
    [1000, 1.962339081],
    [100_000, 1.959987708],
  ] as const)
    assert.ok(digits(studentT95(degreesOfFreedom), expected) >= 8, String(degreesOfFreedom));
});

test('REC-006 drift is the slope per day with its 95 % interval', () => {
  const day = 86_400_000;
  const start = Date.UTC(2025, 0, 1);
  // Draper and Smith's form by hand: x 0 1 2 3 4, y 1 2 1.3 3.75 2.25, slope 0.425, standard error 0.305.
  const drift = driftOf(
    [0, 1, 2, 3, 4].map((n) => start + n * day),
    [1, 2, 1.3, 3.75, 2.25],
  );
  assert.is(drift?.per_day.toFixed(6), '0.425000');
  assert.is(((drift?.high95 ?? 0) - 0.425).toFixed(3), (3.1824463 * 0.305).toFixed(3));
  assert.is(drift?.significant, false);
  const steady = driftOf(
    [0, 1, 2, 3].map((n) => start + n * day),
    [1, 2.01, 2.99, 4],
  );
  assert.is(steady?.significant, true);
  assert.is(driftOf([start, start + day], [1, 2]), undefined);
  assert.is(driftOf([start, start, start], [1, 2, 3]), undefined);
});

test('a histogram has every value in one bin', () => {
  const bins = histogramOf(MICHELSO);
  assert.is(
    bins.reduce((sum, { count }) => sum + count, 0),
    100,
  );
  assert.equal([bins[0]?.low, bins.at(-1)?.high], [299.62, 300.07]);
  for (const { low, high, count } of bins.slice(0, -1))
    assert.is(MICHELSO.filter((value) => value >= low && value < high).length, count);
  assert.equal(histogramOf([2, 2]), [{ low: 2, high: 2, count: 2 }]);
  assert.equal(histogramOf([]), []);
});

test.run();
