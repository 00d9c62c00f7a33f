import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { guardAddress, rigKey } from '../../../src/lib/liveness/live-address.ts';
import { askGuardToStop } from '../../../src/rig/guard/guard-socket.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { getJson } from '../bench/bench-rig.ts';
import { launch, type Program } from '../bench/program.ts';
import { together } from '../bench/together.ts';
import { type GuardedRig, onGuardedRig, type Service } from './guarded-rig.ts';
import { guardOfWhole, whole } from './whole-rig.ts';

const test = suite('svcctl stop');

interface Stop {
  code: number | null;
  document: Record<string, unknown>;
}

async function stop(rig: GuardedRig, bridge: Service, env: Record<string, string> = {}): Promise<Stop> {
  const program = rig.svcctl(['stop', '--json'], { SVC_FIRMWARE_URL: bridge.url, ...env });
  const { code, stdout, stderr } = await program.ended;
  assert.is(stdout.trim().split('\n').length, 1, `${stdout}${stderr}`);
  return { code, document: JSON.parse(stdout) as Record<string, unknown> };
}

async function moving(rig: GuardedRig, env: Record<string, string> = {}): Promise<Service> {
  const bridge = await rig.bridge(env);
  await rig.actuate(bridge);
  return bridge;
}

const hang = ({ child }: Program) => child.kill('SIGSTOP');

