import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { together } from '../bench/together.ts';
import { type GuardedRig, onGuardedRig, type Service } from './guarded-rig.ts';

const test = suite('guard and supervisor at once');
const HEALTHY_LIMIT_MS = 60_000;

async function healthy(bridge: Service): Promise<void> {
  const until = performance.now() + HEALTHY_LIMIT_MS;
  for (;;) {
    const health = (await (await fetch(`${bridge.url}/health`)).json()) as Record<string, unknown>;
    if (health.healthy === true) return;
    assert.ok(performance.now() < until, JSON.stringify(health));
    await systemClock.sleep(50);
  }
}

/** Frames and moves of one safe state, in the order in which the twins saw them. */
async function orderOfOne(rig: GuardedRig, bridge: Service): Promise<string[]> {
  await rig.actuate(bridge);
  await fetch(`${bridge.url}/api/v1/hardware/lung?steps=100000&cycles=1&pause=0`, { method: 'POST' });
  const before = rig.trace().length;
  const response = await fetch(`${bridge.url}/api/v1/hardware/safe-state?reason=preparation`, {
    method: 'POST',
  });
  assert.is(response.status, 200, await response.text());
  const names: Record<string, (one: ReturnType<GuardedRig['trace']>[number]) => boolean> = {
    halt: ({ kind, velocity, energized }) => kind === 'motion' && velocity === 0 && energized === true,
    'pump 0': ({ kind, duty }) => kind === 'drive' && duty === 0,
    'de-energize': ({ kind, energized }) => kind === 'motion' && energized === false,
    'valves off': ({ kind, on }) => kind === 'coil' && on === false,
  };
  const trace = rig.trace().slice(before);
  const at = Object.entries(names).map(([name, match]) => [name, trace.findIndex(match)] as const);
  assert.ok(!at.some(([, index]) => index < 0), JSON.stringify(at));
  return [...at].sort((a, b) => a[1] - b[1]).map(([name]) => name);
}

together(
  test,
  {
    'SVC-041 the one that is first after a kill -9, the next bridge gets its devices and the rig is safe':
      () =>
        onGuardedRig(async (rig) => {
          let bridge = await rig.bridge();
          const guard = await rig.guardOf(bridge);
          for (const delayMs of [0, 20, 60, 150]) {
            await rig.actuate(bridge);
            bridge.child.kill('SIGKILL');
            await systemClock.sleep(delayMs);
            bridge = await rig.bridge();
            await rig.untilSafe();
            await healthy(bridge);
            await guard.until(`watching svc-bridge (pid ${bridge.pid})`);
            assert.equal(await rig.outputsOn(), []);
          }
          assert.is(guard.child.exitCode, null);
        }),

    'SVC-041 two rigs on one machine: a guard acts for its own bridge only': () =>
      onGuardedRig((one) =>
        onGuardedRig(async (other) => {
          const [a, b] = [await one.bridge(), await other.bridge()];
          const [guardOfA, guardOfB] = [await one.guardOf(a), await other.guardOf(b)];
          await one.actuate(a);
          await other.actuate(b);
          a.child.kill('SIGKILL');
          await one.untilSafe();
          await guardOfA.until('safe state: safe (bridge_ended)');
          assert.is((await other.outputsOn()).length, 3);
          assert.not.match(guardOfB.text(), /is lost|is not responding/);
        }),
      ),

    'SVC-039 the twins see lung halt, pump 0, de-energize, valves off': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        // The stop of a Tic de-energizes it too: that may come before the pump.
        const wanted = ['halt, pump 0, de-energize, valves off', 'halt, de-energize, pump 0, valves off'];
        const seen: string[] = [];
        for (let round = 0; round < 5; round++) seen.push((await orderOfOne(rig, bridge)).join(', '));
        // A machine that stands still for a moment may let two frames on different wires overtake each other.
        assert.ok(seen.filter((order) => wanted.includes(order)).length >= 3, seen.join('\n'));
      }),
  },
  { timeoutMs: 120_000, atOnce: 2 },
);

test.run();
