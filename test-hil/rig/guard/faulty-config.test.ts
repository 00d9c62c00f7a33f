import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { together } from '../bench/together.ts';
import { directConfig, type GuardedRig, onGuardedRig, type Service } from './guarded-rig.ts';

const test = suite('svc-guard beside a faulty svc.yaml');

const fileOf = ({ folder }: GuardedRig) => join(folder, 'svc.yaml');
const withoutLung = (twins: string) =>
  directConfig(twins).replace(/lung-motor: .*/, 'lung-motor: { enabled: false }');

/** A bridge that has something on, and a guard that was there and is gone. */
async function guardedBefore(rig: GuardedRig): Promise<Service> {
  const bridge = await rig.bridge();
  const guard = await rig.guardOf(bridge);
  guard.child.kill('SIGKILL');
  await guard.ended;
  await rig.actuate(bridge);
  return bridge;
}

async function killed({ child, ended }: Service): Promise<void> {
  child.kill('SIGKILL');
  await ended;
}

together(
  test,
  {
    'SVC-053 a guard that starts with a faulty svc.yaml guards with the last good one, and takes the file once it is valid':
      () =>
        onGuardedRig(async (rig) => {
          const bridge = await guardedBefore(rig);
          writeFileSync(fileOf(rig), '{ no yaml');
          const guard = await rig.guard();
          await guard.until('the configuration of the last guard is used instead');
          await guard.until(`watching svc-bridge (pid ${bridge.pid})`);
          await killed(bridge);
          await rig.untilSafe();
          await guard.until('safe state: safe (bridge_ended)');
          assert.is(rig.report().steps.find(({ name }) => name === 'lung_halt')?.status, 'done');

          rig.configure(withoutLung(join(rig.folder, 'bench')));
          await guard.until('is valid again and is used from now on');
          const next = await rig.settledBridge();
          await guard.until(`watching svc-bridge (pid ${next.pid})`);
          await rig.actuate(next);
          next.child.kill('SIGSTOP');
          const { code, stdout } = await rig.svcctl(['stop', '--json'], { SVC_FIRMWARE_URL: next.url }).ended;
          assert.equal([code, await rig.outputsOn()], [0, []], stdout);
          assert.is(rig.report().steps.find(({ name }) => name === 'lung_halt')?.status, 'not_configured');
          assert.is(guard.child.exitCode, null);
          const kept = readFileSync(join(rig.stateDir, 'last-good-svc.yaml'), 'utf8');
          assert.is(kept, readFileSync(fileOf(rig), 'utf8'));
        }),

    'SVC-053 a name that the rig does not have keeps a guard from nothing': () =>
      onGuardedRig(async (rig) => {
        const bridge = await guardedBefore(rig);
        appendFileSync(fileOf(rig), 'sensors: { ai1: { resolution: 0.1 } }\n');
        const guard = await rig.guardOf(bridge);
        assert.match(guard.text(), /ai1 is not a sensor of this rig.*the rest of it is used/);
        await killed(bridge);
        await rig.untilSafe();
      }),

    'SVC-055 an empty svc.yaml does not make a stop go to the default devices, but to those of the last guard':
      () =>
        onGuardedRig(async (rig) => {
          await killed(await guardedBefore(rig));
          assert.not.equal(await rig.outputsOn(), []);
          writeFileSync(fileOf(rig), '# nothing\n');
          const { code, stdout, stderr } = await rig.launch('svc-guard', ['--once']).ended;
          assert.is(code, 0, stdout + stderr);
          assert.equal(await rig.outputsOn(), []);
        }),

    'SVC-055 with an empty svc.yaml and no other one a stop is refused, with what to write': () =>
      onGuardedRig(async (rig) => {
        writeFileSync(fileOf(rig), '');
        for (const args of [['--once'], []]) {
          const { code, stdout, stderr } = await rig.launch('svc-guard', args).ended;
          assert.equal([code, stdout], [2, ''], stderr);
          assert.match(
            stderr,
            `${fileOf(rig)}: plugins: names no device: write the devices of this rig there`,
          );
        }
        const env = { SVC_FIRMWARE_URL: 'http://127.0.0.1:1' };
        const stop = await rig.svcctl(['stop'], env).ended;
        assert.is(stop.code, 3);
        assert.match(stop.stdout, /NOT SAFE(.|\n)*svc-guard --once: .*names no device/);
      }),
  },
  { timeoutMs: 90_000, atOnce: 2 },
);

test.run();
