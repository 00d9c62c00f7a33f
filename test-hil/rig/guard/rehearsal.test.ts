import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { HeartbeatMonitor } from '../../../src/lib/liveness/heartbeat-monitor.ts';
import { liveAddress, rigKey } from '../../../src/lib/liveness/live-address.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import type { Program } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { directConfig, type GuardedRig, onGuardedRig, type Service } from './guarded-rig.ts';

const test = suite('rehearsal of svc-guard');

/** On SIGUSR2 the bridge believes that two minutes have passed: its last safe state is long ago then. */
const LATER = `const now = performance.now.bind(performance); let later = 0;
performance.now = () => now() + later; process.on('SIGUSR2', () => { later += 120000 })`;

const withTestCoil = (twins: string) => `${directConfig(twins)}guard: {test_coil: 7}\n`;

/** A bridge that has a supervisor, as far as it can see, and rests. */
async function restedBridge(rig: GuardedRig): Promise<Service> {
  const preload = `--import data:text/javascript,${encodeURIComponent(LATER)}`;
  const bridge = await rig.bridge({ pm_id: '1', NODE_OPTIONS: preload });
  bridge.child.kill('SIGUSR2');
  return bridge;
}

/** A guard was in this state folder for the first time so long ago. */
function begun(rig: GuardedRig, hours: number): void {
  const begun_at = new Date(Date.now() - hours * 3_600_000).toISOString();
  writeFileSync(join(rig.stateDir, 'guard-rehearsal.json'), JSON.stringify({ begun_at, rehearsed_at: null }));
}

/** Long enough for a guard to ask once. */
const ASKED_MS = 13_000;

async function notRehearsed(rig: GuardedRig, bridge: Service, guard: Program): Promise<void> {
  await systemClock.sleep(ASKED_MS);
  assert.equal([bridge.child.exitCode, bridge.child.signalCode], [null, null]);
  assert.not.match(guard.text(), 'rehears');
  assert.not.ok(rig.moves().includes('coil 7 on'));
}

together(
  test,
  {
    'SVC-041 a day without a measurement: the test coil is closed, the guard ends the bridge, switches all off, and the next bridge shows how long it took':
      () =>
        onGuardedRig(async (rig) => {
          begun(rig, 25);
          const bridge = await restedBridge(rig);
          const guard = await rig.guardOf(bridge);
          assert.is((await bridge.ended).signal, 'SIGKILL');
          await guard.until('safe state: safe (rehearsal)');
          assert.equal(
            rig.moves().filter((move) => move.startsWith('coil')),
            ['coil 7 on', 'coil 7 off'],
          );
          const { reaction_ms, by, steps } = rig.report();
          assert.equal([by, steps[3]?.status, steps[4]?.status], ['svc-guard', 'done', 'done']);
          assert.ok(typeof reaction_ms === 'number' && reaction_ms > 0, String(reaction_ms));
          const next = await rig.bridge({ pm_id: '1' });
          const metrics = await (await fetch(`${next.url}/metrics`)).text();
          assert.match(metrics, `svc_guard_reaction_seconds ${reaction_ms / 1000}\n`);
          const kept = readFileSync(join(rig.stateDir, 'guard-rehearsal.json'), 'utf8');
          const { rehearsed_at } = JSON.parse(kept) as { rehearsed_at: string };
          assert.ok(Date.now() - Date.parse(rehearsed_at) < 60_000, 'the next one is a day away');
        }, withTestCoil),

    'SVC-041 a test coil that does not open is no reaction and not safe, neither is the try that opens it':
      () =>
        onGuardedRig(async (rig) => {
          begun(rig, 25);
          const bridge = await restedBridge(rig);
          const guard = await rig.guardOf(bridge);
          while (!rig.moves().includes('coil 7 on')) await systemClock.sleep(20);
          await rig.knobs('modbus-io', { coil_stuck: [7] });
          await guard.until('safe state: partial (rehearsal)');
          await rig.knobs('modbus-io', { coil_stuck: [] });
          await guard.until('safe state: safe (rehearsal)');
          assert.equal(await rig.outputsOn(), []);
          assert.not.ok(existsSync(join(rig.stateDir, 'guard-reaction.json')));
        }, withTestCoil),

    'SVC-041 SVC_GUARD_REHEARSE=1 lets a bench rehearse at once, also without a test coil': () =>
      onGuardedRig(async (rig) => {
        const bridge = await restedBridge(rig);
        const guard = await rig.guard({ SVC_GUARD_REHEARSE: '1' });
        assert.is((await bridge.ended).signal, 'SIGKILL');
        await guard.until('safe state: safe (rehearsal)');
        assert.not.match(rig.moves().join(), 'coil 7');
      }),

    'SVC-041 SVC_GUARD_REHEARSE=0 turns it off': () =>
      onGuardedRig(async (rig) => {
        begun(rig, 25);
        const bridge = await restedBridge(rig);
        await notRehearsed(rig, bridge, await rig.guard({ SVC_GUARD_REHEARSE: '0' }));
      }, withTestCoil),

    'SVC-041 a rig that is younger than a day is not disturbed': () =>
      onGuardedRig(async (rig) => {
        const bridge = await restedBridge(rig);
        await notRehearsed(rig, bridge, await rig.guardOf(bridge));
      }, withTestCoil),

    'SVC-040 a bridge and a guard that die in the middle of it: the next bridge switches the test coil off':
      () =>
        onGuardedRig(async (rig) => {
          const bridge = await restedBridge(rig);
          const watch = new HeartbeatMonitor({
            ...{ address: liveAddress('svc-bridge', rigKey(rig.stateDir)), clock: systemClock, name: 'test' },
            ...{ onHello: () => watch.tell({ rehearse: true }), onLine: () => {}, onGone: () => {} },
          });
          watch.start();
          while (!rig.moves().includes('coil 7 on')) await systemClock.sleep(20);
          watch.stop();
          bridge.child.kill('SIGKILL');
          await bridge.ended;
          assert.equal(await rig.outputsOn(), ['coil 7'], 'no guard is left');
          const next = await rig.bridge();
          assert.match(next.text(), 'safe state: safe (start)');
          assert.equal(await rig.outputsOn(), []);
        }, withTestCoil),

    'SVC-048 a word that SVC_GUARD_REHEARSE does not know ends the guard with 2, and stops no emergency':
      () =>
        onGuardedRig(async (rig) => {
          const env = { SVC_GUARD_REHEARSE: 'yes' };
          const { code, stderr } = await rig.launch('svc-guard', [], env).ended;
          assert.equal([code, stderr.trim().split('\n').length], [2, 1]);
          assert.match(stderr, 'SVC_GUARD_REHEARSE = "yes": must be 0 (never)');
          assert.is((await rig.launch('svc-guard', ['--once'], env).ended).code, 0);
        }),
  },
  { timeoutMs: 90_000, atOnce: 3 },
);

test.run();
