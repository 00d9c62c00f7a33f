import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { ask, onPumpRig, type PumpRig, type Service } from './pump-rig.ts';

const test = suite('the bridge drives the pump through svc-pump');

interface Driven {
  rig: PumpRig;
  pump: Service;
  bridge: Service;
}

/** Pump at 40 % by the bridge. */
async function driven(work: (all: Driven) => Promise<void>): Promise<void> {
  await onPumpRig(async (rig) => {
    const pump = await rig.pump();
    const bridge = await rig.bridge(pump.url);
    const { status, body } = await ask(bridge, 'POST /api/v1/hardware/pump?power_pct=40');
    assert.equal([status, body.power_pct, body.mock, body.bench], [200, 40, false, true]);
    assert.is(await rig.duty(), 102);
    rig.seen();
    await work({ rig, pump, bridge });
  });
}

const drives = (rig: PumpRig) => rig.seen().filter((one) => one.startsWith('drive'));

together(
  test,
  {
    'SVC-028 renewed by the bridge the pump runs beyond its hold of 10 s, and the safe state stops it by the service':
      () =>
        driven(async ({ rig, pump, bridge }) => {
          await systemClock.sleep(12_000);
          assert.is(await rig.duty(), 102);
          const { body } = await ask(pump, 'GET /api/status');
          assert.ok(Number(body.hold_remaining_s) <= 10);
          const safe = await ask(bridge, 'POST /api/v1/hardware/safe-state');
          assert.equal([safe.status, safe.body.outcome], [200, 'safe']);
          const steps = safe.body.steps as { name: string; status: string; verified: boolean }[];
          const zero = steps.find(({ name }) => name === 'pump_zero');
          assert.equal([zero?.status, zero?.verified], ['done', true]);
          assert.equal(drives(rig), ['drive 0 on', 'drive 0 off']);
          const health = (await ask(bridge, 'GET /api/v1/hardware/health')).body;
          assert.equal([health.motor, health.modbus], ['ok', 'ok']);
        }),

    'SVC-028 a bridge that is stopped by SIGSTOP renews nothing: the pump stops by itself': () =>
      driven(async ({ rig, bridge }) => {
        bridge.child.kill('SIGSTOP');
        await rig.untilStopped();
        assert.equal(drives(rig), ['drive 0 on', 'drive 0 off']);
        bridge.child.kill('SIGCONT');
        await bridge.until('actuator lost: pump-motor');
        await bridge.until('(actuator_lost)');
      }),

    'SVC-028 a bridge that is killed renews nothing: the pump stops by itself': () =>
      driven(async ({ rig, bridge }) => {
        await end(bridge, 'SIGKILL');
        await rig.untilStopped();
        assert.equal(drives(rig), ['drive 0 on', 'drive 0 off']);
      }),

    'SVC-040 a service that is killed: the bridge makes the rig safe, and makes up for the pump when it is back':
      () =>
        driven(async ({ rig, pump, bridge }) => {
          await ask(bridge, 'POST /api/v1/hardware/valve/valve-1?value=true');
          await end(pump, 'SIGKILL');
          await bridge.until(
            'actuator lost: pump-motor is no longer under command: its hold could not be renewed',
          );
          await bridge.until('(actuator_lost)');
          assert.is(await rig.duty(), 102, 'no program is there to stop it');
          const refused = await ask(bridge, 'POST /api/v1/hardware/pump?power_pct=20');
          assert.equal([refused.status, refused.body.code], [503, 'device_unavailable']);
          await rig.pump({}, new URL(pump.url).port);
          assert.is(await rig.duty(), 0, 'its start stopped it');
          await bridge.until('the rig is proven safe again');
          assert.equal(drives(rig), ['drive 0 on', 'drive 0 off']);
        }),

    'SVC-052 beside a bridge no other client switches the pump on or keeps it on; every client reads and stops it':
      () =>
        onPumpRig(async (rig) => {
          const pump = await rig.pump();
          const bridge = await rig.bridge(pump.url);
          const refused = await ask(pump, 'POST /api/speed', { power_pct: 20 });
          assert.equal([refused.status, refused.body.code], [409, 'held_by_bridge'], 'from its start on');
          const { service, pid, port } = refused.body.holder as Record<string, unknown>;
          assert.equal([service, pid, String(port)], ['svc-bridge', bridge.pid, new URL(bridge.url).port]);
          const power = 'POST /api/v1/hardware/pump?power_pct=40';
          assert.is((await ask(bridge, power)).status, 200);
          for (const line of ['POST /api/speed', 'POST /api/hold']) {
            const sent = line.endsWith('speed') ? { power_pct: 100 } : { hold_s: 3600 };
            assert.is((await ask(pump, line, sent)).body.code, 'held_by_bridge');
          }
          assert.equal([await rig.duty(), drives(rig).at(-1)], [102, 'drive 102 on']);
          const { body } = await ask(pump, 'GET /api/status');
          assert.ok(Number(body.hold_remaining_s) <= 10);
          assert.is((await ask(pump, 'POST /api/stop')).status, 200);
          await bridge.until('(actuator_lost)');
          assert.is(await rig.duty(), 0);
        }),

    'SVC-052 the service is held across a restart of its own, also by a bridge that hangs': () =>
      driven(async ({ rig, pump, bridge }) => {
        await end(pump, 'SIGKILL');
        bridge.child.kill('SIGSTOP');
        const next = await rig.pump({}, new URL(pump.url).port);
        const refused = await ask(next, 'POST /api/speed', { power_pct: 20 });
        assert.equal([refused.status, refused.body.code], [409, 'held_by_bridge']);
        assert.is((refused.body.holder as Record<string, unknown>).pid, bridge.pid);
        bridge.child.kill('SIGCONT');
        await bridge.until('(actuator_lost)');
        const power = () => ask(bridge, 'POST /api/v1/hardware/pump?power_pct=20');
        while ((await power()).status !== 200) await systemClock.sleep(100);
      }),

    'SVC-052 a bridge that is started again commands at once; when none is left, any client does again': () =>
      driven(async ({ rig, pump, bridge }) => {
        await end(bridge, 'SIGKILL');
        const again = await rig.bridge(pump.url);
        assert.is((await ask(again, 'POST /api/v1/hardware/pump?power_pct=20')).status, 200);
        await end(again);
        assert.is(await rig.duty(), 0);
        const direct = () => ask(pump, 'POST /api/speed', { power_pct: 20 });
        const first = await direct();
        assert.is(first.body.code, 'held_by_bridge');
        assert.match(String(first.body.remedy), 'stop it and wait 10 s');
        while ((await direct()).status !== 200) await systemClock.sleep(100);
        assert.is(await rig.duty(), 51);
      }),

    'SVC-009 a service in mock mode behind a bridge in real mode is incompatible, refused and never called safe':
      () =>
        onPumpRig(async (rig) => {
          const pump = await rig.pump({ SVC_HARDWARE_MODE: 'mock' });
          const bridge = await rig.bridge(pump.url);
          const { body } = await ask(bridge, 'GET /api/v1/hardware/health');
          const components = body.components as Record<string, Record<string, unknown>>;
          assert.equal([body.ok, components['pump-motor']?.status], [false, 'incompatible']);
          const refused = await ask(bridge, 'POST /api/v1/hardware/pump?power_pct=20');
          assert.equal([refused.status, refused.body.code], [503, 'wrong_device']);
          const safe = await ask(bridge, 'POST /api/v1/hardware/safe-state');
          assert.equal([safe.status, safe.body.code], [503, 'safe_state_incomplete']);
        }),
  },
  { timeoutMs: 120_000, atOnce: 3 },
);

test.run();
