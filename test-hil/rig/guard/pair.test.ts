import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { guardAddress, rigKey } from '../../../src/lib/liveness/live-address.ts';
import { acquireLock, type Lock } from '../../../src/lib/lock/lock.ts';
import { lockAddress } from '../../../src/lib/lock/lock-key.ts';
import { listenerPid } from '../../../src/lib/lock/lock-listener.ts';
import { isAlive, processIdOf } from '../../../src/lib/proc.ts';
import { guardLockKey } from '../../../src/rig/guard/bridge-life.ts';
import type { GuardReport } from '../../../src/rig/guard/guard-report.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { getJson } from '../bench/bench-rig.ts';
import type { Program } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { type GuardedRig, onGuardedRig, type Service } from './guarded-rig.ts';
import { guardOfWhole, whole } from './whole-rig.ts';

const test = suite('two guards of one rig');

const waits = (guard: Program, first: Program) =>
  guard.until(`svc-guard (pid ${first.pid}`).then(() => guard.until('takes over when it ends'));

async function watched(bridge: Service): Promise<boolean> {
  const { guard } = (await getJson(`${bridge.url}/health`)) as { guard?: { watching: boolean } };
  return guard?.watching === true;
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await systemClock.sleep(5);
}

/** In the place of a guard that acts: it does nothing. */
function idleGuard({ stateDir }: GuardedRig): Promise<Lock> {
  const since = new Date().toISOString();
  const identity = () => ({ service: 'svc-guard', pid: process.pid, port: null, since });
  return acquireLock({ key: guardLockKey(stateDir), identity });
}

/** A guard that acts and one that waits for its place. */
async function two(rig: GuardedRig, bridge: Service): Promise<[Program, Program]> {
  const first = await rig.guardOf(bridge);
  const second = rig.launch('svc-guard', []);
  await waits(second, first);
  return [first, second];
}

