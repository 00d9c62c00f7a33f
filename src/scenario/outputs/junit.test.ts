import * as assert from 'uvu/assert';
import { eventsOf, goalOf, resultOf } from '../../test-kit/scenario/sample-result.ts';
import { test } from '../../test-kit/suite.ts';
import type { Result } from '../run/result.ts';
import { junitXml } from './junit.ts';

const xml = (more: Partial<Result>) =>
  junitXml({ result: resultOf(more), version: '1.2.3', scenarioHash: 'abc' });
const check = (goal: number, message: string) => ({
  type: 'check' as const,
  goal,
  kind: 'CHECK',
  sensor: 'AI01',
  op: 'range',
  low: 0.6,
  high: 0.67,
  actual: 0.9,
  unit: 'V',
  outcome: 'failed' as const,
  message,
});

test('one case per block, CONFIG too, with totals', () => {
  const text = xml({
    goals: [
      goalOf(0, 'passed', { kind: 'CONFIG', name: 'open' }),
      goalOf(1, 'failed', { message: 'leak' }),
      goalOf(2, 'error', { message: 'no answer' }),
      goalOf(3, 'skipped', { message: 'run ended' }),
    ],
    outcome: 'error',
    events: eventsOf(check(1, 'AI01 outside [0.6, 0.67] V')),
  });
  assert.match(text, '<testsuite name="mask.oql" tests="4" failures="1" errors="1" skipped="1" time="4.000"');
  assert.match(text, 'name="[CONFIG] open"');
  assert.match(
    text,
    '<failure message="leak" type="failure">[failed] AI01 outside [0.6, 0.67] V (wanted 0.6 .. 0.67 V, got 0.9 V)</failure>',
  );
  assert.match(text, '<error message="no answer" type="error">');
  assert.match(text, '<skipped message="run ended"/>');
  assert.match(text, '<property name="scenario.sha256" value="abc"/>');
});

test('LANG-053 every case of a simulated run is skipped, with the reason and what it would have said', () => {
  const text = xml({ simulated: true, events: eventsOf(check(1, 'outside')) });
  assert.match(text, 'failures="0" errors="0" skipped="2"');
  assert.match(text, '<skipped message="simulated, not a test: failed"/>');
  assert.match(text, '<system-out>[failed] outside');
  assert.match(text, '<property name="simulated" value="true"/>');
});

test('LANG-064 a bench run has verdicts and its mark', () => {
  const text = xml({ bench: true });
  assert.match(text, 'failures="1"');
  assert.match(text, '<property name="bench" value="true"/>');
});

test('a run that is worse than its blocks has a case of its own', () => {
  const safe = {
    type: 'safe-state' as const,
    reason: 'end',
    ok: false,
    steps: [{ name: 'pump_zero', ok: false, error: 'no answer' }],
  };
  const text = xml({ outcome: 'error', goals: [goalOf(0, 'passed')], events: eventsOf(safe) });
  assert.match(text, 'tests="2" failures="0" errors="1"');
  assert.match(text, '<error message="safe state: pump_zero: no answer"');
  assert.match(xml({ outcome: 'aborted', goals: [] }), 'tests="1" failures="0" errors="1"');
});

test('no text of a scenario can break the XML', () => {
  const evil = `"><evil a='1'>&\u0000\u001b[2J\uD800]]>`;
  const text = xml({
    source: evil,
    goals: [goalOf(0, 'failed', { name: evil, message: `${evil}\nsecond` })],
  });
  assert.not.match(text, '<evil');
  assert.not.match(text, /[^\P{Cc}\n]|\p{Cs}/u);
  assert.match(text, '&#10;second');
});

test('the calibrations that made values are a property', () => {
  const calibrated = { ...check(1, 'leak'), unit: 'mbar', calibration: 'cal-nc' };
  assert.match(
    xml({ events: eventsOf(calibrated) }),
    '<property name="calibrations" value="cal-nc (AI01)"/>',
  );
});

test.run();
