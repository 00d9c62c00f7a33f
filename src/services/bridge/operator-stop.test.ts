import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { HeartbeatMonitor } from '../../lib/liveness/heartbeat-monitor.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';
import { acquireLock } from '../../lib/lock/lock.ts';
import { BRIDGE, GUARD, guardLockKey } from '../../rig/guard/bridge-life.ts';
import { OperatorStopFile } from '../../rig/safe-state/operator-stop-record.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { openBenchRig } from '../../test-kit/services/rig.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite("the bridge after an operator's stop");
type Body = Record<string, unknown>;

const YAML = 'peripherals: {lamp: {type: light}}';
const running: TestBridge[] = [];
let folder = '';
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'stopped-'));
});
test.after.each(async () => {
  await Promise.all(running.splice(0).map((bridge) => bridge.shutDown('test_end')));
  rmSync(folder, { recursive: true, force: true });
});

/** Simulated devices, and the record of a real rig. */
async function start(): Promise<TestBridge> {
  const operatorStopRecord = new OperatorStopFile(folder);
  const bridge = await startTestBridge({ yaml: YAML, operatorStopRecord });
  running.push(bridge);
  return bridge;
}

const SWITCHES_ON = [
  'POST /api/v1/hardware/valve/valve-1?value=true',
  'POST /api/v1/hardware/pump?power_pct=20',
  'POST /api/v1/hardware/lung',
];
const SWITCHES_OFF = [
  'POST /api/v1/hardware/valve/valve-1?value=false',
  'POST /api/v1/hardware/pump?power_pct=0',
  'POST /api/v1/hardware/lung/stop',
  'POST /api/v1/hardware/lung/disable',
];
const STOP = 'POST /api/v1/hardware/safe-state?reason=operator&by=anna@rig';
const CLEAR = 'POST /api/v1/hardware/operator-stop/clear';

async function assertStopped(bridge: TestBridge): Promise<void> {
  for (const line of [...SWITCHES_ON, 'POST /api/v1/lease', 'PUT /api/v1/peripherals/lamp']) {
    const body = line.endsWith('lease')
      ? { owner: 'run' }
      : line.startsWith('PUT')
        ? { currentValue: 1, targetValue: 1 }
        : undefined;
    const answer = await bridge.call(line, { body });
    assert.equal(
      [answer.status, answer.body.code, answer.body.rule],
      [409, 'operator_stop', 'operator_stop'],
      line,
    );
    assert.match(String(answer.body.detail), /^anna@rig stopped the rig at 20.*svcctl stop --clear/);
  }
  for (const line of SWITCHES_OFF) assert.is((await bridge.call(line)).status, 200, line);
}

test('SVC-049 after a stop no lease is granted or renewed and nothing is switched on until a person clears it', async () => {
  const bridge = await start();
  const lease = String((await bridge.call('POST /api/v1/lease', { body: { owner: 'run' } })).body.lease_id);
  const { status, body } = await bridge.call(STOP);
  const stop = body.operator_stop as Body;
  assert.equal(
    [status, body.reason, stop.by, stop.reason, stop.persisted],
    [200, 'operator', 'anna@rig', 'operator', true],
  );
  const renewed = await bridge.call(`POST /api/v1/lease/${lease}/renew`);
  assert.equal([renewed.status, renewed.body.code], [409, 'operator_stop']);
  for (const line of SWITCHES_ON)
    assert.is((await bridge.call(line, { lease })).body.code, 'operator_stop', `${line} with the old lease`);
  await assertStopped(bridge);
  for (const path of ['/health', '/api/v1/hardware/health'])
    assert.equal((await bridge.call(`GET ${path}`)).body.operator_stop, stop, path);

  const byRun = await bridge.call(CLEAR, { lease });
  assert.equal([byRun.status, byRun.body.code], [400, 'invalid_request']);
  await assertStopped(bridge);
  const cleared = await bridge.call(`${CLEAR}?by=bert`);
  assert.equal(
    [cleared.status, (cleared.body.cleared as Body).by, cleared.body.operator_stop],
    [200, 'anna@rig', null],
  );
  assert.is((await bridge.call('GET /health')).body.operator_stop, null);
  assert.is((await bridge.call(SWITCHES_ON[0] ?? '')).status, 200);
  assert.equal((await bridge.call(CLEAR)).body, { ok: true, cleared: null, operator_stop: null });
  // Whoever held the lease learns why it ended, also when the stop has been cleared meanwhile.
  const late = await bridge.call(`POST /api/v1/lease/${lease}/renew`);
  assert.equal(
    [late.status, late.body.code, (late.body.operator_stop as Body).by],
    [410, 'lease_gone', 'anna@rig'],
  );
});

