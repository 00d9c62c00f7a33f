import { existsSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { together } from '../bench/together.ts';
import { type GuardedRig, onGuardedRig, type Service } from './guarded-rig.ts';

const test = suite("an operator's stop that cannot be recorded");

/** A plain file in the place of the state folder: it has the same path, and nothing can be written into it. */
function refuseRecords({ stateDir }: GuardedRig): void {
  renameSync(stateDir, `${stateDir}-aside`);
  writeFileSync(stateDir, '');
}

function acceptRecords({ stateDir }: GuardedRig): void {
  rmSync(stateDir);
  renameSync(`${stateDir}-aside`, stateDir);
}

async function lease({ url }: Service): Promise<unknown[]> {
  const answer = await fetch(`${url}/api/v1/lease`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"owner":"run"}',
  });
  const { code } = (await answer.json()) as { code?: string };
  return [answer.status, code];
}

const STOPPED = [409, 'operator_stop'];
const GRANTED = [201, undefined];
const NOT_RECORDED = 'the stop is not on the disk: it lasts as long as svc-bridge or svc-guard runs';

async function killed({ child, ended }: Pick<Service, 'child' | 'ended'>): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

/** A pair of guards, of which the one that acts has made a stop that cannot be recorded. */
async function stoppedByGuard(rig: GuardedRig) {
  const bridge = await rig.bridge();
  const guard = await rig.guardOf(bridge);
  const partner = rig.launch('svc-guard', []);
  await partner.until('takes over when it ends');
  refuseRecords(rig);
  await killed(bridge);
  const { code, stdout } = await rig.svcctl(['stop'], { SVC_FIRMWARE_URL: bridge.url }).ended;
  assert.is(code, 0, stdout);
  return { guard, partner };
}

together(
  test,
  {
    'SVC-049 one that the guard made is in force in every later bridge until it is cleared, and does not come back':
      () =>
        onGuardedRig(async (rig) => {
          let bridge = await rig.bridge();
          const guard = await rig.guardOf(bridge);
          await rig.actuate(bridge);
          refuseRecords(rig);
          bridge.child.kill('SIGSTOP');
          const { code, stdout } = await rig.svcctl(['stop'], { SVC_FIRMWARE_URL: bridge.url }).ended;
          assert.equal([code, await rig.outputsOn()], [0, []], stdout);
          assert.match(stdout, NOT_RECORDED);
          for (const round of [1, 2]) {
            bridge = await rig.settledBridge();
            assert.equal(await lease(bridge), STOPPED, `bridge ${round} after the stop`);
            if (round === 1) await killed(bridge);
          }
          const clear = (id: string) =>
            rig.svcctl(['stop', '--clear', id], { SVC_FIRMWARE_URL: bridge.url }).ended;
          const refused = await clear('another-one');
          assert.is(refused.code, 3, refused.stdout);
          assert.match(refused.stdout + refused.stderr, 'another stop is in force');
          const [, id = ''] = /svcctl stop --clear (\w+)/.exec(stdout) ?? [];
          const cleared = await clear(id);
          assert.is(cleared.code, 0, cleared.stdout + cleared.stderr);
          assert.equal(await lease(bridge), GRANTED);
          acceptRecords(rig);
          // The guard has tried to record it each second.
          await systemClock.sleep(2500);
          assert.is(existsSync(join(rig.stateDir, 'operator-stop.json')), false);
          await killed(bridge);
          await guard.until('safe state: safe (bridge_ended)');
          assert.equal(await lease(await rig.settledBridge()), GRANTED);
        }),

    'SVC-049 one that the bridge made outlives it by the guard': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const guard = await rig.guardOf(bridge);
        refuseRecords(rig);
        const { code, stdout } = await rig.svcctl(['stop'], { SVC_FIRMWARE_URL: bridge.url }).ended;
        assert.is(code, 0, stdout);
        assert.match(stdout, NOT_RECORDED);
        await killed(bridge);
        await guard.until('svc-bridge is lost: its process has ended');
        assert.equal(await lease(await rig.bridge()), STOPPED);
      }),

    'SVC-049 one that the guard made outlives it by its partner': () =>
      onGuardedRig(async (rig) => {
        const { guard, partner } = await stoppedByGuard(rig);
        await killed(guard);
        await partner.until('"ready":true');
        assert.equal(await lease(await rig.bridge()), STOPPED);
      }),

    'SVC-049 while its partner takes over, nothing is switched on before it has reported the stop': () =>
      onGuardedRig(async (rig) => {
        const { guard, partner } = await stoppedByGuard(rig);
        // No process holds the lock of the guard now.
        partner.child.kill('SIGSTOP');
        await killed(guard);
        const next = await rig.bridge();
        const [status, code] = await lease(next);
        // On a slow machine svcctl has started a guard for its stop, which reports it in the partner's place.
        assert.is(status, 409, `${code}`);
        assert.ok(code === 'safe_state_in_progress' || code === STOPPED[1], `${code}`);
        partner.child.kill('SIGCONT');
        await partner.until('"ready":true');
        assert.equal(await lease(await rig.settledBridge(next)), STOPPED);
      }),

    'SVC-049 with no guard to keep it, svcctl says that it does not stay: exit 3': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        await rig.actuate(bridge);
        refuseRecords(rig);
        bridge.child.kill('SIGSTOP');
        const { code, stdout } = await rig.svcctl(['stop'], { SVC_FIRMWARE_URL: bridge.url }).ended;
        assert.equal([code, await rig.outputsOn()], [3, []], stdout);
        assert.match(stdout, 'THE STOP DOES NOT STAY');
        assert.not.match(stdout, 'nothing is switched on until');
      }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
