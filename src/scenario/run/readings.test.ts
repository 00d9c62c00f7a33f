import * as assert from 'uvu/assert';
import { Registry } from '../../rig/registry/registry.ts';
import { CONFIRMED } from '../../test-kit/rig/calibration.ts';
import {
  codesOf,
  dryRun,
  eventsOf,
  goalOf,
  outcomesOf,
  runOn,
  withBridge,
} from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('readings');

const calibrated = new Registry({
  sensors: [
    {
      id: 'nc-sensor',
      unit: 'V',
      calibration: { kind: 'linear', id: 'cal-nc', unit: 'mbar', scale: 100, offset: -63.5, ...CONFIRMED },
    },
    {
      id: 'sc-sensor',
      unit: 'V',
      calibration: {
        kind: 'table',
        id: 'cal-sc',
        ...CONFIRMED,
        unit: 'bar',
        points: [
          [0.5, 0],
          [1, 10],
        ],
      },
    },
  ],
});

const CHECK = 'GOAL a:\n  CHECK AI01 <= 5 V\nGOAL b:\n  CHECK AI02 <= 5 V\n';

test('LANG-035 dead, null, text, infinite, stale, foreign and simulated readings are errors, never a value', async () => {
  const cases: [name: string, answer: object, code: string][] = [
    ['null', { value: null }, 'SCN402'],
    ['text', { value: '0.635' }, 'SCN402'],
    ['missing', { value: undefined }, 'SCN402'],
    ['ok false', { value: 0.635, ok: false, error: 'no answer from the ADC' }, 'SCN402'],
    ['stale', { value: 0.635, age_ms: 1001 }, 'SCN403'],
    ['negative age', { value: 0.635, age_ms: -1 }, 'SCN402'],
    ['simulated', { value: 0.635, simulated: true }, 'SCN404'],
    ['mock', { value: 0.635, mock_mode: true }, 'SCN404'],
    ['other sensor', { value: 0.635, sensor_id: 'ai02' }, 'SCN402'],
  ];
  for (const [name, answer, code] of cases)
    await withBridge(async (twin) => {
      twin.sensors['nc-sensor'] = answer as never;
      const result = await runOn(twin, CHECK);
      assert.equal(outcomesOf(result), ['a error', 'b passed'], name);
      assert.is(result.outcome, 'error', name);
      assert.ok(codesOf(result).includes(code), `${name}: ${codesOf(result)}`);
      assert.is(eventsOf(result, 'check').length, 1, name);
    });
});

test('LANG-035 infinite numbers and refusals of the sensor route are errors', async () => {
  const answers: [status: number, body: unknown][] = [
    [200, '{"sensor_id":"nc-sensor","value":1e999,"unit":"V","ok":true}'],
    [200, '{"value":NaN}'],
    [503, { ok: false, code: 'device_unavailable', error: 'no ADC' }],
    [504, { ok: false, code: 'device_timeout', error: 'late' }],
    [500, 'internal'],
  ];
  for (const [status, body] of answers)
    await withBridge(async (twin) => {
      twin.fail('GET', /nc-sensor/, { kind: 'answer', status, body });
      const result = await runOn(twin, CHECK);
      assert.equal(outcomesOf(result), ['a error', 'b passed'], String(status));
      assert.ok(codesOf(result).includes('SCN402'), String(status));
    });
});

test('LANG-035 a dead sensor is asked twice, then it is an error', () =>
  withBridge(async (twin) => {
    twin.fail('GET', /nc-sensor/, { kind: 'drop' });
    const result = await runOn(twin, CHECK);
    assert.equal(outcomesOf(result), ['a error', 'b passed']);
    assert.is(twin.count('GET', /nc-sensor/), 2);
  }));

test('LANG-035 the greatest age can be set; without an age the request counts', () =>
  withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = { value: 0.635, age_ms: 2500 };
    assert.is((await runOn(twin, CHECK, { maxAgeMs: 3000 })).outcome, 'passed');
    twin.sensors['nc-sensor'] = { value: 0.635, age_ms: undefined };
    const result = await runOn(twin, CHECK);
    const [reading] = eventsOf(result, 'reading');
    assert.ok(reading!.ageMs >= 0 && reading!.ageMs <= result.durationMs, `${reading!.ageMs}`);
  }));

