import * as assert from 'uvu/assert';
import { eventsOf, goalOf, resultOf } from '../../../test-kit/scenario/sample-result.ts';
import { test } from '../../../test-kit/suite.ts';
import type { Result } from '../../run/result.ts';
import { reportPage } from './page.ts';

const page = (more: Partial<Result> = {}) =>
  reportPage({ result: resultOf(more), version: '1.2.3', scenarioHash: 'f00d' });

const CHECK = {
  type: 'check',
  goal: 1,
  kind: 'IF',
  sensor: 'AI01',
  op: 'range',
  low: 0.6,
  high: 0.67,
  actual: 0.9,
  unit: 'V',
  outcome: 'failed',
  message: 'bad',
} as const;

test('verdict, blocks, checks with limits and measured values, hashes', () => {
  const html = page({
    source: 'scenarios/leak.oql',
    events: eventsOf(CHECK),
  });
  assert.match(html, '<dd>scenarios/leak.oql</dd>');
  assert.match(html, '<div class="banner failed"><strong>failed</strong><span>1/2 passed</span>');
  assert.match(html, '<td class="n">0.6 .. 0.67 V</td><td class="n">0.9 V</td>');
  assert.match(html, 'f00d');
  assert.match(html, 'svc-rig 1.2.3');
});

test('the calibrations that made values are named, with the check they were used for', () => {
  const html = page({
    events: eventsOf(
      { ...CHECK, sensor: 'ΔAI01', unit: 'mbar', calibration: 'cal-nc' },
      { ...CHECK, sensor: 'AI01', unit: 'mbar', calibration: 'cal-nc' },
      { ...CHECK, sensor: 'AI02', unit: 'bar', calibration: 'cal-<sc>' },
      CHECK,
    ),
  });
  assert.match(html, 'cal-nc (AI01), cal-&lt;sc&gt; (AI02)');
  assert.match(html, '<td>cal-nc</td>');
  assert.match(page(), 'none was needed');
});

test('LANG-064 LANG-053 bench and simulated runs are marked in title and page, a real one is not', () => {
  assert.match(page({ bench: true }), '<div class="mark">bench, not a test');
  assert.match(page({ bench: true, simulated: true }), '<div class="mark">simulated, not a test');
  assert.match(page({ simulated: true }), '<title>failed: mask.oql (simulated, not a test)</title>');
  assert.not.match(page(), 'class="mark"');
});

test('the page loads nothing and no text of a scenario becomes markup', () => {
  const evil = '<script src="http://evil/x.js"></script><img src=x onerror=alert(1)>';
  const html = page({
    source: evil,
    goals: [goalOf(0, 'failed', { name: evil, message: evil })],
    variables: { [evil]: { value: evil, unit: evil } },
    diagnostics: [
      { code: 'SCN407', name: 'timeout', severity: 'error', message: evil, pos: goalOf(0, null).pos },
    ],
    events: eventsOf({ type: 'log', level: 'info', message: evil }),
    samples: [
      {
        sensor: evil,
        goal: 0,
        unit: evil,
        points: [[0, 1]],
        stats: { count: 1, min: 1, max: 1, avg: 1, last: 1, first: 1, delta: 0, stddev: null, gaps: 0 },
      },
    ],
  });
  assert.not.match(html, /<script|<img|<link|@import|url\(/);
  assert.match(html, "default-src 'none'");
});

test('a rig that was not made safe is reported in red', () => {
  const html = page({
    events: eventsOf({
      type: 'safe-state',
      reason: 'end',
      ok: false,
      steps: [{ name: 'pump_zero', ok: false, error: 'no answer' }],
    }),
  });
  assert.match(html, '<p class="error">NOT SAFE (end)</p>');
  assert.match(html, 'failed: no answer');
});

test.run();
