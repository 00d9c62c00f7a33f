import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import type { Calibration } from '../../rig/calibration/calibration.ts';
import { suite } from '../../test-kit/suite.ts';
import { evaluate, type MeasuredPoint, type Pass, type Requirements } from './evaluate.ts';
import { fitLine } from './fit.ts';
import { readingsOf, type TimedVolts, unsettled } from './readings.ts';

const test = suite('calibration against a reference standard');

const REQUIREMENTS: Requirements = { limit: 1, low: 0, high: 100, standardUncertainty: 0.05 };
const OLD: Calibration = { kind: 'linear', id: 'old', unit: 'mbar', scale: 100, offset: -63.5 };
const NOMINALS = [0, 25, 50, 75, 100];

/** Points of a sensor that gives `volts` at a pressure. */
function measured(
  volts: (mbar: number, pass: Pass) => number,
  nominals: readonly number[] = NOMINALS,
): MeasuredPoint[] {
  const point = (pass: Pass) => (nominal: number) => ({
    pass,
    nominal,
    reference: nominal,
    readings: { count: 20, mean: volts(nominal, pass), deviation: 0.0002 },
  });
  return [
    ...nominals.map(point('up')),
    ...nominals.slice(0, -1).reverse().map(point('down')),
    ...[37.5, 62.5].map(point('check')),
  ];
}
const line = (mbar: number) => (mbar + 63.5) / 100;

test('DIAG-047 the line through exact points is found, and an old one that is off is shown as found', () => {
  const wrong = (mbar: number) => 1.03 * line(mbar) + 0.01;
  const { fit, refusals, worstAsFound, worstCheck, hysteresis } = evaluate(
    measured(wrong),
    REQUIREMENTS,
    OLD,
  );
  assert.is(fit.kind, 'linear');
  if (fit.kind === 'linear') assert.ok(Math.abs(fit.scale - 100 / 1.03) < 1e-9, `${fit.scale}`);
  assert.equal(refusals, []);
  assert.ok(Math.abs((worstAsFound ?? 0) - (0.03 * 163.5 + 1)) < 1e-9, `${worstAsFound}`);
  assert.ok(worstCheck < 1e-9 && hysteresis < 1e-9);
});

test('DIAG-047 two passes that differ show as hysteresis, and above the limit the result is refused', () => {
  const sticky = (mbar: number, pass: Pass) => line(mbar) + (pass === 'down' && mbar > 0 ? 0.02 : 0);
  const { hysteresis, refusals } = evaluate(measured(sticky), REQUIREMENTS, OLD);
  assert.ok(hysteresis > 1.9 && hysteresis < 2.1, `${hysteresis}`);
  assert.match(refusals.join(), /hysteresis is 1\.9|hysteresis is 2\.0/);
});

test('DIAG-047 a curve above a third of the limit becomes a table, and so does a smaller one with a pattern', () => {
  const bent = (height: number) => (mbar: number) => line(mbar) + height * (1 - ((mbar - 50) / 50) ** 2);
  const strong = evaluate(
    measured(bent(0.02), [0, 12.5, 25, 37.5, 50, 62.5, 75, 87.5, 100]),
    REQUIREMENTS,
    OLD,
  );
  assert.is(strong.fit.kind, 'table');
  assert.match(strong.tableReason ?? '', 'more than a third of the permissible 1');
  assert.equal(strong.refusals, []);
  const weak = evaluate(measured(bent(0.003)), REQUIREMENTS, OLD);
  assert.is(weak.fit.kind, 'table');
  assert.match(weak.tableReason ?? '', 'are curved');
});

test('DIAG-047 noise below the limit is no pattern: a line', () => {
  const random = seededRandom(7);
  for (let round = 0; round < 200; round++) {
    const noisy = (mbar: number) => line(mbar) + (random() - 0.5) * 0.0006;
    assert.is(evaluate(measured(noisy), REQUIREMENTS, OLD).fit.kind, 'linear');
  }
});

test('DIAG-047 check points are not part of the fit, and one that is off refuses the result', () => {
  const off = (mbar: number, pass: Pass) => line(mbar) + (pass === 'check' ? 0.015 : 0);
  const { fit, refusals } = evaluate(measured(off), REQUIREMENTS, OLD);
  if (fit.kind === 'linear') assert.ok(Math.abs(fit.scale - 100) < 1e-9);
  assert.match(refusals.join(), 'a check point is off by 1.5');
});

test('DIAG-047 a sensor without pressure, one that turns back, a reference that did not move: refused', () => {
  const refusal = (points: MeasuredPoint[], more: Partial<Requirements> = {}) =>
    evaluate(points, { ...REQUIREMENTS, ...more }, undefined).refusals.join();
  assert.match(refusal(measured(() => 0.635)), 'moved by 0.0000 V only');
  assert.match(refusal(measured((mbar) => line(Math.abs(mbar - 50)))), 'in one direction');
  const half = measured(line).map((point) => ({ ...point, reference: point.reference / 2 }));
  assert.match(refusal(half), 'not over the range 0 .. 100');
  assert.match(refusal(measured(line), { standardUncertainty: 2 }), 'uncertainty of the standard, 2');
  assert.throws(() => evaluate(measured(line, [50]), REQUIREMENTS, undefined), /two nominal points/);
});

test('DIAG-047 a falling sensor is calibrated too, and the uncertainty holds that of the standard', () => {
  const { fit, refusals, uncertainty } = evaluate(
    measured((mbar) => 2 - mbar / 100),
    REQUIREMENTS,
    undefined,
  );
  assert.equal([fit.kind === 'linear' && Math.round(fit.scale), refusals], [-100, []]);
  assert.ok(uncertainty >= 0.05 && uncertainty < 0.06, `${uncertainty}`);
});

test('the mean and the sample standard deviation are those of NIST Michelso-like data far from zero', () => {
  const values = Array.from(
    { length: 1001 },
    (_, index) => 1000.2 + (index % 2 === 1 ? -0.1 : index === 0 ? 0 : 0.1),
  );
  const { mean, deviation } = readingsOf(values);
  assert.ok(Math.abs(mean - 1000.2) < 1e-9 && Math.abs(deviation - 0.1) < 1e-9, `${mean} ${deviation}`);
  assert.equal(
    fitLine([
      { volts: 0, reference: 1 },
      { volts: 2, reference: 5 },
    ]),
    { scale: 2, offset: 1 },
  );
});

test('DIAG-047 settled by slope and scatter, each with its own reason', () => {
  const series = (volts: (index: number) => number): TimedVolts[] =>
    Array.from({ length: 12 }, (_, index) => ({ volts: volts(index), atMs: 100 * index }));
  assert.is(unsettled(series(() => 1)), undefined);
  assert.match(unsettled(series((index) => 1 + index * 0.001)) ?? '', 'drifts by 0.0070 V in 0.7 s');
  assert.match(
    unsettled(series((index) => 1 + (index % 4 === 0 || index % 4 === 3 ? 0.02 : 0))) ?? '',
    'scatter by',
  );
  assert.match(unsettled(series(() => 1).slice(0, 3)) ?? '', 'only 3 of 8');
});

test.run();