test('SVC-049 a stop survives the restart of the bridge, and so does one that the guard recorded meanwhile', async () => {
  const first = await start();
  await first.call(STOP);
  await first.shutDown('SIGTERM');
  const second = await start();
  await assertStopped(second);
  await second.call(CLEAR);
  const taken = await second.call('POST /api/v1/lease', { body: { owner: 'run' } });
  assert.is(taken.status, 201);
  const lease = String(taken.body.lease_id);
  await second.call(SWITCHES_ON[0] ?? '', { lease });
  const at = '2026-01-01T00:00:00.000Z';
  writeFileSync(
    join(folder, 'operator-stop.json'),
    JSON.stringify({ by: 'anna@rig', reason: 'operator', at }),
  );
  assert.is((await second.call(SWITCHES_ON[1] ?? '', { lease })).body.code, 'operator_stop');
  assert.is(second.bridge.leases.current(), undefined, 'the lease has ended');
  const { valves } = (await second.call('GET /api/v1/hardware/valves')).body as { valves: Body };
  assert.is(valves['valve-1'], false, 'and the rig is safe');
});

test('SVC-049 safe states of programs do not stay: end of a run, recovery, preparation, lease, and the holder itself', async () => {
  const bridge = await start();
  const free = async (what: string) =>
    assert.is((await bridge.call('GET /health')).body.operator_stop, null, what);
  for (const reason of ['run_ended', 'run_recovered', 'preparation']) {
    const { body } = await bridge.call(`POST /api/v1/hardware/safe-state?reason=${reason}`);
    assert.equal([body.reason, body.operator_stop], [reason, null]);
    await free(reason);
  }
  const take = async () =>
    String((await bridge.call('POST /api/v1/lease', { body: { owner: 'run' } })).body.lease_id);
  const lease = await take();
  const own = (await bridge.call('POST /api/v1/hardware/safe-state', { lease })).body;
  assert.equal([own.reason, own.lease_held, own.operator_stop], ['lease_holder', true, null]);
  await bridge.call(`DELETE /api/v1/lease/${await take()}`);
  await free('lease released');
  const late = (await bridge.call('POST /api/v1/hardware/safe-state?reason=run_ended', { lease })).body;
  assert.equal([late.lease_held, late.operator_stop], [false, null], 'its lease had ended');
});

test('SVC-049 what no one can account for stays: no reason, an unknown one, a lease that has ended', async () => {
  for (const [line, lease] of [
    ['POST /api/v1/hardware/safe-state', undefined],
    ['POST /api/v1/hardware/safe-state?reason=run_ended_', undefined],
    ['POST /api/v1/hardware/safe-state?reason=&reason=preparation', undefined],
    ['POST /api/v1/hardware/safe-state', 'a-lease-of-long-ago'],
  ] as const) {
    const bridge = await start();
    const { body } = await bridge.call(line, lease === undefined ? {} : { lease });
    const { by } = body.operator_stop as Body;
    assert.equal([body.reason, by], ['operator', 'HTTP client at 127.0.0.1'], line);
    await bridge.call(CLEAR);
  }
});

