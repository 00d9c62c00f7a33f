import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { type Clock, systemClock } from '../../lib/clock/clock.ts';
import { HeartbeatMonitor } from '../../lib/liveness/heartbeat-monitor.ts';
import type { JsonLine } from '../../lib/liveness/json-lines.ts';
import { liveAddress, rigKey } from '../../lib/liveness/live-address.ts';
import { BRIDGE, GUARD } from '../../rig/guard/bridge-life.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { type BenchRig, openBenchRig } from '../../test-kit/services/rig.ts';
import { suite } from '../../test-kit/suite.ts';
import { whyNotRehearse } from './why-not-rehearse.ts';

const test = suite('rehearsal of the guard with dry contacts, on the bench');
const TEST_COIL = 7;

interface Rehearsed {
  rig: BenchRig;
  bridge: TestBridge;
  /** What the bridge answers to being asked for a rehearsal. */
  ask(): Promise<JsonLine>;
  silentMs(): number;
}

/** A bridge under a supervisor, whose last safe state was a minute ago, and a watcher in the place of the guard. */
async function rested(work: (one: Rehearsed) => Promise<void>, readThrottled = async () => 0): Promise<void> {
  const rig = await openBenchRig();
  const stateDir = mkdtempSync(join(tmpdir(), 'rehearsal-'));
  let jumpedMs = 0;
  const clock: Clock = { ...systemClock, monotonic: () => systemClock.monotonic() + jumpedMs };
  const bridge = await startTestBridge({
    yaml: `${rig.yaml}\nguard: {test_coil: ${TEST_COIL}}`,
    env: { SVC_HARDWARE_MODE: 'real', SVC_STATE_DIR: stateDir, pm_id: '3' },
    clock,
    readThrottled,
  });
  const answers: JsonLine[] = [];
  const watch = new HeartbeatMonitor({
    ...{ address: liveAddress(BRIDGE, rigKey(stateDir)), clock: systemClock, name: GUARD },
    onHello: () => {},
    onGone: () => {},
    onLine: (line) => {
      if (line.rehearsing !== undefined) answers.push(line);
    },
  });
  watch.start();
  try {
    await until(() => watch.isConnected);
    jumpedMs += 61_000;
    rig.moves();
    const ask = async () => {
      const before = answers.length;
      watch.tell({ rehearse: true });
      await until(() => answers.length > before);
      return answers.at(-1) ?? {};
    };
    await work({ rig, bridge, ask, silentMs: () => watch.silentMs });
  } finally {
    watch.stop();
    await bridge.shutDown('test_end');
    await rig.close();
    rmSync(stateDir, { recursive: true });
  }
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await systemClock.sleep(5);
}

const YES = { rehearsing: true, tried: true, why: null };

test('SVC-041 the twin shows the test coil on before the bridge says that it rehearses; then it is silent and refuses to move', () =>
  rested(async ({ rig, bridge, ask, silentMs }) => {
    assert.equal(await ask(), YES);
    assert.equal(rig.moves(), [`coil ${TEST_COIL} on`]);
    await until(() => silentMs() >= 300);
    const { status, body } = await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true');
    assert.equal([status, body.code], [409, 'safe_state_in_progress']);
    assert.is((await bridge.call('POST /api/v1/lease', { body: { owner: 'x' } })).status, 409);
    assert.equal(rig.moves(), []);
  }));

test('SVC-041 SVC-039 the safe state, also that of the end, switches the test coil off', () =>
  rested(async ({ rig, bridge, ask }) => {
    await ask();
    assert.is((await bridge.call('POST /api/v1/hardware/safe-state')).status, 200);
    assert.equal(rig.moves(), [`coil ${TEST_COIL} on`, `coil ${TEST_COIL} off`]);
    assert.not.ok(rig.bench.outputs.coils.includes(true));
  }));

test('SVC-041 nothing is closed while the rig is leased or held', () =>
  rested(async ({ rig, bridge, ask }) => {
    const lease = await bridge.call('POST /api/v1/lease', { body: { owner: 'x' } });
    const inUse = { rehearsing: false, tried: false, why: 'the rig is in use' };
    assert.equal(await ask(), inUse);
    await bridge.call(`DELETE /api/v1/lease/${String(lease.body.lease_id)}?safe=false`);
    assert.equal(await ask(), inUse, 'the manual hold runs');
    assert.equal(rig.moves(), []);
  }));

test('SVC-041 a test coil that echoes and stays off ends the rehearsal, and the rig is made safe', () =>
  rested(async ({ rig, bridge, ask }) => {
    await rig.bench.setKnobs('modbus-io', { coil_stuck: [TEST_COIL] });
    const answer = await ask();
    assert.equal([answer.rehearsing, answer.tried], [false, true]);
    assert.match(String(answer.why), 'output 7 was set on and echoed it, but reads off');
    await until(() => bridge.logged.some((line) => line.includes('safe state: safe (rehearsal_failed)')));
    assert.is((await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true')).status, 200);
  }));

test('SVC-043 under-voltage closes no test coil', () =>
  rested(
    async ({ rig, ask }) => {
      assert.match(String((await ask()).why), 'under voltage');
      assert.equal(rig.moves(), []);
    },
    async () => 1,
  ));

test('SVC-041 the valve of the test coil cannot be opened: nothing would open, and it would be confirmed', () =>
  rested(async ({ rig, bridge }) => {
    const { status, body } = await bridge.call('POST /api/v1/hardware/valve/valve-8?value=true');
    assert.equal([status, body.code], [422, 'unknown_valve']);
    assert.match(String(body.detail), 'guard.test_coil = 7 in svc.yaml keeps it for the guard');
    assert.is((await bridge.call('POST /api/v1/hardware/valve/valve-8?value=false')).status, 200);
    assert.is((await bridge.call('POST /api/v1/hardware/valve/valve-1?value=true')).status, 200);
    assert.equal(rig.moves(), ['coil 0 on']);
  }));

test('SVC-041 a real rig without a test coil never rehearses, and nothing does without a supervisor', () =>
  rested(async ({ bridge: { bridge } }) => {
    const config = { ...bridge.config, testCoil: undefined };
    const env = { pm_id: '0' };
    const idle = { rig: bridge.rig, config: bridge.config, isInUse: false };
    const real = { ...bridge.rig, bench: false };
    assert.is(whyNotRehearse(idle, env), undefined);
    assert.is(whyNotRehearse({ ...idle, config }, env), undefined, 'a bench');
    assert.is(whyNotRehearse({ ...idle, rig: real }, env), undefined, 'dry contacts');
    const never = 'this is not a bench, and svc.yaml has no guard.test_coil';
    assert.is(whyNotRehearse({ ...idle, rig: real, config }, env), never);
    assert.match(whyNotRehearse(idle, {}) ?? '', 'no supervisor');
  }));

test('SVC-048 a test coil that is in use stops the start of the bridge', async () => {
  const yaml = 'guard: {test_coil: 0}';
  await startTestBridge({ yaml }).then(
    () => assert.unreachable(),
    (fault: Error) => assert.match(fault.message, 'guard.test_coil = 0: this relay is in use'),
  );
});

test.run();
