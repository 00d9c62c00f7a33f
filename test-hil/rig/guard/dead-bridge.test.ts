import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end, type Program } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { type GuardedRig, onGuardedRig, type Service } from './guarded-rig.ts';

const test = suite('svc-guard on the bench');

const OFF = ['pump 0 on', 'coil 0 off', 'coil 2 off', 'pump 0 off'];

interface Moving {
  rig: GuardedRig;
  bridge: Service;
  guard: Program;
}

/** A bridge that has the pump on and two valves open, and a guard that watches it. */
const moving = (work: (scene: Moving) => Promise<void>) => () =>
  onGuardedRig(async (rig) => {
    const bridge = await rig.bridge();
    const guard = await rig.guardOf(bridge);
    await rig.actuate(bridge);
    await work({ rig, bridge, guard });
  });

/** The twins are off, and the guard says why it acted. */
async function madeSafe(rig: GuardedRig, guard: Program, reason: string): Promise<void> {
  await rig.untilSafe();
  await guard.until(`safe state: safe (${reason})`);
}

async function kill({ child, ended }: Program): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

async function isWatched({ url }: Service): Promise<void> {
  const health = (await (await fetch(`${url}/health`)).json()) as Record<string, unknown>;
  assert.equal([health.healthy, health.guard], [true, { watching: true }]);
}

together(
  test,
  {
    'SVC-041 kill -9 of the bridge with pump and valves on, without PM2: the guard switches them off': moving(
      async ({ rig, bridge, guard }) => {
        const before = rig.moves().length;
        await kill(bridge);
        await madeSafe(rig, guard, 'bridge_ended');
        const moves = rig.moves().slice(before);
        assert.equal(moves.filter((move) => !move.startsWith('lung')).sort(), [...OFF].sort());
        const report = rig.report();
        assert.equal([report.ok, report.by, report.bench, report.killed], [true, 'svc-guard', true, []]);
        assert.equal(
          report.steps.map(({ name, status }) => `${name} ${status}`),
          [
            'lung_halt done',
            'pump_zero done',
            'lung_deenergize done',
            'valves_off done',
            'valves_verify done',
          ],
        );
        // The guard lets go of everything: the next bridge gets its devices.
        await isWatched(await rig.bridge());
      },
    ),

    'SVC-041 SIGSTOP of the bridge with pump and valves on: the guard ends it and switches them off': moving(
      async ({ rig, bridge, guard }) => {
        bridge.child.kill('SIGSTOP');
        await madeSafe(rig, guard, 'bridge_hung');
        assert.is((await bridge.ended).signal, 'SIGKILL');
        assert.equal(rig.report().killed, [`svc-bridge (pid ${bridge.pid})`]);
      },
    ),

    'SVC-041 a bridge that stood still before the guard began is found too': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        await rig.actuate(bridge);
        bridge.child.kill('SIGSTOP');
        await madeSafe(rig, await rig.guard(), 'bridge_hung');
        assert.is((await bridge.ended).signal, 'SIGKILL');
      }),

    'SVC-041 a bridge that has left the rig safe is left alone; the guard touches no device': moving(
      async ({ rig, bridge, guard }) => {
        await end(bridge);
        await guard.until('has left the rig safe');
        const frames = rig.trace().length;
        await systemClock.sleep(500);
        assert.is(rig.trace().length, frames);
        assert.not.match(guard.text(), 'safe state:');
      },
    ),

    'SVC-041 a bridge that could not leave the rig safe is made up for as soon as the device answers': moving(
      async ({ rig, bridge, guard }) => {
        await rig.knobs('modbus-io', { deaf: true });
        assert.is((await end(bridge)).code, 1);
        await guard.until('safe state: partial (bridge_ended)');
        assert.match(guard.text(), /"msg":"valves_off (failed|timeout)/);
        assert.equal(await rig.outputsOn(), ['coil 0', 'coil 2']);
        await rig.knobs('modbus-io', { deaf: false });
        await madeSafe(rig, guard, 'bridge_ended');
      },
    ),

    'SVC-041 a guard that dies and comes back finds the bridge that died meanwhile': moving(
      async ({ rig, bridge, guard }) => {
        await kill(guard);
        await kill(bridge);
        assert.is((await rig.outputsOn()).length, 3, 'no guard is left');
        await madeSafe(rig, await rig.guard(), 'bridge_absent');
      },
    ),

    'SVC-041 the record of an earlier bridge says nothing about the one that died': () =>
      onGuardedRig(async (rig) => {
        assert.is((await end(await rig.bridge())).code, 0);
        const bridge = await rig.bridge();
        await rig.actuate(bridge);
        await kill(bridge);
        await madeSafe(rig, await rig.guard(), 'bridge_absent');
      }),

    'SVC-041 a bridge that comes back at once makes the rig safe itself, and the guard sees to it': moving(
      async ({ rig, bridge, guard }) => {
        // The guard stands still while the supervisor is quicker.
        guard.child.kill('SIGSTOP');
        await kill(bridge);
        const next = await rig.bridge();
        await rig.untilSafe();
        guard.child.kill('SIGCONT');
        await guard.until(`watching svc-bridge (pid ${next.pid})`);
        await guard.until('by svc-bridge');
        await isWatched(next);
        assert.equal([rig.report().ok, rig.report().bench], [true, true]);
      },
    ),

    'SVC-041 a device that a third program holds is not taken from it: the report says who': moving(
      async ({ rig, bridge, guard }) => {
        guard.child.kill('SIGSTOP');
        await kill(bridge);
        const other = await rig.service('svc-adc-uart', {
          UARTADC_SERIAL_PORT: rig.twin('modbus-io'),
        });
        guard.child.kill('SIGCONT');
        await guard.until('safe state: partial (bridge_ended)');
        const { steps } = rig.report();
        assert.equal(
          steps.slice(3).map(({ name, status }) => [name, status]),
          [
            ['valves_off', 'failed'],
            ['valves_verify', 'failed'],
          ],
        );
        assert.match(steps[3]?.detail ?? '', `is held by svc-adc-uart (pid ${other.pid}`);
        assert.equal(await rig.outputsOn(), ['coil 0', 'coil 2']);
        await end(other);
        await rig.untilSafe();
      },
    ),

    'SVC-041 the end of the guard moves nothing and is not a failure': moving(
      async ({ rig, bridge, guard }) => {
        assert.is((await end(guard, 'SIGTERM')).code, 0);
        assert.is((await end(await rig.guardOf(bridge), 'SIGINT')).code, 0);
        assert.is((await rig.outputsOn()).length, 3);
      },
    ),

    'SVC-008 in mock mode the guard says so, drives nothing, and leaves a real rig to its own guard': () =>
      onGuardedRig(async (rig) => {
        const mock = await rig.guard({ SVC_HARDWARE_MODE: 'mock' });
        await mock.until('there is nothing to guard');
        await systemClock.sleep(200);
        assert.equal(rig.trace(), []);
        const bridge = await rig.settledBridge();
        await rig.actuate(bridge);
        const guard = await rig.guardOf(bridge);
        assert.is((await end(mock)).code, 0);
        bridge.child.kill('SIGKILL');
        await guard.until('safe state: safe (bridge_ended)');
      }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
