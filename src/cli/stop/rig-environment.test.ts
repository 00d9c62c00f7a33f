import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { readRunningRig, recordRunningRig } from '../../rig/configuration/running-rig.ts';
import { PARTNER_MARK } from '../../rig/guard/partner-mark.ts';
import { suite } from '../../test-kit/suite.ts';
import { meantRig } from './rig-environment.ts';

const test = suite('the rig that a stop means');

let folder = '';
test.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'meant-'));
  for (const rig of ['one', 'two']) {
    mkdirSync(join(folder, rig, 'state'), { recursive: true });
    writeFileSync(join(folder, rig, 'svc.yaml'), '');
  }
});
test.after.each(() => rmSync(folder, { recursive: true, force: true }));

const state = (rig: string) => join(folder, rig, 'state');
const config = (rig: string) => join(folder, rig, 'svc.yaml');

/** As bridge and guard of a rig write it down. */
async function start(rig: string, port: number): Promise<void> {
  const env = {
    SVC_CONFIG_PATH: 'svc.yaml',
    SVC_PUMP_SERIAL_PORT: `/dev/pump-${rig}`,
    SVC_API_TOKEN: 'a-secret-of-the-rig',
    SVC_BANK_PASSWORD: 'a-secret-of-the-rig',
    SVC_SENSOR_ADC_URL: 'http://anna:a-secret-of-the-rig@127.0.0.1:8204',
    HOME: '/home/rig',
  };
  const started = { env, config: config(rig), stateDir: state(rig), mode: 'real' } as const;
  await recordRunningRig({ writer: 'svc-guard', ...started });
  await recordRunningRig({ writer: 'svc-bridge', ...started, url: `http://127.0.0.1:${port}` });
}

/** In an empty folder, where no settings of a rig are. */
const meant = (env: Record<string, string>) =>
  meantRig({ env: { RIG_RUNTIME_DIR: join(folder, 'none'), ...env }, cwd: folder });

test('the state folder leads to everything that a guard needs, whatever the shell has', async () => {
  await start('one', 9202);
  const { env, isSeveral, notes } = meant({
    SVC_STATE_DIR: 'one/state',
    SVC_HARDWARE_MODE: 'mock',
    SVC_PUMP_SERIAL_PORT: '/dev/other',
    SVC_API_TOKEN: 'mine',
  });
  assert.equal([isSeveral, notes], [false, []]);
  assert.equal(
    [env.SVC_HARDWARE_MODE, env.SVC_CONFIG_PATH, env.SVC_STATE_DIR, env.SVC_FIRMWARE_URL],
    ['real', config('one'), state('one'), 'http://127.0.0.1:9202'],
  );
  assert.equal([env.SVC_PUMP_SERIAL_PORT, env.SVC_API_TOKEN], ['/dev/pump-one', 'mine']);
});

test('no secret of the rig is written down', async () => {
  await start('one', 9202);
  for (const name of readdirSync(state('one')))
    assert.not.match(readFileSync(join(state('one'), name), 'utf8'), 'a-secret-of-the-rig');
  assert.is(readRunningRig(state('one'))?.env.HOME, undefined);
});

test('SVC-055 what marks a guard as started by another one is not a setting of the rig', async () => {
  const env = { [PARTNER_MARK]: '7', SVC_GUARD_PORT: '8201' };
  await recordRunningRig({
    ...{ writer: 'svc-guard', env, stateDir: state('one'), mode: 'real', config: config('one') },
  });
  const recorded = readRunningRig(state('one'))?.env ?? {};
  assert.equal([recorded[PARTNER_MARK], recorded.SVC_GUARD_PORT], [undefined, '8201']);
});

test('a configuration leads to the rig that runs with it', async () => {
  await start('one', 9202);
  const { env } = meant({ SVC_CONFIG_PATH: 'one/svc.yaml' });
  assert.equal([env.SVC_STATE_DIR, env.SVC_HARDWARE_MODE], [state('one'), 'real']);
});

test('configuration, bridge and state folder of different rigs are reported', async () => {
  await start('one', 9202);
  await start('two', 9302);
  const byConfig = meant({ SVC_STATE_DIR: state('one'), SVC_CONFIG_PATH: config('two') });
  assert.is(byConfig.env.SVC_CONFIG_PATH, config('one'));
  assert.match(byConfig.notes.join(), `the rig in ${state('one')} is stopped`);
  const byBridge = meant({ SVC_STATE_DIR: state('one'), SVC_FIRMWARE_URL: 'http://127.0.0.1:9302' });
  assert.is(byBridge.isSeveral, true);
  assert.match(byBridge.notes.join(), 'both are stopped');
  assert.is(
    meant({ SVC_STATE_DIR: state('one'), SVC_FIRMWARE_URL: 'http://localhost:9202' }).isSeveral,
    false,
  );
});

test('a damaged record is none, and the variables count as they are given', async () => {
  for (const text of ['', '{', '[]', '{"env":7}', 'null']) {
    writeFileSync(join(state('one'), 'started-svc-guard.json'), text);
    const { env, notes } = meant({ SVC_STATE_DIR: state('one'), SVC_HARDWARE_MODE: 'real' });
    assert.equal([env.SVC_HARDWARE_MODE, env.SVC_STATE_DIR, notes], ['real', state('one'), []], text);
  }
});

test.run();
