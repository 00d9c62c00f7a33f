import * as assert from 'uvu/assert';
import { Registry } from '../../rig/registry/registry.ts';
import { patiently } from '../../test-kit/scenario/request-paused-clock.ts';
import { calibratedRig } from '../../test-kit/scenario/rig-sensors.ts';
import { codesOf, eventsOf, goalOf, outcomesOf, runOn, withBridge } from '../../test-kit/scenario/run-on.ts';
import { suite } from '../../test-kit/suite.ts';
import { Interpreter } from '../interpreter.ts';

const test = suite('readings that are not values');

/** Every command that uses a reading, each of them true for 0.635 V. */
const USES: readonly string[] = [
  'GET AI01\n  CHECK AI02 <= 5 V',
  'VAL AI01 V\n  CHECK AI02 <= 5 V',
  'CHECK AI01 <= 5 V',
  'IF AI01 0 .. 5 V',
  "IF AI01 > 5 V\n    ERROR 'above'\n  ENDIF\n  CHECK AI02 <= 5 V",
  'MAX AI01 5 V\n  GET AI01',
  'MIN AI01 0 V\n  GET AI01',
  'RANGE AI01 0 .. 5 V\n  GET AI01',
  'ASSERT_SENSOR AI01 < 5 V',
  'GET AI01\n  SAVE kept\n  CHECK kept <= 5 V',
  'SAVE AI01\n  CHECK AI02 <= 5 V',
  'AI01 ≥ 0.1 V | WAIT',
  'SAMPLE AI01 START 50ms\n  WAIT 200 ms\n  SAMPLE AI01 STOP\n  CHECK AI02 <= 5 V',
  'MAX AI01 5 V\n  SAMPLE AI01 START 50ms\n  WAIT 200 ms',
  'SAMPLE AI01 START 50ms\n  WAIT 200 ms\n  SAMPLE AI01 STOP\n  CHECK AI01.max <= 5 V',
  'IF_DELTA AI01 200ms 0 V',
];

const FAULTS: [members: object, code: string, why: RegExp][] = [
  [{ saturated: true }, 'SCN402', /AI01 \(nc-sensor\).*saturated/],
  [{ over_range: true }, 'SCN402', /AI01 \(nc-sensor\).*over_range/],
  [{ under_range: true }, 'SCN402', /AI01 \(nc-sensor\).*under_range/],
  [{ stale: true }, 'SCN403', /AI01 \(nc-sensor\).*stale/],
  [{ valid: false }, 'SCN402', /AI01 \(nc-sensor\).*valid: false/],
  [{ status: 'stale' }, 'SCN403', /AI01 \(nc-sensor\).*status is "stale"/],
  [{ status: 'saturated' }, 'SCN402', /AI01 \(nc-sensor\).*status is "saturated"/],
  [{ mode: 'mock' }, 'SCN404', /AI01 \(nc-sensor\).*simulated/],
  [{ source: 'simulation' }, 'SCN404', /AI01 \(nc-sensor\).*simulated/],
  [{ age_ms: 4, observed_at: '2020-01-01T00:00:00Z' }, 'SCN402', /age_ms 4 and observed_at 2020.*contradict/],
  [{ quality: 'uncertain' }, 'SCN402', /AI01 \(nc-sensor\).*quality is "uncertain"/],
  [{ verified: false }, 'SCN402', /AI01 \(nc-sensor\).*verified: false.*docs\/adc\.md/],
];

for (const [members, code, why] of FAULTS)
  test(`LANG-065 ${JSON.stringify(members)} is an error for every use, never a verdict`, async () => {
    for (const use of USES)
      await withBridge(async (twin) => {
        twin.sensors['nc-sensor'] = { value: 0.635, ...members };
        const result = await runOn(twin, `GOAL a:\n  ${use}\n`, patiently());
        assert.equal(outcomesOf(result), ['a error'], use);
        // The points of a window are gaps, and their fault is reported with the window; a simulation ends it at once.
        const isWindow = /SAMPLE|DELTA/.test(use) && code !== 'SCN404';
        assert.ok(codesOf(result).includes(isWindow ? 'SCN402' : code), `${use}: ${codesOf(result)}`);
        assert.match(goalOf(result, 'a').message ?? '', why, use);
        const judged = eventsOf(result, 'check').filter(({ sensor }) => sensor?.includes('AI01'));
        assert.equal(judged, [], use);
      });
  });

test('LANG-065 a mark of a type that it cannot have is no good mark', async () => {
  const cases: object[] = [
    { saturated: 'true' },
    { saturated: 1 },
    { saturated: null },
    { over_range: 'yes' },
    { under_range: 1 },
    { stale: 0 },
    { valid: 'true' },
    { valid: null },
    { quality: true },
    { quality: null },
    { quality: '' },
    { ok: 'true' },
    { ok: 1 },
  ];
  for (const members of cases)
    await withBridge(async (twin) => {
      twin.sensors['nc-sensor'] = { value: 0.635, ...members };
      const result = await runOn(twin, 'GOAL a:\n  CHECK AI01 <= 5 V\n');
      assert.equal([outcomesOf(result), codesOf(result)], [['a error'], ['SCN402']], JSON.stringify(members));
    });
});

