import * as assert from 'uvu/assert';
import { patiently } from '../../test-kit/scenario/request-paused-clock.ts';
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

const test = suite('sampling');

const WINDOW = `
GOAL a:
  MAX AI01 1 V
  SAMPLE AI01 START 50ms
  WAIT 500 ms
  SAMPLE AI01 STOP
`;

test('LANG-040 points at a fixed rate beside a pause, statistics with units, bounds on each point', () =>
  withBridge(async (twin) => {
    let count = 0;
    twin.sensors['nc-sensor'] = () => 0.1 * (1 + (count++ % 2));
    const result = await runOn(twin, WINDOW, patiently());
    assert.is(result.outcome, 'passed');
    const { points, stats } = result.samples[0]!;
    assert.is(points.length, 11);
    assert.equal([stats.count, stats.gaps, stats.min, stats.max], [11, 0, 0.1, 0.2]);
    assert.equal(result.variables['AI01.count'], { value: 11 });
    assert.equal(result.variables['AI01.first'], { value: 0.1, unit: 'V' });
    assert.is(goalOf(result, 'a').checks, 11);
    const actions = eventsOf(result, 'sample').map(({ action }) => action);
    assert.equal([actions[0], actions.at(-1)], ['start', 'stop']);
  }));

test('PAGE-008 points of sensors whose sampling began in one step of 2 ms are due together, at the fixed rate', () =>
  withBridge(async (twin) => {
    const source = `
GOAL a:
  WAIT 4.2 ms
  SAMPLE AI01 START 10ms
  WAIT 1 ms
  SAMPLE AI02 START 10ms
  WAIT 1 ms
  SAMPLE AI03 START 10ms
  WAIT 40.1 ms
  SAMPLE AI01 STOP
  SAMPLE AI02 STOP
  SAMPLE AI03 STOP
`;
    const { samples } = await runOn(twin, source, patiently());
    assert.equal(
      samples.map(({ points }) => points.map(([t]) => t)),
      [
        [4.2, 14, 24, 34, 44],
        [5.2, 14, 24, 34, 44],
        [6.2, 16, 26, 36, 46],
      ],
    );
  }));

test('PAGE-008 each sensor that is sampled gets its own readings out of an answer for several', () =>
  withBridge(async (twin) => {
    Object.assign(twin.sensors, { 'nc-sensor': 0.1, 'sc-sensor': 0.2, 'wc-sensor': 0.3 });
    const names = ['AI01', 'AI02', 'AI03'];
    const lines = (action: string) => names.map((name) => `  SAMPLE ${name} ${action}`).join('\n');
    const { samples } = await runOn(
      twin,
      `GOAL a:\n${lines('START 20ms')}\n  WAIT 400 ms\n${lines('STOP')}\n`,
    );
    for (const [index, { points }] of samples.entries()) {
      const values = points.flatMap(([, value]) => value ?? []);
      assert.ok(values.length > 0, names[index]);
      assert.equal(new Set(values), new Set([[0.1, 0.2, 0.3][index]]), names[index]);
    }
    assert.ok(twin.requests.some(({ path }) => path.includes('/sensors/each?')));
  }));

test('LANG-040 one point above the bound fails the goal', () =>
  withBridge(async (twin) => {
    let count = 0;
    twin.sensors['nc-sensor'] = () => (++count === 5 ? 1.5 : 0.5);
    const result = await runOn(twin, WINDOW, patiently());
    assert.is(result.outcome, 'failed');
    assert.is(goalOf(result, 'a').failedChecks, 1);
  }));

test('LANG-040 gaps are recorded; below 90 % good points there is no verdict', () =>
  withBridge(async (twin) => {
    let count = 0;
    twin.sensors['nc-sensor'] = () => ({ value: ++count % 3 === 0 ? null : 0.5 });
    const result = await runOn(twin, WINDOW, patiently());
    assert.is(result.outcome, 'error');
    assert.ok(codesOf(result).includes('SCN402'));
    const { points, stats } = result.samples[0]!;
    assert.is(points.filter(([, value]) => value === null).length, stats.gaps);
    assert.ok(stats.gaps >= 3);
  }));

test('LANG-040 one gap in twenty is a gap, not an error', () =>
  withBridge(async (twin) => {
    let count = 0;
    twin.sensors['nc-sensor'] = () => ({ value: ++count === 4 ? null : 0.5 });
    const result = await runOn(twin, 'GOAL a:\n  MAX AI01 1 V\n  SAMPLE AI01 START 20ms\n  WAIT 400 ms\n', {
      ...patiently(),
    });
    assert.is(result.outcome, 'passed');
    assert.is(result.samples[0]?.stats.gaps, 1);
  }));

