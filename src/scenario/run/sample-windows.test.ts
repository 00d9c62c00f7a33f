import * as assert from 'uvu/assert';
import { patiently } from '../../test-kit/scenario/request-paused-clock.ts';
import { calibratedRig } from '../../test-kit/scenario/rig-sensors.ts';
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

const test = suite('sample windows');

const at = (ms: number) => new Date(Date.UTC(2025, 0, 1) + ms).toISOString();

test('LANG-067 a conversion that is given ten times is one point and nine gaps', async () => {
  const repeated: [string, (n: number) => object][] = [
    ['observed_at', (n) => ({ observed_at: at(1000 * Math.floor(n / 10)) })],
    ['sequence', (n) => ({ sequence: Math.floor(n / 10), observed_at: at(n) })],
    ['an alternation of two', (n) => ({ observed_at: at(n % 2) })],
    ['a growing age', (n) => ({ observed_at: undefined, age_ms: 50 * (n % 10) })],
  ];
  for (const [what, answer] of repeated)
    for (const use of ['CHECK AI01.max <= 5 V', 'CHECK AI01.count >= 10', 'IF_DELTA AI01 500ms 0 V'])
      await withBridge(async (twin) => {
        let n = 0;
        twin.sensors['nc-sensor'] = () => ({ value: 0.5, ...answer(n++) });
        const source = `GOAL a:\n  SAMPLE AI01 START 50ms\n  WAIT 950 ms\n  SAMPLE AI01 STOP\n  ${use}\n`;
        const result = await runOn(twin, source, patiently());
        assert.equal(outcomesOf(result), ['a error'], `${what}: ${use}`);
        assert.equal([result.samples[0]?.stats.count, result.samples[0]?.stats.gaps], [2, 18], what);
        assert.equal(codesOf(result), ['SCN402'], what);
      });
});

test('LANG-067 conversions of their own are points, whether observed_at, a sequence or only the age tells', async () => {
  for (const members of [
    (n: number) => ({ observed_at: at(50 * n) }),
    (n: number) => ({ sequence: n, observed_at: at(0) }),
    () => ({ observed_at: undefined }),
  ])
    await withBridge(async (twin) => {
      let n = 0;
      twin.sensors['nc-sensor'] = () => ({ value: 0.5, ...members(n++) });
      const source = 'GOAL a:\n  MAX AI01 1 V\n  SAMPLE AI01 START 50ms\n  WAIT 500 ms\n  SAMPLE AI01 STOP\n';
      const result = await runOn(twin, source, patiently());
      assert.equal([result.outcome, result.samples[0]?.stats.count], ['passed', 11]);
    });
});

test('LANG-067 in a dry-run each point is a conversion', async () => {
  const result = await dryRun(
    'GOAL a:\n  MAX AI01 1 V\n  SAMPLE AI01 START\n  WAIT 10 s\n  SAMPLE AI01 STOP\n',
  );
  assert.equal([result.outcome, result.samples[0]?.stats.count], ['passed', 101]);
});

test('LANG-068 a change over a window needs points that span it', async () => {
  const cases: [pauses: string, window: string, outcome: string][] = [
    ['WAIT 1 s', '60s', 'error'],
    ['WAIT 58 s', '60s', 'error'],
    ['WAIT 59 s', '60s', 'passed'],
    ['WAIT 60 s', '60s', 'passed'],
    ['WAIT 90 s', '60s', 'passed'],
    // The window is the last one, not the one of the points.
    ['WAIT 60 s\n  SAMPLE AI01 STOP\n  WAIT 30 s', '60s', 'error'],
    ['WAIT 60 s\n  SAMPLE AI01 STOP', '60s', 'passed'],
  ];
  for (const [pauses, window, outcome] of cases)
    await withBridge(async (twin) => {
      const source = `GOAL a:\n  SAMPLE AI01 START 1s\n  ${pauses}\n  IF_DELTA AI01 ${window} 0 V\n`;
      const result = await runOn(twin, source, patiently());
      assert.is(result.outcome, outcome, `${pauses}, ${window}`);
      const dry = await dryRun(source);
      assert.is(dry.outcome, outcome, `dry-run: ${pauses}, ${window}`);
    });
});

test('LANG-068 less than 90 % good points in the window leave it without a change, whatever the rest is like', () =>
  withBridge(async (twin) => {
    let n = 0;
    twin.sensors['nc-sensor'] = () => ({ value: ++n > 200 && n % 4 === 0 ? null : 0.5 });
    const source = 'GOAL a:\n  SAMPLE AI01 START 100ms\n  WAIT 22 s\n  IF_DELTA AI01 2s 0 V\n';
    const result = await runOn(twin, source, patiently());
    assert.equal(outcomesOf(result), ['a error']);
    assert.match(goalOf(result, 'a').message ?? '', /of 21 sample points of the window are valid/);
  }));