test('LANG-065 marks that say that all is well change nothing', () =>
  withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = {
      value: 0.635,
      saturated: false,
      stale: false,
      valid: true,
      quality: 'Good',
    };
    assert.is((await runOn(twin, 'GOAL a:\n  CHECK AI01 <= 5 V\n')).outcome, 'passed');
  }));

test('LANG-065 one saturated point among many leaves the window without values: the true peak is unknown', () =>
  withBridge(async (twin) => {
    let count = 0;
    twin.sensors['nc-sensor'] = () => ({ value: 0.5, saturated: ++count === 20 });
    const source = 'GOAL a:\n  MAX AI01 1 V\n  SAMPLE AI01 START 50ms\n  WAIT 2 s\n  SAMPLE AI01 STOP\n';
    const result = await runOn(twin, source, patiently());
    assert.equal([outcomesOf(result), result.samples[0]?.stats.gaps], [['a error'], 1]);
    assert.match(
      goalOf(result, 'a').message ?? '',
      /1 of 41 sample points are outside the sensor.s measuring range/,
    );
  }));

const TO_300_MBAR = new Registry({
  sensors: [{ ...calibratedRig.sensor('AI01')!, range: [0, 3.635] }],
});

test('LANG-065 a limit that no reading ever reaches is refused before anything moves', async () => {
  const cases = [
    'MAX AI01 400 mbar\n  GET AI01',
    'MAX AI01 4 V\n  GET AI01',
    'MIN AI01 -70 mbar\n  GET AI01',
    'RANGE AI01 0 .. 0.4 bar\n  GET AI01',
    'CHECK AI01 <= 400 mbar',
    'CHECK 0 <= AI01 <= 4',
    "IF AI01 > 400 mbar\n    ERROR 'above'\n  ENDIF",
    'ASSERT_SENSOR AI01 < 400 mbar',
    'IF_DELTA AI01 1s +400 mbar',
    'SAMPLE AI01 START\n  WAIT 1 s\n  SAMPLE AI01 STOP\n  CHECK AI01.max <= 400 mbar',
    "SET top '400 mbar'\n  CHECK AI01 <= top",
  ];
  for (const use of cases)
    await withBridge(async (twin) => {
      const source = `GOAL a:\n  SET valve-1 on\n  ${use}\n`;
      const result = await runOn(twin, source, { registry: TO_300_MBAR });
      assert.equal([outcomesOf(result), codesOf(result)], [['a skipped'], ['SCN409']], use);
      assert.equal(twin.count('POST', /./), 0, use);
    });
});

test('LANG-065 a limit from outside that no reading ever reaches is an error when it is used', () =>
  withBridge(async (twin) => {
    const source = 'GOAL a:\n  CHECK AI01 <= top\nGOAL b:\n  MAX AI01 top\n  GET AI01\n';
    const result = await runOn(twin, source, { registry: TO_300_MBAR, variables: { top: '400 mbar' } });
    assert.equal(outcomesOf(result), ['a error', 'b error']);
    assert.match(goalOf(result, 'a').message ?? '', /400 mbar lies outside the -63.5 .. 300 mbar/);
  }));

test('LANG-065 such a limit is a warning in validate and in a dry-run', async () => {
  const source = 'GOAL a:\n  MAX AI01 400 mbar\n  GET AI01\n';
  for (const mode of ['validate', 'dry-run'] as const) {
    const { diagnostics } = await new Interpreter({ mode, registry: TO_300_MBAR }).run(source, 'a.oql');
    assert.equal(
      diagnostics.map(({ code, severity }) => `${severity} ${code}`),
      ['warning SCN250'],
      mode,
    );
    const [{ message } = { message: '' }] = diagnostics;
    assert.match(message, /400 mbar lies outside the -63.5 .. 300 mbar that AI01 \(nc-sensor\) can measure/);
  }
});

test('LANG-065 limits at the ends of what can be measured stand', () =>
  withBridge(async (twin) => {
    const source = 'GOAL a:\n  RANGE AI01 -63.5 .. 300 mbar\n  CHECK 0 <= AI01 <= 3.635 V\n';
    assert.is((await runOn(twin, source, { registry: TO_300_MBAR })).outcome, 'passed');
  }));

const VOLTS = 'GOAL a:\n  CHECK AI01 <= 5 V\n';

