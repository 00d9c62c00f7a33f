import * as assert from 'uvu/assert';
import type { AliveState } from '../../services/server/live/live-schema.ts';
import type { BridgeStatus } from '../../services/server/live/rig-status.ts';
import { suite } from '../../test-kit/suite.ts';
import { alive } from '../live/state.ts';
import type { WayState } from './ask-for-stop.ts';
import { newAttempt, panelSummary, attempt as shown, summaryOf, withState } from './stop-state.ts';

const test = suite('stop of the page');

type Reachable = Extract<BridgeStatus, { reachable: true }>;

const bridgeWith = (members: Partial<Reachable>): Reachable => ({
  ...{ reachable: true, status: 'ok', mode: 'real', bench: true, unavailable: [], not_safe: null },
  ...{ safe_state: null, operator_stop: null, lease: { held: false, owner: null, expires_in_ms: null } },
  ...members,
});
const stopWith = (id: string) => ({ id, at: '2025-01-15T10:00:00.000Z', by: 'Ada', reason: 'operator' });
/** The stream reports the bridge so. */
const hear = (members: Partial<Reachable>) => {
  alive.value = { bridge: bridgeWith(members) } as AliveState;
};

test('PAGE-002 the stop is confirmed when one way has proven it, and not when neither has answered', () => {
  const attempt = (server: WayState, guard: WayState) => ({
    ...newAttempt('0a1b2c3d', 0),
    ways: { server, guard },
  });
  const none = { kind: 'no_answer' } as const;
  const failed = { kind: 'not_safe', detail: '' } as const;
  assert.is(summaryOf(attempt(none, { kind: 'safe' })), 'safe');
  assert.is(summaryOf(attempt(failed, { kind: 'begun' })), 'stopping');
  assert.is(summaryOf(attempt(none, failed)), 'not_safe');
  assert.is(summaryOf(attempt(none, { kind: 'refused', detail: '' })), 'not_confirmed');
});

test('PAGE-002 a proven stop leaves the page when another page has released it or another stop is in force', () => {
  for (const later of [null, stopWith('another')]) {
    shown.value = withState(newAttempt('0a1b2c3d', 0), 'guard', { kind: 'safe' }, 700);
    hear({ operator_stop: stopWith('0a1b2c3d') });
    assert.is(shown.value?.safeAt, 700);
    hear({ operator_stop: later });
    assert.is(shown.value, null);
  }
});

test('PAGE-002 a proven stop that the bridge never reports as in force leaves the page, but not by reports of before', () => {
  shown.value = withState(newAttempt('0a1b2c3d', 0), 'server', { kind: 'safe' }, 700);
  hear({});
  assert.ok(shown.value);
  for (let report = 0; report < 4; report++) hear({});
  assert.is(shown.value, null);
});

test('PAGE-002 a stop that is not proven stays on the page whatever the bridge reports', () => {
  for (const kind of ['no_answer', 'begun'] as const) {
    shown.value = withState(newAttempt('0a1b2c3d', 0), 'server', { kind }, 700);
    for (let report = 0; report < 9; report++) hear({});
    assert.ok(shown.value);
  }
});

test('PAGE-002 without a stop of its own the page shows whether the safe state is proven or under way', () => {
  const safeState = { outcome: 'safe', reason: 'operator', running: true };
  assert.is(panelSummary(null, bridgeWith({})), 'safe');
  assert.is(panelSummary(null, bridgeWith({ safe_state: safeState })), 'stopping');
  assert.is(panelSummary(null, bridgeWith({ not_safe: 'valve-3 is open' })), 'not_safe');
  const proven = withState(newAttempt('0a1b2c3d', 0), 'guard', { kind: 'safe' }, 700);
  assert.is(panelSummary(proven, bridgeWith({ not_safe: 'valve-3 is open' })), 'not_safe');
});

test.run();