test('SVC-049 a late request for a stop that was cleared meanwhile makes the rig safe and does not latch again', async () => {
  const bridge = await start();
  const first = await bridge.call(`${STOP}&id=one-stop`);
  assert.is((first.body.operator_stop as Body).id, 'one-stop');
  await bridge.call(`${CLEAR}?id=one-stop`);
  const late = await bridge.call(`${STOP}&id=one-stop`);
  assert.equal([late.status, late.body.operator_stop], [200, null]);
  assert.is((await bridge.call(SWITCHES_ON[0] ?? '')).status, 200);
});

test('SVC-049 who clears the stop that was seen does not clear one that came after it', async () => {
  const bridge = await start();
  const seen = String(((await bridge.call(STOP)).body.operator_stop as Body).id);
  const later = (await bridge.call('POST /api/v1/hardware/safe-state?by=carl')).body.operator_stop as Body;
  const refused = await bridge.call(`${CLEAR}?by=bert&id=${seen}`);
  assert.equal([refused.status, refused.body.code], [409, 'operator_stop']);
  assert.match(String(refused.body.detail), `svcctl stop --clear ${later.id}`);
  assert.match(String(refused.body.detail), 'carl stopped the rig at');
  assert.is((await bridge.call(SWITCHES_ON[0] ?? '')).body.code, 'operator_stop');
  const cleared = await bridge.call(`${CLEAR}?by=bert&id=${later.id}`);
  assert.equal([cleared.status, cleared.body.operator_stop], [200, null]);
});

test('SVC-049 where a guard runs, nothing is switched on or cleared until it has reported whether it holds a stop', async () => {
  const rig = await openBenchRig();
  const since = new Date().toISOString();
  const identity = () => ({ service: GUARD, pid: process.pid, port: null, since });
  const lock = await acquireLock({ key: guardLockKey(rig.folder), identity });
  let held: JsonLine = {};
  const guard = new HeartbeatMonitor({
    ...{ address: liveAddress(BRIDGE, rigKey(rig.folder)), clock: systemClock, name: GUARD },
    ...{ about: () => held, onHello: () => {}, onLine: () => {}, onGone: () => {} },
  });
  guard.start();
  try {
    const bridge = await rig.start();
    const lease = () => bridge.call('POST /api/v1/lease', { body: { owner: 'run', ttl_ms: 60_000 } });
    for (const { status, body } of [
      await lease(),
      await bridge.call(SWITCHES_ON[0] ?? ''),
      await bridge.call(CLEAR),
    ])
      assert.equal([status, body.code, body.rule], [409, 'safe_state_in_progress', 'operator_stop']);
    assert.is((await bridge.call(SWITCHES_OFF[0] ?? '')).status, 200);
    held = { operator_stop: null };
    let granted = await lease();
    while (granted.body.code === 'safe_state_in_progress') granted = await lease();
    assert.is(granted.status, 201);
    held = { operator_stop: { id: 'x', by: 'anna@rig', reason: 'operator', at: since } };
    while (bridge.bridge.leases.current()) await systemClock.sleep(5);
    assert.is(
      (await lease()).body.code,
      'operator_stop',
      'and one that it hands over ends the use of the rig',
    );
  } finally {
    guard.stop();
    await lock.release();
    await rig.close();
  }
});

test('SVC-049 in mock mode the stop is kept in memory: no file of the rig is written', async () => {
  const bridge = await startTestBridge({ env: { SVC_STATE_DIR: folder } });
  running.push(bridge);
  await bridge.call(STOP);
  assert.is((await bridge.call(SWITCHES_ON[0] ?? '')).body.code, 'operator_stop');
  const again = await startTestBridge({ env: { SVC_STATE_DIR: folder } });
  running.push(again);
  assert.is((await again.call(SWITCHES_ON[0] ?? '')).status, 200);
});

test.run();
