import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { runtimeFolder } from './runtime-folder.ts';
import { serviceEnvironment, supervisorEnvironment } from './service-environment.ts';

const test = suite('environment of the services');
const folder = runtimeFolder('/', '/tmp/rig', '/');

test('variables of a real rig do not reach the services', () => {
  const rig = {
    SVC_HARDWARE_MODE: 'mock',
    HARDWARE_MODE: 'mock',
    SVC_MODBUS_SERIAL_PORT: '/dev/ttyACM1',
    SVC_CONFIG_PATH: '/etc/svc/svc.yaml',
    SVC_API_TOKEN: 'secret',
    FIRMWARE_URL: 'http://rig:8202',
    PM2_HOME: '/home/operator/.pm2',
    pm_id: '0',
  };
  const env = serviceEnvironment({ ...rig, HOME: '/home/operator' }, folder);
  for (const name of Object.keys(rig)) assert.is.not(env[name], rig[name as keyof typeof rig], name);
  assert.is(env.SVC_CONFIG_PATH, '/tmp/rig/svc.yaml');
  assert.is(env.HOME, '/home/operator');
});

test('the mark of a test file stays, so that the runner finds what a test leaves', () => {
  assert.is(serviceEnvironment({ SVC_RIG_TEST_FILE: 'x' }, folder).SVC_RIG_TEST_FILE, 'x');
});

test('PM2 has a home of its own and asks nobody for a newer version', () => {
  const env = supervisorEnvironment({ PM2_HOME: '/home/operator/.pm2' }, folder);
  assert.is(env.PM2_HOME, '/tmp/rig/pm2');
  assert.is(env.PM2_DISABLE_VERSION_CHECK, 'true');
});

test('what PM2 told the caller of itself does not name the process that it starts next', () => {
  const told = {
    name: 'svc-server',
    args: 'serve',
    exec_mode: 'fork_mode',
    windowsHide: 'true',
    'svc-server': '{}',
    NODE_APP_INSTANCE: '0',
    pm_id: '0',
  };
  const kept = { HOME: '/home/rig', http_proxy: 'http://proxy:3128', NODE_OPTIONS: '--no-warnings' };
  const { PATH, RIG_RUNTIME_DIR, SVC_CONFIG_PATH, ...rest } = serviceEnvironment(
    { ...told, ...kept },
    folder,
  );
  assert.equal(rest, kept);
  // Of a shell they are a person's own.
  const { pm_id, ...shell } = told;
  assert.is(serviceEnvironment(shell, folder).name, 'svc-server');
});

test.run();
