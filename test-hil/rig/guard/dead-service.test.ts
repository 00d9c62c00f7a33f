import * as assert from 'uvu/assert';
import { suite } from '../../../src/lib/testing/suite.ts';
import type { Program } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { type GuardedRig, onGuardedRig, type Service } from './guarded-rig.ts';

const test = suite('svc-guard and the services of pump and lung');

interface Rig {
  pump: Service;
  lung: Service;
  bridge: Service;
}

/** The whole rig: pump and lung behind their services. */
async function whole(rig: GuardedRig): Promise<Rig> {
  Object.assign(rig.env, {
    SVC_PUMP_SERIAL_PORT: rig.twin('pump'),
    SVC_LUNG_ADDRESS: `bench:${rig.twin('tic.sock')}`,
  });
  const pump = await rig.service('svc-pump');
  const lung = await rig.service('svc-lung');
  const http = (url: string) => `{ connection_type: http, connection_params: { base_url: "${url}" } }`;
  rig.configure(`plugins:
  modbus-io: { connection_type: modbus-rtu, connection_params: { serial_port: ${JSON.stringify(rig.twin('modbus-io'))} } }
  pump-motor: ${http(pump.url)}
  lung-motor: ${http(lung.url)}
`);
  const bridge = await rig.bridge();
  return { pump, lung, bridge };
}

/** Everything that can move does: two valves open, the pump on, the lung on its way for a minute. */
async function moving(rig: GuardedRig, { bridge }: Rig): Promise<void> {
  await rig.actuate(bridge);
  const url = `${bridge.url}/api/v1/hardware/lung?steps=100000&speed=10000000&cycles=1&pause=0`;
  const response = await fetch(url, { method: 'POST' });
  assert.is(response.status, 200, await response.text());
  assert.equal(await rig.outputsOn(), ['coil 0', 'coil 2', 'pump 102', 'lung']);
}

const hang = ({ child }: Program) => child.kill('SIGSTOP');

function steps(rig: GuardedRig): string[] {
  return rig.report().steps.map(({ name, status }) => `${name} ${status}`);
}

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
    'SVC-041 SVC-039 kill -9 of the bridge with everything moving: the guard halts the lung first, then stops the pump, then closes':
      () =>
        onGuardedRig(async (rig) => {
          const services = await whole(rig);
          const guard = await rig.guardOf(services.bridge);
          await moving(rig, services);
          const before = rig.trace().length;
          services.bridge.child.kill('SIGKILL');
          await rig.untilSafe();
          await guard.until('safe state: safe (bridge_ended)');
          assert.equal([steps(rig), rig.report().killed], [ALL_DONE, []], 'the services did it');
          const trace = rig.trace().slice(before);
          const first = (match: (one: (typeof trace)[number]) => boolean) => trace.findIndex(match);
          const order = [
            first(({ kind, velocity }) => kind === 'motion' && velocity === 0),
            first(({ kind, duty }) => kind === 'drive' && duty === 0),
            first(({ kind, energized }) => kind === 'motion' && energized === false),
            first(({ kind }) => kind === 'coil'),
          ];
          assert.ok(!order.includes(-1), order.join());
          assert.ok(Math.min(...order) === order[0], `the lung first: ${order.join()}`);
          assert.ok(order[3] !== undefined && order[1] !== undefined && order[1] < order[3], order.join());
        }),

    'SVC-041 everything killed at once, nobody starts anything again: the guard drives all devices itself':
      () =>
        onGuardedRig(async (rig) => {
          const services = await whole(rig);
          const guard = await rig.guardOf(services.bridge);
          await moving(rig, services);
          for (const { child } of [services.pump, services.lung, services.bridge]) child.kill('SIGKILL');
          await rig.untilSafe();
          await guard.until('safe state: safe (bridge_ended)');
          assert.equal(steps(rig), ALL_DONE);
        }),

    'SVC-041 everything stands still: bridge and services are ended and their devices stopped': () =>
      onGuardedRig(async (rig) => {
        const services = await whole(rig);
        const guard = await rig.guardOf(services.bridge);
        await moving(rig, services);
        for (const program of [services.pump, services.lung, services.bridge]) hang(program);
        await rig.untilSafe();
        await guard.until('safe state: safe (bridge_hung)');
        assert.equal(steps(rig), ALL_DONE);
        const { pump, lung, bridge } = services;
        const killed = [...rig.report().killed].sort();
        const named = { 'svc-bridge': bridge, 'svc-lung': lung, 'svc-pump': pump };
        assert.equal(
          killed,
          Object.entries(named).map(([name, { pid }]) => `${name} (pid ${pid})`),
        );
      }),

    'SVC-041 the pump service alone is killed or stands still: the guard stops the pump, the bridge goes on':
      () =>
        onGuardedRig(async (rig) => {
          const services = await whole(rig);
          const guard = await rig.guardOf(services.bridge);
          await rig.actuate(services.bridge);
          hang(services.pump);
          await rig.untilSafe();
          await guard.until('safe state: safe (service_lost_pump-motor)');
          assert.is((await services.pump.ended).signal, 'SIGKILL');
          assert.is((await fetch(`${services.bridge.url}/health`)).status, 200);
        }),

    'SVC-041 the pump service is killed while it runs without a bridge: the guard stops the pump': () =>
      onGuardedRig(async (rig) => {
        const { pump, bridge } = await whole(rig);
        const guard = await rig.guardOf(bridge);
        const response = await fetch(`${pump.url}/api/speed`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ power_pct: 40, hold_s: 3600 }),
        });
        assert.is(response.status, 200, await response.text());
        pump.child.kill('SIGKILL');
        await rig.untilSafe();
        await guard.until('safe state: safe (service_lost_pump-motor)');
        assert.equal(steps(rig), ['pump_zero done']);
      }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