test('LANG-040 no good point at all is an error, also when the goal ends the window', () =>
  withBridge(async (twin) => {
    twin.fail('GET', /sensor/, { kind: 'drop' });
    const result = await runOn(
      twin,
      'GOAL a:\n  SAMPLE AI01 START 50ms\n  WAIT 200 ms\n  CHECK AI02 <= 5 V\n',
    );
    assert.is(result.outcome, 'error');
  }));

test('LANG-040 a slow device does not pile up requests: slots gone by are gaps', () =>
  withBridge(async (twin) => {
    const slow: typeof fetch = async (url, init) => {
      if (String(url).includes('sensor')) await new Promise((resolve) => setTimeout(resolve, 130));
      return fetch(url, init);
    };
    const result = await runOn(twin, WINDOW, { fetch: (url, init) => slow(url, init) });
    assert.is(result.outcome, 'error');
    assert.ok(twin.count('GET', /sensor/) <= 5);
  }));

test('LANG-040 a window that is aborted leaves no timer and no request behind', () =>
  withBridge(async (twin) => {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(), 200);
    const source = 'GOAL a:\n  SAMPLE AI01 START 20ms\n  WAIT 60 s\n  CHECK AI01 <= 5 V\n';
    const result = await runOn(twin, source, { signal: controller.signal });
    clearTimeout(timer);
    assert.is(result.outcome, 'aborted');
    const seen = twin.requests.length;
    await new Promise((resolve) => setTimeout(resolve, 80));
    assert.is(twin.requests.length, seen);
  }));

test('LANG-041 IF_DELTA: rise, fall, none', async () => {
  const cases: [threshold: string, step: number, outcome: string][] = [
    ['+0.1 V', 0.05, 'passed'],
    ['+0.1 V', 0, 'failed'],
    ['+0.1 V', -0.05, 'failed'],
    ['-0.1 V', -0.05, 'passed'],
    ['-0.1 V', 0.05, 'failed'],
    ['0 V', 0, 'passed'],
    ['0 V', 0.05, 'failed'],
  ];
  for (const [threshold, step, outcome] of cases)
    await withBridge(async (twin) => {
      let volts = 5;
      twin.sensors['nc-sensor'] = () => (volts += step);
      const source = `GOAL a:\n  SAMPLE AI01 START 40ms\n  WAIT 240 ms\n  IF_DELTA AI01 200ms ${threshold}\n`;
      const result = await runOn(twin, source, patiently());
      assert.is(result.outcome, outcome, `${threshold} at ${step}`);
      assert.is(eventsOf(result, 'check')[0]?.kind, 'IF_DELTA');
    });
});

test('LANG-041 fewer than two points in the window are an error', () =>
  withBridge(async (twin) => {
    const source = 'GOAL a:\n  SAMPLE AI01 START 500ms\n  WAIT 100 ms\n  IF_DELTA AI01 100ms +0.1 V\n';
    assert.equal(outcomesOf(await runOn(twin, source, patiently())), ['a error']);
  }));

test('LANG-041 a sensor that is not sampled is sampled for the window', () =>
  withBridge(async (twin) => {
    let volts = 0;
    twin.sensors['nc-sensor'] = () => (volts += 0.1);
    const result = await runOn(twin, 'GOAL a:\n  IF_DELTA AI01 300ms +0.2 V\n', patiently());
    assert.is(result.outcome, 'passed');
    assert.is(result.samples[0]?.points.length, 4);
  }));

test('LANG-041 Δ judges the change over the samples of the goal', () =>
  withBridge(async (twin) => {
    let volts = 1;
    twin.sensors['nc-sensor'] = () => (volts += 0.1);
    const source =
      "GOAL a:\n  SAMPLE AI01 START 50ms\n  WAIT 200 ms\n  SAMPLE AI01 STOP\n  ΔAI01 ≤ 0.1 V | ERROR 'drift'\n";
    const result = await runOn(twin, source, patiently());
    assert.is(result.outcome, 'failed');
    assert.is(eventsOf(result, 'check')[0]?.message, 'drift');
  }));

test('a dry-run of two hours with a point each 100 ms is a matter of seconds', async () => {
  const source =
    'GOAL a:\n  MAX AI01 50 mbar\n  SAMPLE AI01 START 100ms\n  WAIT 119 min\n  SAMPLE AI01 STOP\n';
  const result = await dryRun(source, { timeouts: { goalMs: Number.POSITIVE_INFINITY } });
  assert.is(result.outcome, 'passed');
  assert.is(result.samples[0]?.points.length, 71_401);
  assert.is(result.durationMs, 119 * 60_000);
});

test.run();