together(
  test,
  {
    'SVC-053 a second guard names the holder once, waits, and takes over when the first is killed': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const [first, second] = await two(rig, bridge);
        await systemClock.sleep(1500);
        assert.is(second.text().split('takes over when it ends').length, 2, 'told once');
        assert.not.match(second.text(), '"ready":true');
        first.child.kill('SIGKILL');
        await second.until('"ready":true');
        await second.until(`watching svc-bridge (pid ${bridge.pid})`);
        while (!(await watched(bridge))) await systemClock.sleep(20);
        await rig.actuate(bridge);
        bridge.child.kill('SIGKILL');
        await rig.untilSafe();
        await second.until('safe state: safe (bridge_ended)');
      }),

    'SVC-053 a guard that hangs is killed by the one that waits, which then makes a hung bridge safe': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const [first, second] = await two(rig, bridge);
        await rig.actuate(bridge);
        for (const { child } of [first, bridge]) child.kill('SIGSTOP');
        await rig.untilSafe();
        await second.until('safe state: safe (bridge_hung)');
        assert.equal([(await first.ended).signal, (await bridge.ended).signal], ['SIGKILL', 'SIGKILL']);
      }),

    'SVC-054 guard and pump service hang together: the waiting guard stops the pump': () =>
      onGuardedRig(async (rig) => {
        const services = await whole(rig);
        const first = await guardOfWhole(rig, services);
        const second = rig.launch('svc-guard', []);
        await waits(second, first);
        await rig.actuate(services.bridge);
        for (const { child } of [first, services.pump]) child.kill('SIGSTOP');
        await second.until('safe state: safe (service_lost_pump-motor)');
        await rig.untilSafe();
      }),

    'SVC-053 a partner that saw the bridge hang for a time does not end it when it takes over later': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const lock = await idleGuard(rig);
        const partner = rig.launch('svc-guard', []);
        await partner.until('takes over when it ends');
        bridge.child.kill('SIGSTOP');
        await systemClock.sleep(3000);
        bridge.child.kill('SIGCONT');
        await getJson(`${bridge.url}/health`);
        await systemClock.sleep(500);
        await lock.release();
        await partner.until('"ready":true');
        await partner.until(`watching svc-bridge (pid ${bridge.pid})`);
        while (!(await watched(bridge))) await systemClock.sleep(20);
        await rig.actuate(bridge);
        assert.not.match(partner.text(), /is lost|is not responding/);
        bridge.child.kill('SIGSTOP');
        await partner.until('safe state: safe (bridge_hung)');
        assert.is((await bridge.ended).signal, 'SIGKILL');
      }),

    'SVC-053 a partner leaves a service that is lost to the guard that acts, until it takes over': () =>
      onGuardedRig(async (rig) => {
        const { pump, bridge } = await whole(rig);
        const lock = await idleGuard(rig);
        const partner = rig.launch('svc-guard', []);
        await partner.until('takes over when it ends');
        await rig.actuate(bridge);
        pump.child.kill('SIGKILL');
        await pump.ended;
        await systemClock.sleep(1000);
        assert.match((await rig.outputsOn()).join(), 'pump');
        assert.not.match(partner.text(), /is lost|is not responding/);
        await lock.release();
        await partner.until('safe state: safe (service_lost_pump-motor)');
        assert.not.match((await rig.outputsOn()).join(), 'pump');
      }),

    'SVC-053 a guard that is ended just after it has started its partner ends that too': () =>
      onGuardedRig(async (rig) => {
        const guard = rig.launch('svc-guard', [], { SVC_GUARD_PARTNER: '1' });
        const children = () => readFileSync(`/proc/${guard.pid}/task/${guard.pid}/children`, 'utf8').trim();
        await until(() => children() !== '');
        const partner = processIdOf(Number(children()));
        assert.ok(partner);
        guard.child.kill('SIGTERM');
        assert.is((await guard.ended).code, 0);
        assert.is(isAlive(partner), false);
      }),

    'SVC-055 the end of a partner does not end a svc-guard --once that makes a stop': () =>
      onGuardedRig(async (rig) => {
        await rig.knobs('modbus-io', { silent: true });
        const once = rig.launch('svc-guard', ['--once', '--by', 'anna']);
        await until(() => listenerPid(lockAddress(guardLockKey(rig.stateDir))) === once.pid);
        const partner = rig.launch('svc-guard', []);
        await partner.until(`svc-guard (pid ${once.pid}`);
        partner.child.kill('SIGTERM');
        assert.is((await partner.ended).code, 0);
        const { code, stdout } = await once.ended;
        const { outcome, operator_stop: stop } = JSON.parse(stdout) as GuardReport;
        assert.equal([code, outcome, stop?.by], [3, 'partial', 'anna']);
      }),

    'SVC-053 a signal to either of the two ends both, and nothing moves': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        for (const which of [0, 1]) {
          const pair = await two(rig, bridge);
          await rig.actuate(bridge);
          pair[which]?.child.kill('SIGTERM');
          assert.equal(
            (await Promise.all(pair.map(({ ended }) => ended))).map(({ code }) => code),
            [0, 0],
          );
          assert.is((await rig.outputsOn()).length, 3);
          while (await watched(bridge)) await systemClock.sleep(20);
        }
      }),

    'SVC-053 svcctl stop with a guard that hangs: the other one makes the rig safe and goes on watching':
      () =>
        onGuardedRig(async (rig) => {
          const bridge = await rig.bridge();
          const [first, second] = await two(rig, bridge);
          await rig.actuate(bridge);
          first.child.kill('SIGSTOP');
          const { code, stdout } = await rig.svcctl(['stop'], { SVC_FIRMWARE_URL: bridge.url }).ended;
          assert.is(code, 0, stdout);
          assert.equal(await rig.outputsOn(), []);
          await second.until('"ready":true');
          assert.is((await first.ended).signal, 'SIGKILL');
          while (!(await watched(bridge))) await systemClock.sleep(20);
        }),

    'SVC-053 a guard whose address is still held acts first, and takes commands when the address is free':
      () =>
        onGuardedRig(async (rig) => {
          const bridge = await rig.bridge();
          await rig.actuate(bridge);
          const held = createServer().listen(guardAddress(rigKey(rig.stateDir)));
          const guard = rig.launch('svc-guard', []);
          await guard.until(`watching svc-bridge (pid ${bridge.pid})`);
          bridge.child.kill('SIGKILL');
          await rig.untilSafe();
          assert.not.match(guard.text(), '"ready":true');
          held.close();
          await guard.until('"ready":true');
        }),

    'SVC-053 a guard that hangs does not count as watching': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const guard = await rig.guardOf(bridge);
        while (!(await watched(bridge))) await systemClock.sleep(20);
        guard.child.kill('SIGSTOP');
        while (await watched(bridge)) await systemClock.sleep(20);
      }),

    'SVC-053 a run is refused while no guard watches, a bench does without one when told so': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const run = (...more: string[]) =>
          rig.svcctl(['cmd', 'SET valve-1 open', ...more], { SVC_FIRMWARE_URL: bridge.url }).ended;
        const refused = await run();
        assert.is(refused.code, 3, refused.stdout);
        assert.match(refused.stdout + refused.stderr, `SCN409`);
        assert.match(refused.stdout + refused.stderr, `no guard is watching ${bridge.url}: start svc-guard`);
        assert.not.ok(rig.moves().includes('coil 0 on'));
        const unguarded = await run('--without-guard');
        assert.is(unguarded.code, 0, unguarded.stdout + unguarded.stderr);
        await rig.guardOf(bridge);
        const guarded = await run();
        assert.is(guarded.code, 0, guarded.stdout + guarded.stderr);
        assert.is(rig.moves().filter((move) => move === 'coil 0 on').length, 2);
      }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
