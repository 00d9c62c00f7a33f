import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end, type Program } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { type GuardedRig, onGuardedRig, safeStatesOf } from './guarded-rig.ts';
import { guardOfWhole, type WholeRig, whole } from './whole-rig.ts';

const test = suite('svc-guard and the services of pump and lung');

/** Everything that can move does: two valves open, the pump on, the lung on its way for a minute. */
async function moving(rig: GuardedRig, { bridge }: WholeRig): Promise<void> {
  await rig.actuate(bridge);
  const url = `${bridge.url}/api/v1/hardware/lung?steps=100000&speed=10000000&cycles=1&pause=0`;
  const response = await fetch(url, { method: 'POST' });
  assert.is(response.status, 200, await response.text());
  assert.equal(await rig.outputsOn(), ['coil 0', 'coil 2', 'pump 102', 'lung']);
}

const hang = ({ child }: Program) => child.kill('SIGSTOP');

const stepsOf = (guard: Program, reason: string) =>
  safeStatesOf(guard).findLast((one) => one.reason === reason)?.steps;

const ALL_DONE = [
  'lung_halt done',
  'pump_zero done',
  'lung_deenergize done',
  'valves_off done',
  'valves_verify done',
];

together(
  test,
  {
    'SVC-041 kill -9 of the bridge with everything moving: the guard has the services stop pump and lung, and closes the valves':
      () =>
        onGuardedRig(async (rig) => {
          const services = await whole(rig);
          const guard = await guardOfWhole(rig, services);
          await moving(rig, services);
          services.bridge.child.kill('SIGKILL');
          await rig.untilSafe();
          await guard.until('safe state: safe (bridge_ended)');
          const { reason, killed, steps } = safeStatesOf(guard).at(-1) ?? {};
          assert.equal([reason, killed, steps], ['bridge_ended', [], ALL_DONE], 'the services did it');
        }),

    'SVC-041 everything killed at once, nothing is started again: the guard drives all devices itself': () =>
      onGuardedRig(async (rig) => {
        const services = await whole(rig);
        const guard = await guardOfWhole(rig, services);
        await moving(rig, services);
        for (const { child } of [services.pump, services.lung, services.bridge]) child.kill('SIGKILL');
        await rig.untilSafe();
        await guard.until('safe state: safe (bridge_ended)');
        assert.equal(stepsOf(guard, 'bridge_ended'), ALL_DONE);
      }),

    'SVC-041 everything stands still: bridge and services are ended and their devices stopped': () =>
      onGuardedRig(async (rig) => {
        const services = await whole(rig);
        const guard = await guardOfWhole(rig, services);
        await moving(rig, services);
        for (const program of [services.pump, services.lung, services.bridge]) hang(program);
        await rig.untilSafe();
        await guard.until('safe state: safe (bridge_hung)');
        assert.equal(stepsOf(guard, 'bridge_hung'), ALL_DONE);
        const { pump, lung, bridge } = services;
        for (const { ended } of [pump, lung, bridge]) assert.is((await ended).signal, 'SIGKILL');
        // By whichever was first: the safe state of the rig, or that of the one device.
        const killed = () => [...new Set(safeStatesOf(guard).flatMap((one) => one.killed))].sort();
        while (killed().length < 3) await systemClock.sleep(20);
        const named = { 'svc-bridge': bridge, 'svc-lung': lung, 'svc-pump': pump };
        assert.equal(
          killed(),
          Object.entries(named).map(([name, { pid }]) => `${name} (pid ${pid})`),
        );
      }),

    'SVC-041 the pump service alone is killed or stands still: the guard stops the pump, the bridge goes on':
      () =>
        onGuardedRig(async (rig) => {
          const services = await whole(rig);
          const guard = await guardOfWhole(rig, services);
          await rig.actuate(services.bridge);
          hang(services.pump);
          await rig.untilSafe();
          await guard.until('safe state: safe (service_lost_pump-motor)');
          assert.is((await services.pump.ended).signal, 'SIGKILL');
          assert.is((await fetch(`${services.bridge.url}/health`)).status, 200);
        }),

    'SVC-041 the pump service is killed while it runs without a bridge: the guard stops the pump': () =>
      onGuardedRig(async (rig) => {
        const services = await whole(rig);
        const { pump, bridge } = services;
        const guard = await guardOfWhole(rig, services);
        assert.is((await end(bridge)).code, 0);
        const run = () =>
          fetch(`${pump.url}/api/speed`, {
            method: 'POST',
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ power_pct: 40, hold_s: 10 }),
          });
        // The bridge that has ended holds it for a while.
        while ((await run()).status !== 200) await systemClock.sleep(100);
        pump.child.kill('SIGKILL');
        await rig.untilSafe();
        await guard.until('safe state: safe (service_lost_pump-motor)');
        assert.equal(stepsOf(guard, 'service_lost_pump-motor'), ['pump_zero done']);
      }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