test('LANG-068 .delta and Δ need good points at both ends of the window; the other statistics stand', async () => {
  for (const isGap of [(n: number) => n <= 3, (n: number) => n > 48])
    for (const [use, outcome] of [
      ['CHECK AI01.delta <= 1 V', 'error'],
      ['ΔAI01 <= 1 V', 'error'],
      ['CALC d SUB AI01.delta 0 V', 'error'],
      ['CHECK AI01.max <= 1 V', 'passed'],
    ])
      await withBridge(async (twin) => {
        let n = 0;
        twin.sensors['nc-sensor'] = () => ({ value: isGap(++n) ? null : 0.5 });
        const source = `GOAL a:\n  SAMPLE AI01 START 100ms\n  WAIT 5 s\n  SAMPLE AI01 STOP\n  ${use}\n`;
        const result = await runOn(twin, source, patiently());
        assert.equal(outcomesOf(result), [`a ${outcome}`], use);
        if (outcome === 'error')
          assert.match(goalOf(result, 'a').message ?? '', /span \d+ ms of the window of 5000 ms/, use);
      });
});

test('LANG-065 statistics of a window that is no good are none for another goal either', () =>
  withBridge(async (twin) => {
    let n = 0;
    twin.sensors['nc-sensor'] = () => ({ value: 0.5, saturated: ++n === 20 });
    const source =
      'GOAL a:\n  SAMPLE AI01 START 50ms\n  WAIT 2 s\n  SAMPLE AI01 STOP\nGOAL b:\n  CHECK AI01.max <= 1 V\nGOAL c:\n  CHECK AI01.count > 1\n';
    const result = await runOn(twin, source, patiently());
    assert.equal(outcomesOf(result), ['a error', 'b error', 'c error']);
    assert.match(
      goalOf(result, 'b').message ?? '',
      /AI01.max has no value: .*outside the sensor.s measuring range/,
    );
  }));

test('LANG-068 one point is no change', async () => {
  for (const use of ['CHECK AI01.delta <= 1 V', 'ΔAI01 <= 1 V', 'CHECK AI01.stddev <= 1 V'])
    await withBridge(async (twin) => {
      const source = `GOAL a:\n  SAMPLE AI01 START 100ms\n  SAMPLE AI01 STOP\n  ${use}\n`;
      assert.equal(outcomesOf(await runOn(twin, source, patiently())), ['a error'], use);
    });
});

test('LANG-069 a calibrated sensor sampled in volts gives its statistics in the unit that is asked for', () =>
  withBridge(async (twin) => {
    const volts = [0.5, 1, 1.5, 2];
    let n = 0;
    twin.sensors['wc-sensor'] = () => volts[n++ % 4]!;
    const source = `GOAL a:
  SAMPLE AI03 START 100ms
  WAIT 300 ms
  SAMPLE AI03 STOP
  CHECK AI03.avg = 425 mbar
  CHECK AI03.avg = 1.25 V
  CHECK AI03.max = 1 bar
  CHECK AI03.min = 50 mbar
  CHECK AI03.delta = 950 mbar
  CHECK AI03.delta = 1.5 V
  CHECK AI03.stddev 444.4 .. 444.5 mbar
  CHECK AI03.count = 4
  ΔAI03 = 950 mbar
  CALC mean AVG AI03
  CHECK mean = 425 mbar
  CALC span SUB AI03.max AI03.min
  CHECK span = 950 mbar
  CALC twice MUL AI03.max 2
  CHECK twice = 2 bar
  IF_DELTA AI03 300ms +900 mbar
  IF_DELTA AI03 300ms +1.4 V
`;
    const result = await runOn(twin, source, { registry: calibratedRig, ...patiently() });
    assert.equal([result.outcome, goalOf(result, 'a').message], ['passed', undefined]);
    assert.is(goalOf(result, 'a').checks, 14);
    assert.is(
      (await dryRun(source.replaceAll(/ = /g, ' <= '), { registry: calibratedRig })).outcome,
      'passed',
    );
  }));

test('LANG-069 sampled in mbar by its bounds, it gives statistics in volts too', () =>
  withBridge(async (twin) => {
    const volts = [0.5, 1, 1.5, 2];
    let n = 0;
    twin.sensors['wc-sensor'] = () => volts[n++ % 4]!;
    const source = `GOAL a:
  MAX AI03 1000 mbar
  SAMPLE AI03 START 100ms
  WAIT 300 ms
  SAMPLE AI03 STOP
  CHECK AI03.avg = 1.25 V
  CHECK AI03.avg = 425 mbar
  IF_DELTA AI03 300ms +1.4 V
`;
    const result = await runOn(twin, source, { registry: calibratedRig, ...patiently() });
    assert.equal([result.outcome, goalOf(result, 'a').message], ['passed', undefined]);
    assert.is(result.samples[0]?.unit, 'mbar');
  }));

test('LANG-069 a saved reading is asked in every unit that its sensor can give', () =>
  withBridge(async (twin) => {
    twin.sensors['nc-sensor'] = 0.735;
    const source =
      'GOAL a:\n  GET AI01\n  SAVE p\n  CHECK p = 10 mbar\n  CHECK p = 0.735 V\n  CHECK p <= 5 s\n';
    const result = await runOn(twin, source, { registry: calibratedRig });
    assert.equal(
      eventsOf(result, 'check').map(({ outcome }) => outcome),
      ['passed', 'passed'],
    );
    assert.equal(codesOf(result), ['SCN240']);
  }));