test('LANG-036 two GETs are two requests', () =>
  withBridge(async (twin) => {
    let volts = 0.6;
    twin.sensors['nc-sensor'] = () => (volts += 0.1);
    const result = await runOn(
      twin,
      'GOAL a:\n  GET AI01\n  SAVE one\n  GET AI01\n  SAVE two\n  CHECK one != two\n',
    );
    assert.is(result.outcome, 'passed');
    assert.is(twin.count('GET', /nc-sensor/), 2);
    assert.equal(
      eventsOf(result, 'reading')
        .filter(({ source }) => source === 'sensor-adc')
        .map(({ value }) => value.toFixed(1)),
      ['0.7', '0.8'],
    );
  }));

test('LANG-037 SAVE keeps value and unit of the last reading', () =>
  withBridge(async (twin) => {
    const source = 'GOAL a:\n  VAL AI01 mbar\n  SAVE p0\n  CHECK p0 = 0 Pa\n';
    const result = await runOn(twin, source, { registry: calibrated });
    assert.is(result.outcome, 'passed');
    assert.equal(result.variables.p0, { value: 0, unit: 'mbar' });
    const [reading] = eventsOf(result, 'reading');
    assert.equal(
      [reading?.value, reading?.unit, reading?.raw, reading?.rawUnit, reading?.calibration],
      [0, 'mbar', 0.635, 'V', 'cal-nc'],
    );
  }));

test('LANG-038 bounds before and after the reading judge it, also the readings of checks', async () => {
  for (const source of [
    'GOAL a:\n  MIN AI01 0.7 V\n  GET AI01\n',
    'GOAL a:\n  GET AI01\n  MIN AI01 0.7 V\n',
    'GOAL a:\n  MIN AI01 0.7 V\n  CHECK AI01 <= 5 V\n',
    "GOAL a:\n  MIN AI01 0.7 V\n  IF AI01 > 0.5 V\n    LOG 'x'\n  ENDIF\n",
  ])
    await withBridge(async (twin) => {
      const result = await runOn(twin, source);
      assert.is(result.outcome, 'failed', source);
      const bound = eventsOf(result, 'check').find(({ kind }) => kind === 'MIN');
      assert.equal([bound?.outcome, bound?.low, bound?.actual], ['failed', 0.7, 0.635], source);
    });
});

test('LANG-039 a bound that never met a reading makes the goal an error', () =>
  withBridge(async (twin) => {
    const result = await runOn(
      twin,
      'GOAL a:\n  CHECK AI02 <= 5 V\n  MAX AI01 5 V\nGOAL b:\n  CHECK AI02 <= 5 V\n',
    );
    assert.equal(outcomesOf(result), ['a error', 'b passed']);
    assert.ok(codesOf(result).includes('SCN410'));
  }));

test('LANG-039 a bound in a goal that jumps away is not forgotten', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, "GOAL a:\n  MAX AI01 5 V\n  GOTO 'b'\nGOAL b:\n  CHECK AI02 <= 5 V\n");
    assert.equal(outcomesOf(result), ['a error', 'b passed']);
  }));

test('LANG-042 0.5 bar lies in 400..600 mbar; bounds are inclusive with a tolerance', () =>
  withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = { value: 0.5, unit: 'bar' };
    const bar = new Registry({ sensors: [{ id: 'nc-sensor', unit: 'bar' }] });
    const source = `
GOAL a:
  CHECK 400 <= AI01 <= 600 mbar
  CHECK AI01 >= 0.5 bar
  CHECK AI01 <= 500 mbar
  CHECK AI01 = 50000 Pa
  CHECK AI01 > 500 mbar
`;
    const result = await runOn(twin, source, { registry: bar });
    assert.equal(
      eventsOf(result, 'check').map(({ outcome }) => outcome),
      ['passed', 'passed', 'passed', 'passed', 'failed'],
    );
    assert.equal(eventsOf(result, 'check')[0]?.actual, 500);
  }));

