import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end, type Program } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { type GuardedRig, onGuardedRig, type Service, safeStatesOf } from './guarded-rig.ts';
import { guardOfWhole, type WholeRig, whole } from './whole-rig.ts';

const test = suite('life lines of the services of pump and lung');

const ENDED = 'the service of pump-motor is not responding: its process has ended';
const SILENT = 'the service of pump-motor is not responding: no heartbeat for 2 s';

interface Watched extends WholeRig {
  rig: GuardedRig;
  guard: Program;
}

/** The whole rig under a guard that watches all of it. */
const onWatchedRig = (work: (watched: Watched) => Promise<void>) =>
  onGuardedRig(async (rig) => {
    const services = await whole(rig);
    await work({ rig, guard: await guardOfWhole(rig, services), ...services });
  });

const post = ({ url }: Service, path: string) => fetch(`${url}/api/v1/hardware/${path}`, { method: 'POST' });

/** Lets the pump run, as soon as the bridge can. */
async function run(bridge: Service): Promise<void> {
  while (!(await post(bridge, 'pump?power_pct=40')).ok) await systemClock.sleep(20);
}

/** How often the guard said it. */
const count = (guard: Program, text: string) => guard.text().split(text).length - 1;

const errors = (guard: Program) =>
  guard
    .text()
    .split('\n')
    .filter((line) => /"level":("error"|50)/.test(line));

/** For one loss: itself, and on a machine that stands still for a moment a step or two that came too late. */
const ERRORS_OF_ONE = 3;

/** What came of the pump since the trace had this length: moves of its drive, in order. */
const pumpMoves = (rig: GuardedRig, since: number) =>
  rig
    .moves()
    .slice(since)
    .filter((move) => move.startsWith('pump'));

together(
  test,
  {
    'SVC-041 kill -9 of svc-pump while it runs, and it is not started again: the guard stops the pump before /health has said anything':
      () =>
        onWatchedRig(async ({ rig, guard, pump, bridge }) => {
          await run(bridge);
          const before = rig.moves().length;
          pump.child.kill('SIGKILL');
          await rig.untilSafe();
          assert.equal(pumpMoves(rig, before)[0], 'pump 0 on');
          await guard.until('safe state: safe (service_lost_pump-motor)');
          assert.match(guard.text(), ENDED);
          // Reported once, though /health fails from now on; and the device is free for the one that comes.
          await systemClock.sleep(4000);
          assert.is(count(guard, 'is not responding'), 1);
          assert.ok(errors(guard).length <= ERRORS_OF_ONE, guard.text());
          await rig.service('svc-pump', {}, ['--port', new URL(pump.url).port]);
          await guard.until('the service of pump-motor answers again');
          await run(bridge);
          assert.is(pumpMoves(rig, before).at(-1), 'pump 102 on');
        }),

    'SVC-041 the report of one device does not hide that the rig is not safe': () =>
      onWatchedRig(async ({ rig, guard, pump, bridge }) => {
        await rig.knobs('modbus-io', { silent: true });
        bridge.child.kill('SIGKILL');
        await guard.until('safe state: partial (bridge_');
        pump.child.kill('SIGKILL');
        await guard.until('safe state: safe (service_lost_pump-motor)');
        const report = JSON.parse(readFileSync(join(rig.stateDir, 'guard-last.json'), 'utf8'));
        assert.match(String(report.reason), 'bridge_');
        assert.is(report.ok, false);
      }),

    'SVC-041 SIGSTOP of svc-pump while it runs: the guard ends it after 2 s and stops the pump': () =>
      onWatchedRig(async ({ rig, guard, pump, bridge }) => {
        await run(bridge);
        pump.child.kill('SIGSTOP');
        await rig.untilSafe();
        await guard.until('safe state: safe (service_lost_pump-motor)');
        assert.match(guard.text(), SILENT);
        assert.is((await pump.ended).signal, 'SIGKILL');
        // On a machine under load the pump may be proven by a later attempt than the one that ended its service.
        const killed = safeStatesOf(guard).flatMap((one) => one.killed);
        assert.equal(killed, [`svc-pump (pid ${pump.pid})`]);
      }),

    'SVC-041 kill -9 of svc-lung while it moves: the guard halts and de-energizes the lung': () =>
      onWatchedRig(async ({ rig, guard, lung, bridge }) => {
        const started = await post(bridge, 'lung?steps=100000&speed=10000000&cycles=1&pause=0');
        assert.is(started.status, 200, await started.text());
        assert.equal(await rig.outputsOn(), ['lung']);
        lung.child.kill('SIGKILL');
        await rig.untilSafe();
        await guard.until('safe state: safe (service_lost_lung-motor)');
        assert.match(guard.text(), 'the service of lung-motor is not responding: its process has ended');
        const steps = rig.report().steps.map(({ name, status }) => `${name} ${status}`);
        assert.equal(steps, ['lung_halt done', 'lung_deenergize done']);
      }),

    'SVC-041 a supervisor that starts svc-pump again, sooner or later: the pump stops, the new one is never ended, and is of use at once':
      () =>
        onWatchedRig(async ({ rig, guard, pump, bridge }) => {
          const { port } = new URL(pump.url);
          let current = pump;
          const delays = [0, 20, 50, 100, 200, 400];
          for (const delayMs of delays) {
            await run(bridge);
            const before = rig.moves().length;
            current.child.kill('SIGKILL');
            await current.ended;
            await systemClock.sleep(delayMs);
            current = await rig.service('svc-pump', {}, ['--port', port]);
            await rig.untilSafe();
            assert.equal(pumpMoves(rig, before)[0], 'pump 0 on', `after ${delayMs} ms`);
          }
          await run(bridge);
          assert.is(current.child.signalCode, null);
          assert.equal(
            safeStatesOf(guard).flatMap((one) => one.killed),
            [],
            'none was ended',
          );
          assert.ok(count(guard, 'is not responding') <= delays.length, guard.text());
          assert.ok(errors(guard).length <= delays.length * ERRORS_OF_ONE, guard.text());
        }),

    'SVC-041 a supervisor and a service that stands still: the next one is of use': () =>
      onWatchedRig(async ({ rig, guard, pump, bridge }) => {
        await run(bridge);
        pump.child.kill('SIGSTOP');
        await pump.ended;
        const next = await rig.service('svc-pump', {}, ['--port', new URL(pump.url).port]);
        await rig.untilSafe();
        await guard.until('the service of pump-motor answers again');
        await run(bridge);
        assert.equal([next.child.signalCode, count(guard, 'is not responding')], [null, 1]);
      }),

    'SVC-041 a service that ends in order has left its device safe: the guard touches nothing': () =>
      onWatchedRig(async ({ rig, guard, pump, bridge }) => {
        await run(bridge);
        assert.is((await end(pump)).code, 0);
        await systemClock.sleep(500);
        assert.equal(await rig.outputsOn(), []);
        assert.is(count(guard, ENDED), 0);
      }),

    'SVC-041 a service that ends and cannot stop its pump has not left it safe: the guard goes on at once':
      () =>
        onWatchedRig(async ({ rig, guard, pump, bridge }) => {
          await run(bridge);
          await rig.knobs('pump', { deaf: true });
          assert.is((await end(pump)).code, 1);
          await guard.until(ENDED);
          await rig.knobs('pump', { deaf: false });
          await rig.untilSafe();
          await guard.until('safe state: safe (service_lost_pump-motor)');
        }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