together(
  test,
  {
    'SVC-039 SVC-038 a bridge that lives is asked first, also while somebody else holds the lease': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        await rig.guardOf(bridge);
        const lease = await rig.svcctl(['lease', 'take', '--owner', 'somebody', '--ttl', '60s'], {
          SVC_FIRMWARE_URL: bridge.url,
        }).ended;
        assert.is(lease.code, 0, lease.stderr);
        const { code, document } = await stop(rig, bridge);
        assert.equal([code, document.outcome, document.by, document.bench], [0, 'safe', 'svc-bridge', true]);
        assert.equal(await rig.outputsOn(), []);
        const shown = await rig.svcctl(['lease'], { SVC_FIRMWARE_URL: bridge.url }).ended;
        assert.is(shown.stdout, 'not leased\n');
      }),

    'SVC-038 on this machine no token is needed to stop': () =>
      onGuardedRig(async (rig) => {
        const token = 'sixteen-characters-or-more';
        const bridge = await rig.bridge({ SVC_API_TOKEN: token });
        const headers = { authorization: `Bearer ${token}` };
        const url = `${bridge.url}/api/v1/hardware/valve/valve-1?value=true`;
        assert.is((await fetch(url, { method: 'POST', headers })).status, 200);
        assert.is((await stop(rig, bridge)).code, 0);
        assert.equal(await rig.outputsOn(), []);
      }),

    'SVC-041 a bridge that stands still is ended by the guard, which stops the rig': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        await rig.guardOf(bridge);
        hang(bridge);
        const { code, document } = await stop(rig, bridge);
        assert.equal([code, document.outcome, document.by], [0, 'safe', 'svc-guard']);
        assert.equal(document.killed, [`svc-bridge (pid ${bridge.pid})`]);
        assert.equal(await rig.outputsOn(), []);
      }),

    'SVC-041 the report says that a hung bridge was killed': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        await rig.guardOf(bridge);
        hang(bridge);
        const { code, stdout } = await rig.svcctl(['stop'], { SVC_FIRMWARE_URL: bridge.url }).ended;
        assert.is(code, 0, stdout);
        const told = `\nsvc-bridge (pid ${bridge.pid}) did not respond and was killed\nsafe, in `;
        assert.match(stdout, told);
      }),

    'SVC-041 who names the bridge of another rig stops that one, and not the rig of this place': () =>
      onGuardedRig((rig) =>
        onGuardedRig(async (other) => {
          await rig.guardOf(await moving(rig));
          const named = await moving(other);
          await other.knobs('modbus-io', { late_ms: 60 });
          const { code, stdout } = await rig.svcctl(['stop', '--json', '--firmware-url', named.url]).ended;
          assert.equal([code, (JSON.parse(stdout) as { by: string }).by], [0, 'svc-bridge']);
          assert.equal([await other.outputsOn(), (await rig.outputsOn()).length > 0], [[], true]);
        }),
      ),

    'SVC-041 for a bridge of another rig that stands still nobody here can speak: exit 3, and this rig is not touched':
      () =>
        onGuardedRig((rig) =>
          onGuardedRig(async (other) => {
            const own = await moving(rig);
            await rig.guardOf(own);
            const named = await moving(other);
            hang(named);
            writeFileSync(
              join(rig.folder, 'rig.env'),
              `SVC_FIRMWARE_URL=${own.url}\nSVC_STATE_DIR=${rig.stateDir}\n`,
            );
            const { code, document } = await stop(rig, named);
            assert.equal([code, document.ok, document.code], [3, false, 'stop_failed']);
            assert.match(String(document.error), `it is not the bridge of this rig, which is at ${own.url}`);
            assert.ok((await rig.outputsOn()).length > 0);
            named.child.kill('SIGCONT');
          }),
        ),

    'SVC-041 who names bridge and state folder of a rig by variables has its guard, whatever lies in rig.env':
      () =>
        onGuardedRig(async (rig) => {
          const bridge = await moving(rig);
          await rig.guardOf(bridge);
          hang(bridge);
          const left = 'SVC_FIRMWARE_URL=http://127.0.0.1:1\nSVC_STATE_DIR=/nonexistent\n';
          writeFileSync(join(rig.folder, 'rig.env'), left);
          const { code, document } = await stop(rig, bridge);
          assert.equal([code, document.by], [0, 'svc-guard']);
          assert.equal(await rig.outputsOn(), []);
        }),

    'SVC-041 the bridge of this rig is its own by any name of this machine': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        await rig.guardOf(bridge);
        hang(bridge);
        const env = { SVC_FIRMWARE_URL: bridge.url };
        const named = bridge.url.replace('127.0.0.1', 'localhost');
        const { code, stdout } = await rig.svcctl(['stop', '--json', '--firmware-url', named], env).ended;
        assert.equal([code, (JSON.parse(stdout) as { by: string }).by], [0, 'svc-guard']);
        assert.equal(await rig.outputsOn(), []);
      }),

    'SVC-041 with the bridge dead and no guard, one is started for it': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        bridge.child.kill('SIGKILL');
        await bridge.ended;
        const { code, document } = await stop(rig, bridge);
        assert.equal([code, document.outcome, document.by], [0, 'safe', 'svc-guard']);
        assert.equal(await rig.outputsOn(), []);
      }),

    'SVC-041 with the bridge standing still and no guard, one is started, which ends the bridge': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        hang(bridge);
        const { code, document } = await stop(rig, bridge);
        assert.equal([code, document.outcome, document.by], [0, 'safe', 'svc-guard']);
        assert.is((await bridge.ended).signal, 'SIGKILL');
        assert.equal(await rig.outputsOn(), []);
      }),

    'SVC-041 with the bridge and the guard standing still, both are ended': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        const guard = await rig.guardOf(bridge);
        hang(guard);
        hang(bridge);
        const { code, document } = await stop(rig, bridge);
        assert.equal([code, document.outcome, document.by], [0, 'safe', 'svc-guard']);
        assert.equal([(await bridge.ended).signal, (await guard.ended).signal], ['SIGKILL', 'SIGKILL']);
        assert.equal(await rig.outputsOn(), []);
      }),

    'SVC-055 a guard that is ended while the bridge makes a stop does not kill that bridge': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        const guard = await rig.guardOf(bridge);
        await rig.knobs('modbus-io', { silent: true });
        const address = guardAddress(rigKey(rig.stateDir));
        const asked = askGuardToStop(address, { by: 'anna' }, systemClock, 20_000);
        const isRunning = async () =>
          ((await getJson(`${bridge.url}/health`)) as { safe_state: { running: boolean } }).safe_state
            .running;
        while (!(await isRunning())) await systemClock.sleep(5);
        guard.child.kill('SIGTERM');
        const report = await asked;
        assert.is(typeof report === 'string' ? report : report.by, 'svc-bridge');
        assert.is((await guard.ended).code, 0);
        assert.is(bridge.child.signalCode, null);
      }),

    'SVC-055 the variables that npm start prints are enough, wherever svcctl runs, with bridge, guard and pump frozen':
      () =>
        onGuardedRig(async (rig) => {
          const services = await whole(rig);
          const guard = await guardOfWhole(rig, services);
          await rig.actuate(services.bridge);
          for (const one of [guard, services.pump, services.bridge]) hang(one);
          const program = launch('svcctl', ['stop', '--json'], {
            SVC_CONFIG_PATH: join(rig.folder, 'svc.yaml'),
            SVC_FIRMWARE_URL: services.bridge.url,
            SVC_STATE_DIR: rig.stateDir,
            RIG_RUNTIME_DIR: join(rig.folder, 'elsewhere'),
          });
          const { code, stdout, stderr } = await program.ended;
          assert.is(code, 0, stdout + stderr);
          assert.equal([(JSON.parse(stdout) as { by: string }).by, await rig.outputsOn()], ['svc-guard', []]);
        }),

    'SVC-055 a bridge and a state folder of two rigs: both are stopped, and svcctl says so': () =>
      onGuardedRig((rig) =>
        onGuardedRig(async (other) => {
          await rig.guardOf(await moving(rig));
          const named = await moving(other);
          const program = rig.svcctl(['stop', '--json'], { SVC_FIRMWARE_URL: named.url });
          const { code, stdout, stderr } = await program.ended;
          assert.is(code, 0, stdout + stderr);
          assert.match(stderr, /two rigs are meant: SVC_FIRMWARE_URL is .* both are stopped/);
          assert.equal([await other.outputsOn(), await rig.outputsOn()], [[], []]);
        }),
      ),

    'SVC-055 a bridge that is not there and a state folder with a rig: that rig is stopped, and the exit is 3':
      () =>
        onGuardedRig(async (rig) => {
          await moving(rig);
          const env = { SVC_FIRMWARE_URL: 'http://127.0.0.1:1' };
          const { code, stdout } = await rig.svcctl(['stop'], env).ended;
          assert.is(code, 3, stdout);
          assert.equal(await rig.outputsOn(), []);
          assert.match(stdout, 'the bridge at http://127.0.0.1:1: ');
          assert.match(stdout, 'the rig of this state folder: safe, by svc-');
        }),

    'SVC-049 a stop that the guard made for a bridge that hangs is in force for the next bridge': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        await rig.guardOf(bridge);
        hang(bridge);
        const { code, document } = await stop(rig, bridge);
        assert.equal([code, document.by], [0, 'svc-guard']);
        const next = await rig.bridge();
        const refused = await fetch(`${next.url}/api/v1/hardware/valve/valve-1?value=true`, {
          method: 'POST',
        });
        assert.equal(
          [refused.status, ((await refused.json()) as { code: string }).code],
          [409, 'operator_stop'],
        );
        assert.equal(await rig.outputsOn(), []);
      }),

    'SVC-055 a svc.yaml that was edited wrongly keeps no stop from the devices': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        const guard = await rig.guardOf(bridge);
        await guard.until('"ready":true');
        for (const { child, ended } of [guard, bridge]) {
          child.kill('SIGKILL');
          await ended;
        }
        assert.not.equal(await rig.outputsOn(), []);
        appendFileSync(join(rig.folder, 'svc.yaml'), 'no_such_section: {\n');
        const { code, stdout, stderr } = await rig.svcctl(['stop'], { SVC_FIRMWARE_URL: bridge.url }).ended;
        assert.is(code, 0, stdout + stderr);
        assert.equal(await rig.outputsOn(), []);
      }),

    'SVC-039 what could not be made safe is exit 3, with what a person has to do': () =>
      onGuardedRig(async (rig) => {
        const bridge = await moving(rig);
        await rig.knobs('modbus-io', { deaf: true });
        const { code, stdout } = await rig.svcctl(['stop'], { SVC_FIRMWARE_URL: bridge.url }).ended;
        assert.is(code, 3);
        assert.match(stdout, /^pump_zero\s+done\s+\d+ ms\s+duty 0/m);
        assert.match(stdout, /^valves_off\s+(failed|timeout)/m);
        assert.match(stdout, /^NOT SAFE: partial/m);
        assert.match(stdout, 'disconnect the supply of the valves');
        assert.not.match(stdout, 'unplug the pump');
      }),

    'SVC-039 when no one can be asked it says so, and what to do by hand': () =>
      onGuardedRig(async (rig) => {
        const env = { SVC_FIRMWARE_URL: 'http://127.0.0.1:1', SVC_HARDWARE_MODE: 'mock' };
        const { code, stdout } = await rig.svcctl(['stop'], env).ended;
        assert.is(code, 3);
        assert.match(stdout, 'NOT SAFE: neither the bridge nor the guard could make the rig safe');
        assert.match(stdout, 'the bridge at http://127.0.0.1:1: ');
        assert.match(stdout, 'svc-guard: none runs');
        assert.match(stdout, 'SVC_HARDWARE_MODE=real');
        assert.match(stdout, 'unplug the pump');
      }),

    'SVC-009 a bridge in mock mode moves nothing, and its answer is never taken for a stop': () =>
      onGuardedRig(async (rig) => {
        const bridge = await rig.bridge({ SVC_HARDWARE_MODE: 'mock' });
        const { code, document } = await stop(rig, bridge);
        assert.equal([code, document.outcome, document.mock], [3, 'simulated', true]);
      }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
