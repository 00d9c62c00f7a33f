import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/lib/testing/suite.ts';
import { end } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { onGuardedRig } from './guarded-rig.ts';

const test = suite('svc-guard on the bench');

const OFF = ['pump 0 on', 'coil 0 off', 'coil 2 off', 'pump 0 off'];

together(
  test,
  {
    'SVC-041 kill -9 of the bridge with pump and valves on, without PM2: the guard switches them off': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const guard = await rig.guardOf(bridge);
        await rig.actuate(bridge);
        const before = rig.moves().length;
        bridge.child.kill('SIGKILL');
        await rig.untilSafe();
        await guard.until('safe state: safe (bridge_ended)');
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
        const next = await rig.bridge();
        const health = (await (await fetch(`${next.url}/health`)).json()) as Record<string, unknown>;
        assert.equal([health.healthy, health.guard], [true, { watching: true }]);
      }),

    'SVC-041 SIGSTOP of the bridge with pump and valves on: the guard ends it and switches them off': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const guard = await rig.guardOf(bridge);
        await rig.actuate(bridge);
        bridge.child.kill('SIGSTOP');
        await rig.untilSafe();
        await guard.until('safe state: safe (bridge_hung)');
        assert.is((await bridge.ended).signal, 'SIGKILL');
        assert.equal(rig.report().killed, [`svc-bridge (pid ${bridge.pid})`]);
      }),

    'SVC-041 a bridge that stood still before the guard began is found too': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        await rig.actuate(bridge);
        bridge.child.kill('SIGSTOP');
        const guard = await rig.guard();
        await rig.untilSafe();
        await guard.until('safe state: safe (bridge_hung)');
        assert.is((await bridge.ended).signal, 'SIGKILL');
      }),

    'SVC-041 a bridge that has left the rig safe is left alone; the guard touches no device': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const guard = await rig.guardOf(bridge);
        await rig.actuate(bridge);
        await end(bridge);
        await guard.until('has left the rig safe');
        const frames = rig.trace().length;
        await systemClock.sleep(500);
        assert.is(rig.trace().length, frames);
        assert.not.match(guard.text(), 'safe state:');
      }),

    'SVC-041 a bridge that could not leave the rig safe is made up for as soon as the device answers': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const guard = await rig.guardOf(bridge);
        await rig.actuate(bridge);
        await rig.knobs('modbus-io', { deaf: true });
        assert.is((await end(bridge)).code, 1);
        await guard.until('safe state: partial (bridge_ended)');
        assert.match(guard.text(), /"msg":"valves_off (failed|timeout)/);
        assert.equal(await rig.outputsOn(), ['coil 0', 'coil 2']);
        await rig.knobs('modbus-io', { deaf: false });
        await rig.untilSafe();
        await guard.until('safe state: safe (bridge_ended)');
      }),

    'SVC-041 a guard that dies and comes back finds the bridge that died meanwhile': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const first = await rig.guardOf(bridge);
        await rig.actuate(bridge);
        first.child.kill('SIGKILL');
        await first.ended;
        bridge.child.kill('SIGKILL');
        await bridge.ended;
        assert.is((await rig.outputsOn()).length, 3, 'nobody is left');
        const second = await rig.guard();
        await rig.untilSafe();
        await second.until('safe state: safe (bridge_absent)');
      }),

    'SVC-041 the record of an earlier bridge says nothing about the one that died': () =>
      onGuardedRig(async (rig) => {
        assert.is((await end(await rig.bridge())).code, 0);
        const bridge = await rig.bridge();
        await rig.actuate(bridge);
        bridge.child.kill('SIGKILL');
        await bridge.ended;
        const guard = await rig.guard();
        await rig.untilSafe();
        await guard.until('safe state: safe (bridge_absent)');
      }),

    'SVC-041 a bridge that comes back at once makes the rig safe itself, and the guard sees to it': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const guard = await rig.guardOf(bridge);
        await rig.actuate(bridge);
        // The guard stands still while the supervisor is quicker.
        guard.child.kill('SIGSTOP');
        bridge.child.kill('SIGKILL');
        await bridge.ended;
        const next = await rig.bridge();
        await rig.untilSafe();
        guard.child.kill('SIGCONT');
        await guard.until(`watching svc-bridge (pid ${next.pid})`);
        await guard.until('by svc-bridge');
        const health = (await (await fetch(`${next.url}/health`)).json()) as Record<string, unknown>;
        assert.equal([health.healthy, rig.report().ok], [true, true]);
      }),

    'SVC-041 a device that a third program holds is not taken from it: the report says who': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const guard = await rig.guardOf(bridge);
        await rig.actuate(bridge);
        guard.child.kill('SIGSTOP');
        bridge.child.kill('SIGKILL');
        await bridge.ended;
        const other = await rig.service('svc-adc-uart', {
          UARTADC_SERIAL_PORT: rig.twin('modbus-io'),
        });
        guard.child.kill('SIGCONT');
        await guard.until('safe state: partial (bridge_ended)');
        const { steps } = rig.report();
        assert.equal(
          steps.map(({ status }) => status),
          ['done', 'done', 'done', 'failed', 'failed'],
        );
        assert.match(steps[3]?.detail ?? '', `is held by svc-adc-uart (pid ${other.pid}`);
        assert.equal(await rig.outputsOn(), ['coil 0', 'coil 2']);
        await end(other);
        await rig.untilSafe();
      }),

    'SVC-041 one guard only: the second ends with 75 and names the first': () =>
      onGuardedRig(async (rig) => {
        const first = await rig.guard();
        const { code, stderr } = await rig.launch('svc-guard', []).ended;
        assert.is(code, 75);
        assert.match(stderr, `is held by svc-guard (pid ${first.pid}`);
        assert.is(stderr.trim().split('\n').length, 1);
      }),

    'SVC-041 the end of the guard moves nothing and is no failure': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const guard = await rig.guardOf(bridge);
        await rig.actuate(bridge);
        for (const signal of ['SIGTERM', 'SIGINT'] as const) {
          const one = signal === 'SIGTERM' ? guard : await rig.guardOf(bridge);
          assert.is((await end(one, signal)).code, 0);
        }
        assert.is((await rig.outputsOn()).length, 3);
      }),

    'SVC-008 in mock mode the guard says so and drives nothing': () =>
      onGuardedRig(async (rig) => {
        const guard = await rig.guard({ SVC_HARDWARE_MODE: 'mock' });
        await guard.until('there is nothing to guard');
        await systemClock.sleep(200);
        assert.equal(rig.trace(), []);
        assert.is((await end(guard)).code, 0);
      }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