test('LANG-042 mbar with s is SCN240 when it is decided at run time, and no verdict', () =>
  withBridge(async (twin) => {
    const result = await runOn(
      twin,
      "GOAL a:\n  SET base 5 s\n  CALC limit = MAX 'base, base'\n  CHECK AI01 <= limit\n",
      {
        registry: calibrated,
      },
    );
    assert.equal(outcomesOf(result), ['a error']);
    assert.ok(codesOf(result).includes('SCN240'), String(codesOf(result)));
  }));

test('LANG-043 volts asked in mbar: the error names sensor, units and the calibration that is missing', () =>
  withBridge(async (twin) => {
    const result = await runOn(
      twin,
      "GOAL a:\n  SET base 5 mbar\n  CALC limit = MAX 'base, base'\n  CHECK AI01 <= limit\n",
    );
    assert.equal(outcomesOf(result), ['a error']);
    const message = goalOf(result, 'a').message ?? '';
    for (const part of ['AI01', 'nc-sensor', 'V', 'mbar', 'calibration'])
      assert.match(message, new RegExp(part));
    assert.is(eventsOf(result, 'check').length, 0);
  }));

test('LANG-043 a calibration converts, in a check of one unit after the other', () =>
  withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = 0.735;
    const source =
      'GOAL a:\n  MAX AI01 1 V\n  CHECK 9 <= AI01 <= 11 mbar\n  CHECK AI01 >= 990 Pa\n  CHECK AI01 < 0.8 V\n';
    const result = await runOn(twin, source, { registry: calibrated });
    assert.is(result.outcome, 'passed');
  }));

test('LANG-043 outside the points of a calibration there is no reading', () =>
  withBridge(async (twin) => {
    twin.sensors['sc-sensor'] = 1.2;
    const result = await runOn(twin, 'GOAL a:\n  CHECK AI02 >= 1 bar\n', { registry: calibrated });
    assert.equal(outcomesOf(result), ['a error']);
    assert.match(goalOf(result, 'a').message ?? '', /outside the points of its calibration cal-sc/);
  }));

test('LANG-044 durations of WAIT, and timeout is a plain variable', async () => {
  const source = `
GOAL a:
  WAIT '5 s'
  WAIT 2m
  WAIT 1h
  SET WAIT '1,5 s'
  WAIT 500
  SET timeout '10 min'
  WAIT $pause
  CHECK AI01 <= 5 V
`;
  const result = await dryRun(source, { variables: { pause: '3 s' }, timeouts: { goalMs: 7_200_000 } });
  assert.equal(
    eventsOf(result, 'wait').map(({ ms }) => ms),
    [5000, 120_000, 3_600_000, 1500, 500, 3000],
  );
  assert.equal(result.variables.timeout, { value: 10, unit: 'min' });
  assert.is(result.outcome, 'passed');
});

test('a reading in a goal without a fresh one: SAVE of a sensor reads it', () =>
  withBridge(async (twin) => {
    const result = await runOn(twin, 'GOAL a:\n  SAVE AI01\n  CHECK AI01 <= 5 V\n');
    assert.equal(result.variables.AI01, { value: 0.635, unit: 'V' });
    assert.is(twin.count('GET', /sensor/), 2);
  }));

test('LANG-022 WAIT until a condition: polls, passes when it comes true, fails at the command time-out', () =>
  withBridge(async (twin) => {
    let reads = 0;
    twin.sensors['nc-sensor'] = () => ++reads / 10;
    const good = await runOn(twin, "GOAL a:\n  AI01 ≥ 0.3 V | WAIT 'builds up'\n");
    assert.is(good.outcome, 'passed');
    assert.is(reads, 3);
    twin.sensors['nc-sensor'] = 0.1;
    const bad = await runOn(twin, "GOAL a:\n  AI01 ≥ 0.3 V | WAIT 'builds up'\n", {
      timeouts: { commandMs: 350 },
    });
    assert.is(bad.outcome, 'failed');
    assert.is(eventsOf(bad, 'check').length, 1);
  }));

test.run();
