import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import type { ValvePort } from '../../rig/hardware/ports.ts';
import { startTestBridge, type TestBridge } from '../../test-kit/services/bridge.ts';
import { suite } from '../../test-kit/suite.ts';
import { buildRig } from './build-rig.ts';

const test = suite('rules of the bridge');

const running: TestBridge[] = [];
test.after(() => {
  for (const bridge of running) void bridge.shutDown('test_end');
});

/** A bridge whose valves take as long to open as the test wants; closing is immediate. */
async function startSlow(env: Record<string, string> = {}) {
  const opened: number[] = [];
  const waiting: (() => void)[] = [];
  const bridge = await startTestBridge({
    env,
    buildRig: (surroundings) => {
      const rig = buildRig(surroundings);
      const valves: ValvePort = {
        ...rig.valves,
        set: async (coil, open, signal) => {
          if (open) {
            await new Promise<void>((resolve, reject) => {
              waiting.push(resolve);
              signal?.addEventListener('abort', () => reject(signal.reason));
            });
            opened.push(coil);
          }
          return rig.valves.set(coil, open, signal);
        },
      };
      return new Proxy(rig, { get: (target, key) => (key === 'valves' ? valves : Reflect.get(target, key)) });
    },
  });
  running.push(bridge);
  const open = (n: number) => bridge.call(`POST /api/v1/hardware/valve/valve-${n}?value=true`);
  return { bridge, opened, waiting, open };
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 500 && !condition(); i++) await systemClock.sleep(2);
  assert.ok(condition(), 'the condition was never met');
}

test('SVC-039 the safe state does not queue: running and waiting actuations end as 409 superseded', async () => {
  const { bridge, opened, waiting, open } = await startSlow();
  const first = open(1);
  await until(() => waiting.length === 1);
  const second = open(2);
  await systemClock.sleep(30);
  const safe = await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
  assert.is(safe.status, 200);
  for (const answer of [await first, await second]) {
    assert.equal([answer.status, answer.body.code], [409, 'superseded']);
    assert.match(String(answer.body.detail), 'safe state');
  }
  assert.is(waiting.length, 1, 'the second one was never sent');
  assert.equal(opened, []);
  await bridge.shutDown('test_end');
});

test('a close overtakes queued opens of the valves and ends them, so that none can undo it', async () => {
  const { bridge, opened, waiting, open } = await startSlow();
  const first = open(1);
  await until(() => waiting.length === 1);
  const second = open(1);
  await systemClock.sleep(30);
  assert.is((await bridge.call('POST /api/v1/hardware/valve/valve-1?value=false')).status, 200);
  assert.equal([(await first).body.code, (await second).body.code], ['superseded', 'superseded']);
  await systemClock.sleep(30);
  assert.equal(opened, []);
  await bridge.shutDown('test_end');
});

test('SVC-051 a command under way that may switch something on is ended before a lease is granted', async () => {
  const { bridge, opened, waiting, open } = await startSlow();
  const first = open(1);
  await until(() => waiting.length === 1);
  const { body } = await bridge.call('POST /api/v1/lease', { body: { owner: 'run' } });
  waiting[0]?.();
  assert.equal([(await first).body.code, typeof body.lease_id, opened], ['superseded', 'string', []]);
  assert.match(bridge.logged.join('\n'), 'the rig is made safe before run gets the lease');
  await bridge.shutDown('test_end');
});

test('SVC-031 an actuation whose client goes away while it is being sent is not sent again', async () => {
  const { bridge, opened, waiting } = await startSlow();
  const gone = new AbortController();
  const url = `${bridge.url}/api/v1/hardware/valve/valve-1?value=true`;
  const lost = fetch(url, { method: 'POST', signal: gone.signal }).catch(() => 'gone');
  await until(() => waiting.length === 1);
  gone.abort();
  assert.is(await lost, 'gone');
  await systemClock.sleep(30);
  waiting[0]?.();
  await until(() => opened.length === 1);
  assert.is(waiting.length, 1);
  await bridge.shutDown('test_end');
});

test('SVC-036 a lease and an actuation during a safe state are 409 safe_state_in_progress', async () => {
  let finish = () => {};
  const bridge = await startTestBridge({
    buildRig: (surroundings) => {
      const rig = buildRig(surroundings);
      const steps = {
        ...rig.safeStateSteps,
        pump_zero: () =>
          new Promise<{ status: 'simulated'; verified: false; detail: string }>((resolve) => {
            finish = () => resolve({ status: 'simulated', verified: false, detail: 'slow' });
          }),
      };
      return new Proxy(rig, {
        get: (target, key) => (key === 'safeStateSteps' ? steps : Reflect.get(target, key)),
      });
    },
  });
  const first = bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
  await until(() => bridge.bridge.safeState.running);
  const joined = bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
  for (const [line, body] of [
    ['POST /api/v1/lease', { owner: 'run' }],
    ['POST /api/v1/hardware/valve/valve-1?value=true', undefined],
    ['POST /api/v1/hardware/pump?power_pct=1', undefined],
  ] as const) {
    assert.is((await bridge.call(line, { body })).body.code, 'safe_state_in_progress', line);
  }
  assert.is((await bridge.call('POST /api/v1/hardware/valve/valve-1?value=false')).status, 200);
  finish();
  assert.equal((await first).body, (await joined).body);
  finish = () => {};
  const ended = bridge.shutDown('test_end');
  await until(() => bridge.bridge.safeState.running);
  finish();
  await ended;
});

test('SVC-039 a step that is not done makes 503 safe_state_incomplete with all steps, and the shutdown not ok', async () => {
  const bridge = await startTestBridge({
    buildRig: (surroundings) => {
      const rig = buildRig(surroundings);
      const steps = { ...rig.safeStateSteps, valves_off: () => Promise.reject(new Error('echo differs')) };
      return new Proxy(rig, {
        get: (target, key) => (key === 'safeStateSteps' ? steps : Reflect.get(target, key)),
      });
    },
  });
  const lease = String((await bridge.call('POST /api/v1/lease', { body: { owner: 'run' } })).body.lease_id);
  const released = await bridge.call(`DELETE /api/v1/lease/${lease}`);
  assert.equal([released.status, released.body.code], [503, 'safe_state_incomplete']);
  const { status, body } = await bridge.call('POST /api/v1/hardware/safe-state?reason=preparation');
  assert.equal([status, body.code, body.ok, body.outcome], [503, 'safe_state_incomplete', false, 'failed']);
  const steps = body.steps as { name: string; status: string; detail: string }[];
  assert.equal([steps.length, steps[3]?.status, steps[3]?.detail], [5, 'failed', 'echo differs']);
  assert.match(String(body.detail), 'valves_off: echo differs');
  assert.is((await bridge.shutDown('SIGTERM')).ok, false);
});

test.run();
