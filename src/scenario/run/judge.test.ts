import * as assert from 'uvu/assert';
import { VirtualClock } from '../../lib/clock/virtual-clock.ts';
import { Registry } from '../../rig/registry/registry.ts';
import { codesOf, eventsOf, outcomesOf } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import { loadScenario } from '../load.ts';
import type { RawReading, Rig } from '../rig/rig.ts';
import { Execution } from './execution.ts';
import type { RunOptions } from './options.ts';
import type { Result } from './result.ts';
import { StopSwitch } from './stop-switch.ts';

const test = suite('the judge');

const GOOD: RawReading = {
  value: 1,
  unit: 'V',
  at: '2025-01-01T00:00:00.000Z',
  ageMs: 0,
  source: 'adc',
  simulated: false,
  bench: false,
};

/** A rig that gives whatever reading it is told to, on the same way as any other rig. */
const rigGiving = (reading: RawReading): Rig => ({
  marks: { simulated: false, bench: false },
  leased: true,
  preflight: async () => {},
  acquire: async () => {},
  read: async () => reading,
  elapsed: () => ({ value: 0, unit: 'ms', source: 'timer', simulated: false }),
  calibrationFault: () => null,
  unreachable: () => undefined,
  apply: async () => {},
  valveState: async () => false,
  identify: async () => ({ devices: [], buses: [] }),
  call: async () => ({ status: 200, body: {} }),
  confirmLease: async () => true,
  safeState: async () => ({ ok: true, steps: [] }),
  release: async () => {},
});

function judge(reading: Partial<RawReading>, line: string, options: RunOptions = {}): Promise<Result> {
  const registry = new Registry();
  const clock = new VirtualClock(0);
  return new Execution({
    ...{
      options,
      mode: 'execute',
      registry,
      filename: 'test.oql',
      stop: new StopSwitch(undefined, undefined),
    },
    loaded: loadScenario(`GOAL a:\n  ${line}\n`, 'test.oql', { registry }),
    stage: { clock, rig: () => rigGiving({ ...GOOD, ...reading }) },
  }).run();
}

test('LANG-035 a reading that is not a number, too old or simulated is not a value, whatever rig gives it', async () => {
  const cases: [reading: Partial<RawReading>, code: string][] = [
    [{ value: Number.NaN }, 'SCN402'],
    [{ value: Number.POSITIVE_INFINITY }, 'SCN402'],
    [{ ageMs: 1001 }, 'SCN403'],
    [{ simulated: true }, 'SCN404'],
  ];
  for (const [reading, code] of cases)
    for (const line of ['GET AI01', 'CHECK AI01 < 5 V', 'ASSERT_SENSOR AI01 < 5 V', 'SAVE AI01']) {
      const result = await judge(reading, line);
      assert.equal(
        [outcomesOf(result), codesOf(result)],
        [['a error'], [code]],
        `${line}: ${JSON.stringify(reading)}`,
      );
      assert.is(eventsOf(result, 'check').length, 0);
    }
  assert.is((await judge({ simulated: true }, 'CHECK AI01 < 5 V', { simulated: true })).outcome, 'passed');
  assert.is((await judge({ ageMs: 1001 }, 'CHECK AI01 < 5 V', { maxAgeMs: 1001 })).outcome, 'passed');
});

test('LANG-035 a reading is judged as it is given: nothing puts another one in its place', async () => {
  for (const [value, outcome] of [
    [1, 'passed'],
    [6, 'failed'],
    [-1, 'failed'],
  ] as const)
    for (const line of [
      'CHECK 0 <= AI01 <= 5 V',
      'RANGE AI01 0 .. 5 V\n  GET AI01',
      'GET AI01\n  SAVE p\n  CHECK 0 <= p <= 5 V',
    ]) {
      const result = await judge({ value }, line);
      assert.equal([result.outcome, result.simulated], [outcome, false], `${line}: ${value}`);
      assert.equal(
        eventsOf(result, 'check').map(({ actual }) => actual),
        [value],
      );
      assert.equal([...new Set(eventsOf(result, 'reading').map((one) => one.value))], [value]);
    }
});

test('a rig that gives readings on every scale has no raw value behind them', async () => {
  const scaled = { value: 1, recompute: (unit: string) => (unit === 'mbar' ? 7 : 1) };
  const result = await judge(
    scaled,
    'GET AI01\n  MAX AI01 8 mbar\n  SAVE p\n  CHECK p = 7 mbar\n  CHECK p = 1 V',
  );
  assert.is(result.outcome, 'passed', JSON.stringify(result.diagnostics));
  const [reading] = eventsOf(result, 'reading');
  assert.equal([reading?.value, reading?.raw, reading?.rawUnit], [7, null, null]);
});

test.run();
