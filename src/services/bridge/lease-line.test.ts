import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { BridgeClient, type Fetch } from '../../scenario/rig/http/bridge-client.ts';
import { Lease } from '../../scenario/rig/http/lease.ts';
import type { RigObserver } from '../../scenario/rig/observer.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { suite } from '../../test-kit/suite.ts';

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

test('SVC-036 the line of a lease that is no more is 410', () =>
  leased(async (bridge) => {
    const gone = await bridge.call('GET /api/v1/lease/00000000000000000000000000000000/line');
    assert.equal([gone.status, gone.body.code], [410, 'lease_gone']);
  }));

for (const [how, end] of [
  ['given back', (bridge: TestBridge, id: string) => bridge.bridge.leases.release(id)],
  ['ended by a safe state', (bridge: TestBridge) => void bridge.bridge.makeSafe('test')],
] as const)
  test(`SVC-036 the line ends at once when the lease is ${how}, before its next word is due`, () =>
    leased(async (bridge, _clock, id) => {
      const { body } = await fetch(`${bridge.url}/api/v1/lease/${id}/line`);
      const reader = body?.getReader();
      assert.match(new TextDecoder().decode((await reader?.read())?.value), '"held":true');
      end(bridge, id);
      // The clock of the bridge stands still.
      assert.is((await reader?.read())?.done, true);
    }));

test('LANG-057 a run whose line is cut renews at once, opens it anew and keeps its lease', async () => {
  const bridge = await startTestBridge();
  const told: string[] = [];
  let lines = 0;
  let cut = () => {};
  const cuttable: Fetch = (url, init) => {
    if (!url.endsWith('/line')) return fetch(url, init);
    lines += 1;
    const wire = new AbortController();
    cut = () => wire.abort();
    const signals = init?.signal ? [init.signal, wire.signal] : [wire.signal];
    return fetch(url, { ...init, signal: AbortSignal.any(signals) });
  };
  const observer: RigObserver = {
    event: (event) => void (event.type === 'lease' && told.push(event.action)),
    marked: () => {},
    warning: (text) => void told.push(text),
    finding: () => {},
    leaseLost: (fault) => void told.push(fault.message),
  };
  const client = new BridgeClient(systemClock, cuttable, undefined, observer);
  const lease = new Lease(client, systemClock, bridge.url, 'run', observer);
  try {
    await lease.acquire();
    while (lines < 1) await systemClock.sleep(5);
    cut();
    while (lines < 2) await systemClock.sleep(5);
    assert.equal(told.slice(0, 2), ['acquire', 'renew']);
    assert.is(bridge.bridge.leases.holds(lease.id ?? ''), true);
    await lease.release(true);
    assert.is(told.at(-1), 'release');
    assert.equal([...new Set(told)].sort(), ['acquire', 'release', 'renew']);
  } finally {
    await bridge.shutDown('test_end');
  }
});

test.run();