test('LANG-069 a statistic without a calibration to the unit names what is missing', () =>
  withBridge(async (twin) => {
    const source =
      'GOAL a:\n  SAMPLE AI04 START\n  WAIT 1 s\n  SAMPLE AI04 STOP\n  CHECK AI04.max <= 5 mbar\n';
    twin.sensors.ai04 = 0.5;
    const result = await runOn(twin, source, { registry: calibratedRig, ...patiently() });
    assert.equal([result.outcome, codesOf(result)], ['error', ['SCN227']]);
    assert.match(result.diagnostics[0]?.message ?? '', /AI04.*has no calibration to mbar/);
  }));

// 0.3 °C of change: 0.3 K, 0.54 °F. As points 0.3 °C is 273.45 K.
const CHANGES: [use: string, outcome: string][] = [
  ['CHECK AI02.delta > 10 K', 'failed'],
  ['CHECK AI02.delta >= 283 K', 'failed'],
  ['CHECK AI02.delta < 1 K', 'passed'],
  ['CHECK 0.29 <= AI02.delta <= 0.31 K', 'passed'],
  ['CHECK 0.53 <= AI02.delta <= 0.55 °F', 'passed'],
  ['CHECK AI02.stddev < 1 K', 'passed'],
  ['CHECK AI02.stddev > 10 K', 'failed'],
  ['ΔAI02 < 1 K', 'passed'],
  ['ΔAI02 > 0.2 °C AND ΔAI02 < 0.4 K', 'passed'],
  ['IF_DELTA AI02 500ms +0.2 K', 'passed'],
  ['IF_DELTA AI02 500ms +10 K', 'failed'],
  ['MAX AI02.delta 1 K', 'passed'],
  ['RANGE AI02.delta 0.29 .. 0.31 K', 'passed'],
  ['CALC rise SUB AI02.last AI02.first\n  CHECK rise > 10 K', 'failed'],
  ['CALC rise SUB AI02.last AI02.first\n  CHECK rise < 1 K', 'passed'],
  ['CALC rise SUB AI02.last AI02.first\n  SAVE rise kept\n  CHECK kept < 1 K', 'passed'],
  ['CALC mean AVG AI02.delta AI02.delta\n  CHECK mean < 1 K', 'passed'],
  ['CALC twice MUL AI02.delta 2\n  CHECK 0.59 <= twice <= 0.61 K', 'passed'],
  ['CALC later ADD AI02.first AI02.delta\n  CHECK later = AI02.last', 'passed'],
  ['CALC later ADD AI02.first AI02.delta\n  CHECK 278 <= later <= 279 K', 'passed'],
  ["CALC later ADD AI02.first '10 K'\n  CHECK 14.9 <= later <= 15.1 °C", 'passed'],
  ["CALC share DIV AI02.delta '3 K'\n  CHECK 0.099 <= share <= 0.101", 'passed'],
  ["SET most '1 K'\n  CHECK AI02.delta < most", 'passed'],
  ["SET most '1 K'\n  CHECK most > AI02.delta", 'passed'],
  ["SET most '283 K'\n  CHECK AI02.last < most", 'passed'],
  // A temperature and a difference of temperatures have nothing to do with each other.
  ['CHECK AI02.delta < AI02.last', 'error'],
  ['CALC sum ADD AI02.first AI02.last', 'error'],
  ['CALC rise SUB AI02.delta AI02.last', 'error'],
  ['CALC most MAX AI02.delta AI02.last', 'error'],
];
for (const [use, outcome] of CHANGES)
  test(`LANG-070 a difference of temperatures converts without offset: ${use.replaceAll('\n  ', '; ')}: ${outcome}`, () =>
    withBridge(async (twin) => {
      let volts = 0.5;
      // 5.00, 5.06 ... 5.30 °C
      twin.sensors['sc-sensor'] = () => {
        const now = volts;
        volts += 0.006;
        return now;
      };
      const source = `GOAL a:\n  SAMPLE AI02 START 100ms\n  WAIT 500 ms\n  MAX AI02 90 °C\n  SAMPLE AI02 STOP\n  ${use}\n`;
      const result = await runOn(twin, source, { registry: calibratedRig, ...patiently() });
      assert.is(result.outcome, outcome, `${use}: ${goalOf(result, 'a').message}`);
    }));

test('LANG-070 temperatures themselves convert with the offset', () =>
  withBridge(async (twin) => {
    twin.sensors['sc-sensor'] = 1;
    const source = `GOAL a:
  CHECK AI02 = 10 °C
  CHECK AI02 = 283.15 K
  CHECK AI02 = 50 °F
  GET AI02 °C
  SAVE t
  CHECK t = 283.15 K
  MAX AI02 283.15 K
  MIN AI02 50 °F
`;
    assert.is((await runOn(twin, source, { registry: calibratedRig })).outcome, 'passed');
  }));

test.run();
