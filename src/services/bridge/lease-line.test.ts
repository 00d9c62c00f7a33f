import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../lib/testing/suite.ts';
import { startTestBridge, type TestBridge } from './testing-bridge.ts';

const test = suite('line of a lease');

async function leased(
  work: (bridge: TestBridge, clock: SteppedClock, id: string) => Promise<void>,
): Promise<void> {
  const clock = new SteppedClock();
  const bridge = await startTestBridge({ clock });
  const taken = await bridge.call('POST /api/v1/lease', { body: { owner: 'run', ttl_ms: 60_000 } });
  try {
    await work(bridge, clock, String(taken.body.lease_id));
  } finally {
    const ended = bridge.shutDown('test_end');
    while ((await Promise.race([ended, systemClock.sleep(5)])) === undefined) await clock.advance(100);
  }
}

const remaining = async (bridge: TestBridge): Promise<number> =>
  Number((await bridge.call('GET /api/v1/lease')).body.expires_in_ms);

/** Opens the line and waits for its first word. */
async function open(bridge: TestBridge, id: string): Promise<() => void> {
  const stop = new AbortController();
  const response = await fetch(`${bridge.url}/api/v1/lease/${id}/line`, { signal: stop.signal });
  const reader = response.body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  assert.match(new TextDecoder().decode(value), /^\{"held":true,"expires_in_ms":\d+\}\n/);
  return () => stop.abort();
}

test('SVC-036 when the connection of its holder breaks, a lease has 2 s left, and the safe state follows', () =>
  leased(async (bridge, clock, id) => {
    const cut = await open(bridge, id);
    assert.is(await remaining(bridge), 60_000);
    await bridge.call('POST /api/v1/hardware/pump?power_pct=20', { lease: id });
    cut();
    while ((await remaining(bridge)) > 2000) await systemClock.sleep(5);
    await clock.advance(2000);
    assert.is((await bridge.call('GET /api/v1/lease')).body.held, false);
    await bridge.bridge.safeState.run('test');
    assert.ok(
      bridge.logged.some((line) => line.includes('lease_expired')),
      bridge.logged.join('\n'),
    );
  }));

test('SVC-036 a holder that still renews keeps its lease', () =>
  leased(async (bridge, clock, id) => {
    const cut = await open(bridge, id);
    cut();
    while ((await remaining(bridge)) > 2000) await systemClock.sleep(5);
    await clock.advance(1000);
    assert.is((await bridge.call(`POST /api/v1/lease/${id}/renew`)).body.expires_in_ms, 60_000);
    await clock.advance(5000);
    assert.is((await bridge.call('GET /api/v1/lease')).body.held, true);
  }));

test('SVC-036 the line of a lease that is no more is 410, and one that is given back ends', () =>
  leased(async (bridge, clock, id) => {
    const gone = await bridge.call('GET /api/v1/lease/00000000000000000000000000000000/line');
    assert.equal([gone.status, gone.body.code], [410, 'lease_gone']);
    const response = await fetch(`${bridge.url}/api/v1/lease/${id}/line`);
    bridge.bridge.leases.release(id);
    const whole = response.text();
    while ((await Promise.race([whole, systemClock.sleep(5)])) === undefined) await clock.advance(500);
    assert.match(await whole, 'held');
  }));

test.run();
