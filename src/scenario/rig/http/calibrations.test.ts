import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import type { Calibration } from '../../../rig/calibration/calibration.ts';
import { Registry } from '../../../rig/registry/registry.ts';
import { CONFIRMED } from '../../../test-kit/rig/calibration.ts';
import {
  codesOf,
  dryRun,
  eventsOf,
  goalOf,
  outcomesOf,
  runOn,
  withBridge,
} from '../../../test-kit/scenario/run-on.ts';
import { suite } from '../../../test-kit/suite.ts';
import type { InterpreterOptions } from '../../interpreter.ts';

const test = suite('calibrations of a run');

type Dates = Partial<Pick<Calibration, 'calibratedAt' | 'dueAt' | 'confirmedAt' | 'confirmedBy'>>;
const registryWith = (dates: Dates) =>
  new Registry({
    sensors: [
      {
        id: 'nc-sensor',
        unit: 'V',
        calibration: { kind: 'linear', id: 'cal-nc', unit: 'mbar', scale: 100, offset: -63.5, ...dates },
      },
    ],
  });
const { confirmedAt: _none, ...UNCONFIRMED } = CONFIRMED;
const EXPIRED = { ...CONFIRMED, dueAt: '2025-02-01' };

const PRESSURE = 'GOAL a:\n  SET valve-1 on\n  CHECK AI01 <= 5 mbar\n';
const VOLTS = 'GOAL a:\n  CHECK AI01 <= 5 V\n';

/** A run on a bridge whose preflight has to refuse it. @returns why */
async function refusal(options: InterpreterOptions, source = PRESSURE, health: object = {}): Promise<string> {
  let message = '';
  await withBridge(async (twin) => {
    Object.assign(twin.health, health);
    const result = await runOn(twin, source, options);
    assert.equal([result.outcome, codesOf(result)], ['error', ['SCN409']]);
    assert.equal(outcomesOf(result), ['a skipped']);
    assert.ok(
      twin.requests.every(({ method }) => method === 'GET'),
      'nothing was actuated, no lease taken',
    );
    message = result.diagnostics.find(({ code }) => code === 'SCN409')?.message ?? '';
  });
  return message;
}

test('an expired calibration that the scenario needs is refused with sensor, id, date and remedy', async () => {
  const message = await refusal({ registry: registryWith(EXPIRED) });
  for (const part of ['cal-nc', 'nc-sensor', 'was due on 2025-02-01', 'calibrate again'])
    assert.match(message, part);
});

test('an unconfirmed one, and one without a due date, are refused too', async () => {
  const message = await refusal({ registry: registryWith(UNCONFIRMED) });
  for (const part of [
    'cal-nc of nc-sensor',
    'due on 2099-12-31',
    'svcctl calibration confirm cal-nc --by NAME',
  ])
    assert.match(message, part);
  const { dueAt: _due, ...undated } = CONFIRMED;
  assert.match(await refusal({ registry: registryWith(undated) }), 'has no due date');
});

test('a clock before the calibration is refused with its own sentence', async () => {
  const clock = {
    now: () => 60_000,
    monotonic: () => systemClock.monotonic(),
    sleep: (ms: number, signal?: AbortSignal) => systemClock.sleep(ms, signal),
    after: (ms: number, callback: () => void) => systemClock.after(ms, callback),
  };
  const message = await refusal({ registry: registryWith(CONFIRMED), clock });
  assert.match(message, 'the clock of this machine shows 1970-01-01T00:01:00.000Z');
});

test('every way to ask for the calibrated unit counts, also inside a macro that is called; a mere definition does not', async () => {
  const registry = registryWith(EXPIRED);
  for (const body of [
    'GET AI01 mbar',
    'MIN AI01 1 mbar',
    "IF AI01 > 5 bar\n    ERROR 'x'",
    'ASSERT_SENSOR AI01 < 5 mbar',
    'IF_DELTA AI01 100ms +1 mbar',
    'CALL press',
  ]) {
    const source = `MACRO press:\n  CHECK AI01 <= 5 mbar\nGOAL a:\n  ${body}\n`;
    assert.match(await refusal({ registry }, source), 'was due on 2025-02-01', body);
  }
  await withBridge(async (twin) => {
    const source = `MACRO press:\n  CHECK AI01 <= 5 mbar\n${VOLTS}`;
    assert.is((await runOn(twin, source, { registry })).outcome, 'passed');
  });
});

