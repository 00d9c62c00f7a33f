import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { type GuardedRig, onGuardedRig, type Service } from './guarded-rig.ts';

const test = suite('svcctl lease and svcctl hold');

const run = (rig: GuardedRig, bridge: Service, ...args: string[]) =>
  rig.svcctl(args, { SVC_FIRMWARE_URL: bridge.url });

const open = (bridge: Service, headers: Record<string, string> = {}) =>
  fetch(`${bridge.url}/api/v1/hardware/valve/valve-1?value=true`, { method: 'POST', headers });

together(
  test,
  {
    'SVC-036 a lease taken by hand moves the rig, blocks others with 409 and is released safe': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        const taken = await run(rig, bridge, 'lease', 'take', '--owner', 'anna', '--ttl', '60s').ended;
        assert.match(taken.stdout, /^[0-9a-f]{32}\n$/);
        const id = taken.stdout.trim();
        assert.is((await open(bridge)).status, 409);
        assert.is((await open(bridge, { 'x-lease-id': id })).status, 200);
        const second = await run(rig, bridge, 'lease', 'take', '--owner', 'bert').ended;
        assert.is(second.code, 3);
        assert.match(second.stderr, 'leased to anna');
        assert.match((await run(rig, bridge, 'lease').ended).stdout, /^leased to anna, \d+\.\d s left\n$/);
        assert.is((await run(rig, bridge, 'lease', 'renew', '--id', id).ended).code, 0);
        const released = await run(rig, bridge, 'lease', 'release', '--id', id).ended;
        assert.is(released.stdout, 'released, the rig is safe\n');
        assert.equal(await rig.outputsOn(), []);
      }),

    'SVC-036 --keep renews until Ctrl-C, and a keeper that is killed lets the lease end safe': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge();
        for (const signal of ['SIGINT', 'SIGKILL'] as const) {
          const keeper = run(rig, bridge, 'lease', 'take', '--owner', 'anna', '--ttl', '1s', '--keep');
          await keeper.until('until Ctrl-C');
          const id = keeper.text().trim().slice(0, 32);
          assert.is((await open(bridge, { 'x-lease-id': id })).status, 200);
          await systemClock.sleep(2500);
          assert.equal(await rig.outputsOn(), ['coil 0'], 'longer than its time');
          const { code } = await end(keeper, signal);
          assert.is(code, signal === 'SIGINT' ? 0 : null);
          await rig.untilSafe();
        }
      }),

    'SVC-037 what was switched on without a lease ends with the manual hold, unless it is kept': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge({ SVC_MANUAL_HOLD_S: '5' });
        assert.is((await run(rig, bridge, 'hold', '--renew').ended).code, 1, 'nothing to renew');
        assert.match((await run(rig, bridge, 'hold').ended).stdout, /^no manual hold/);
        await open(bridge);
        assert.match((await run(rig, bridge, 'hold').ended).stdout, /made safe in \d\.\d s/);
        const keeper = run(rig, bridge, 'hold', '--keep');
        await keeper.until('holding until Ctrl-C');
        await systemClock.sleep(7000);
        assert.equal(await rig.outputsOn(), ['coil 0'], 'longer than the hold');
        assert.is((await end(keeper, 'SIGINT')).code, 0);
        await rig.untilSafe();
        await bridge.until('safe state: safe (manual_hold_ended)');
      }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