test('LANG-066 the time that the answer took counts to the age of the value', () =>
  withBridge(async (twin) => {
    twin.fail('GET', /sensor/, { kind: 'delay', ms: 400 });
    const result = await runOn(twin, VOLTS, { maxAgeMs: 300 });
    assert.equal([outcomesOf(result), codesOf(result)], [['a error'], ['SCN403']]);
    const { ageMs } = eventsOf(await runOn(twin, VOLTS, { maxAgeMs: 60_000 }), 'reading')[0]!;
    assert.ok(ageMs >= 400, String(ageMs));
  }));

test('LANG-066 without age_ms observed_at gives the age; without either there is none', async () => {
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const cases: [answer: () => object, outcome: string, codes: string[]][] = [
    [() => ({ observed_at: at(-500), age_ms: undefined }), 'passed', []],
    [() => ({ observed_at: at(-500), age_ms: null }), 'passed', []],
    [() => ({ observed_at: at(-400_000), age_ms: undefined }), 'error', ['SCN403']],
    [() => ({ observed_at: at(60_000), age_ms: undefined }), 'error', ['SCN402']],
    [() => ({ observed_at: undefined, age_ms: undefined }), 'error', ['SCN402']],
    [() => ({ observed_at: 'yesterday', age_ms: undefined }), 'error', ['SCN402']],
    [() => ({ observed_at: 'yesterday' }), 'error', ['SCN402']],
    [() => ({ observed_at: Date.now() }), 'error', ['SCN402']],
  ];
  for (const [answer, outcome, codes] of cases)
    await withBridge(async (twin) => {
      twin.sensors['nc-sensor'] = () => ({ value: 0.635, ...answer() });
      const result = await runOn(twin, VOLTS, { maxAgeMs: 300_000 });
      assert.equal([result.outcome, codesOf(result)], [outcome, codes], JSON.stringify(answer()));
    });
});

test('LANG-066 numbers and marks of a wrong type, and an answer for another or no sensor, are errors', async () => {
  const cases: object[] = [
    { age_ms: '4' },
    { age_ms: true },
    { value: '0.635' },
    { value: true },
    { raw: '5080' },
    { unit: 5 },
    { simulated: 'false' },
    { simulated: 0 },
    { bench: 'no' },
    { bench: null },
    { sensor_id: undefined },
    { sensor_id: null },
    { sensor_id: 1 },
    { sensor_id: 'ai02' },
    { sensor_id: 'sc-sensor' },
    { sensor_id: 'ai99' },
    { sensor_id: '' },
  ];
  for (const members of cases)
    await withBridge(async (twin) => {
      twin.sensors['nc-sensor'] = { value: 0.635, ...members };
      const result = await runOn(twin, VOLTS);
      assert.equal([outcomesOf(result), codesOf(result)], [['a error'], ['SCN402']], JSON.stringify(members));
    });
});

test('LANG-071 a limit without unit means the unit of the sensor itself, whatever the bridge gives', async () => {
  const cases: [answer: object, outcome: string, code: string | undefined][] = [
    [{ value: 635, unit: 'mV' }, 'passed', undefined],
    [{ value: 4, unit: 'mbar' }, 'error', 'SCN240'],
    [{ value: 4, unit: 'degrees' }, 'error', 'SCN240'],
    [{ value: 4, unit: undefined }, 'passed', undefined],
  ];
  for (const use of ['CHECK AI01 <= 5', 'MAX AI01 5\n  GET AI01', 'IF AI01 0 .. 5', 'ASSERT_SENSOR AI01 < 5'])
    for (const [answer, outcome, code] of cases)
      await withBridge(async (twin) => {
        twin.sensors['nc-sensor'] = answer as never;
        const result = await runOn(twin, `GOAL a:\n  ${use}\n`, { registry: calibratedRig });
        assert.equal(
          [result.outcome, codesOf(result)[0]],
          [outcome, code],
          `${use} ${JSON.stringify(answer)}`,
        );
      });
});

test('LANG-071 a limit without unit stays one in volts beside one in another unit of the sensor', () =>
  withBridge(async (twin) => {
    // 0.64 V are 0.5 mbar: above 0.639 V, although 0.639 as mbar would be more.
    twin.sensors['nc-sensor'] = 0.64;
    const source = 'GOAL a:\n  CHECK AI01 >= 0.1 mbar AND AI01 < 0.639\n';
    assert.is((await runOn(twin, source, { registry: calibratedRig })).outcome, 'failed');
    const delta = 'GOAL a:\n  MAX AI01 300 mbar\n  SAMPLE AI01 START 50ms\n  WAIT 200 ms\n  ΔAI01 <= 0.5\n';
    let volts = 0.7;
    twin.sensors['nc-sensor'] = () => (volts += 0.1);
    const result = await runOn(twin, delta, { registry: calibratedRig, ...patiently() });
    assert.is(result.outcome, 'passed', 'a rise of 0.4 V, which is 40 mbar');
  }));

test.run();