test('volts need no calibration', () =>
  withBridge(async (twin) => {
    assert.is((await runOn(twin, VOLTS, { registry: registryWith(EXPIRED) })).outcome, 'passed');
  }));

test('a unit that is known only at run time is refused at the reading, and no value is reported', () =>
  withBridge(async (twin) => {
    const source = "GOAL a:\n  SET base 5 mbar\n  CALC limit = MAX 'base, base'\n  CHECK AI01 <= limit\n";
    const result = await runOn(twin, source, { registry: registryWith(EXPIRED) });
    assert.equal(outcomesOf(result), ['a error']);
    assert.equal(new Set(codesOf(result)), new Set(['SCN227']));
    assert.match(
      goalOf(result, 'a').message ?? '',
      'AI01 (nc-sensor): the calibration cal-nc was due on 2025-02-01',
    );
    const values = eventsOf(result, 'reading').filter(({ sensor }) => sensor === 'AI01');
    assert.equal([values.map(({ unit }) => unit), eventsOf(result, 'check')], [['V'], []]);
  }));

test('a dry-run warns of it and goes on', async () => {
  const result = await dryRun(PRESSURE, { registry: registryWith(EXPIRED) });
  assert.is(result.outcome, 'passed');
  const [warning, ...more] = result.diagnostics;
  assert.equal([warning?.code, warning?.severity, more.length], ['SCN227', 'warning', 0]);
  assert.match(warning?.message ?? '', 'the calibration cal-nc of nc-sensor was due on 2025-02-01');
  assert.equal((await dryRun(PRESSURE, { registry: registryWith(CONFIRMED) })).diagnostics, []);
  assert.equal((await dryRun(VOLTS, { registry: registryWith(EXPIRED) })).diagnostics, []);
});

test('SVC-024 an execute run is refused while the source of the voltages is not the confirmed one', async () => {
  const registry = registryWith(CONFIRMED);
  const flag = { calibration_confirmation_required: true };
  for (const health of [flag, { components: { 'sensor-adc': { status: 'ok', ...flag } } }])
    assert.match(await refusal({ registry }, VOLTS, health), 'svcctl adc-confirm');
  await withBridge(async (twin) => {
    Object.assign(twin.health, flag);
    const source = 'GOAL a:\n  SET valve-1 on\n';
    assert.is((await runOn(twin, source)).outcome, 'passed', 'a scenario without sensors does not mind');
  });
});

test('SVC-024 a reading that says that its source is not confirmed is not a reading', () =>
  withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = { value: 0.635, calibration_confirmed: false };
    const result = await runOn(twin, VOLTS);
    assert.equal([outcomesOf(result), codesOf(result)], [['a error'], ['SCN227']]);
    twin.sensors['nc-sensor'] = { value: 0.635, calibration_confirmed: true };
    assert.is((await runOn(twin, VOLTS)).outcome, 'passed');
  }));

test('LANG-043 readings, checks, bounds and samples name the calibration that made their values; volts name none', () =>
  withBridge(async (twin) => {
    const source = `GOAL a:
  MAX AI01 5 mbar
  GET AI01 V
  GET AI01 mbar
  CHECK AI01 <= 5 mbar
  CHECK AI01 <= 5 V
  SAMPLE AI01 START 50ms
  WAIT 120ms
  CHECK ΔAI01 <= 5 mbar
  SAMPLE AI01 STOP
  IF_DELTA AI01 100ms 0 mbar
    ERROR 'never'
`;
    const result = await runOn(twin, source, { registry: registryWith(CONFIRMED) });
    const named = <T extends { unit: string | null; calibration?: string }>(all: T[]) =>
      new Set(
        all.filter(({ unit }) => unit !== null).map(({ unit, calibration }) => `${unit} ${calibration}`),
      );
    const both = new Set(['mbar cal-nc', 'V undefined']);
    assert.equal(named(eventsOf(result, 'reading')), both);
    assert.equal(named(eventsOf(result, 'check')), both);
    const samples = eventsOf(result, 'sample').filter(
      ({ action }) => action === 'point' || action === 'stop',
    );
    assert.equal(named(samples), new Set(['mbar cal-nc']));
    assert.equal(named([...result.samples]), new Set(['mbar cal-nc']));
  }));

test.run();
