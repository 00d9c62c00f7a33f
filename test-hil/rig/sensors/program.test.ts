import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { MARK_VARIABLE } from '../../../src/lib/http/answer-tap.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { canBeNobody } from '../../../src/test-kit/transports/as-nobody.ts';
import { end, launch, root } from '../bench/program.ts';
import { get, type Json, onSensorsRig, sensor, until } from './sensors-rig.ts';

const test = suite('svc-sensors as a program');
const HELD = 75;

test('SVC-001 the default port and 127.0.0.1 are shown by --help; --port beats the variable', async () => {
  const { code, stdout } = await launch('svc-sensors', ['--help']).ended;
  assert.is(code, 0);
  assert.match(stdout, 'SVC_SENSORS_PORT (default: 8204)');
  assert.match(stdout, 'SVC_SENSORS_HOST (default: 127.0.0.1)');
  await onSensorsRig(async (rig) => {
    const service = await rig.sensors({ SVC_SENSORS_PORT: '1' });
    assert.match(service.url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.is.not(new URL(service.url).port, '1');
    const { body } = await get(service, '/health?wait_ms=2500');
    assert.equal([body.service, body.pid, body.ok], ['svc-sensors', service.pid, true]);
  });
});

test('SVC-002 a bad value ends with 2, nothing on stdout and one line that names variable, value and remedy', async () => {
  const cases: [string[], Record<string, string>, string[]][] = [
    [['--port', 'many'], {}, ['--port "many"', '0 to 65535']],
    [['--prot', '1'], {}, ["unknown option '--prot'"]],
    [['extra'], {}, ['too many arguments']],
    [[], { SVC_SENSORS_PORT: '70000' }, ['SVC_SENSORS_PORT "70000"']],
    [['--host', '0.0.0.0'], {}, ['SVC_API_TOKEN is not set']],
    [['--host', '0.0.0.0'], { SVC_API_TOKEN: 'short' }, ['16 or more']],
    [[], { SVC_HARDWARE_MODE: 'reel' }, ['SVC_HARDWARE_MODE', '"reel"', 'must be mock or real']],
    [[], { SVC_I2C_BUS: 'one' }, ['SVC_I2C_BUS = "one"', '/dev/i2c-N']],
    [[], { SVC_ADS1115_ADDRESS: '72' }, ['SVC_ADS1115_ADDRESS = "72"', '0x48']],
    [[], { SVC_CONFIG_PATH: '/nonexistent.yaml' }, ['/nonexistent.yaml', 'no such file']],
  ];
  const results = await Promise.all(
    cases.map(async ([args, env, parts]) => {
      const ended = await launch('svc-sensors', args, { SVC_CONFIG_PATH: '/dev/null', ...env }).ended;
      return { ended, parts };
    }),
  );
  for (const { ended, parts } of results) {
    const { code, stdout, stderr } = ended;
    assert.is(code, 2, `${parts}: ${stderr}`);
    assert.is(stdout, '');
    assert.is(stderr.trim().split('\n').length, 1, stderr);
    assert.ok(stderr.startsWith('svc-sensors: '), stderr);
    for (const part of parts) assert.ok(stderr.includes(part), `${stderr} | ${part}`);
  }
});

test('a port that is in use ends with 75 and names it, before the chip is touched', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const program = launch('svc-sensors', ['--port', String(port)], { SVC_CONFIG_PATH: '/dev/null' });
  const { code, stderr } = await program.ended;
  assert.is(code, HELD);
  assert.match(stderr, `svc-sensors: 127.0.0.1:${port} is in use`);
  other.close();
});

test('SVC-003 SVC-004 SVC-005 SVC-006 SVC-007 what every service of the rig promises', () =>
  onSensorsRig(async (rig) => {
    const token = 'sixteen-or-more-characters';
    const guarded = await rig.sensors({ SVC_API_TOKEN: token });
    assert.is((await get(guarded, '/health')).status, 200);
    assert.is((await get(guarded, sensor('ai01'))).status, 401);
    assert.is((await get(guarded, sensor('ai01'), { authorization: `Bearer ${token}` })).status, 200);
    const { child, ended } = guarded;
    child.kill('SIGTERM');
    await ended;
    const service = await rig.sensors();
    assert.is((await get(service, sensor('ai01'), { origin: 'http://evil.example' })).status, 403);
    assert.is((await get(service, '/api/v1/hardware')).status, 404);
    const wrong = await fetch(service.url + sensor('ai01'), { method: 'POST' });
    assert.equal([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD']);
    const large = await fetch(service.url + sensor('ai01'), { method: 'POST', body: 'x'.repeat(70_000) });
    assert.ok([405, 413].includes(large.status), String(large.status));
    const unknown = await fetch(service.url + sensor('ai09'));
    assert.is(unknown.headers.get('content-type')?.split(';')[0], 'application/problem+json');
    const problem = (await unknown.json()) as Json;
    const { type, title, status, detail, code, error, ok, errors } = problem;
    assert.equal(
      [type, title, status, code, ok, detail === error, (errors as Json[]).length],
      ['urn:svc:problem:unknown_sensor', 'Unknown sensor', 422, 'unknown_sensor', false, true, 1],
    );
    const metrics = await (await fetch(`${service.url}/metrics`)).text();
    assert.match(metrics, 'svc_device_up{device="sensor-adc"} 1');
    assert.match(metrics, 'svc_hardware_mode{mode="real"} 1');
    const description = (await get(service, '/openapi.json')).body;
    assert.equal(
      [description.openapi, Object.keys(description.paths as Json).includes('/api/v1/hardware/sensor/{id}')],
      ['3.1.0', true],
    );
  }));

test('SIGTERM, SIGINT with requests under way end with 0; an uncaught error with 1', () =>
  onSensorsRig(async (rig) => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      const service = await rig.sensors();
      await rig.turn('ads1115', { slow: true });
      const pending = get(service, sensor('ai01')).then(
        ({ status }) => status,
        () => 'hung up',
      );
      const { code, stderr } = await end(service, signal);
      assert.is(code, 0, `${signal}: ${stderr}`);
      assert.ok([503, 504, 'hung up'].includes(await pending));
      await rig.turn('ads1115', { slow: false });
    }
    const script = 'process.on("SIGUSR2",()=>{throw new Error("boom")})';
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(script)}`;
    const service = await rig.sensors({ NODE_OPTIONS });
    service.child.kill('SIGUSR2');
    const { code, stderr } = await service.ended;
    assert.is(code, 1);
    assert.match(stderr, 'boom');
  }));

test('SVC-026 SIGKILL frees the chip: the one that was held has it within its next try', () =>
  onSensorsRig(async (rig) => {
    const holder = await rig.sensors();
    const second = await rig.sensors();
    assert.is((await get(second, '/health?wait_ms=2500')).body.status, 'held');
    holder.child.kill('SIGKILL');
    await holder.ended;
    await until(second, sensor('ai01'), ({ status }) => status === 200);
  }));

test.needs(canBeNobody, 'only root can become another user')(
  'without the right to the bus health says permission denied, with the group as remedy; without a bus, not found',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sensors-denied-'));
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'dev'));
    const bus = join(folder, 'dev', 'i2c-7');
    writeFileSync(bus, '');
    chmodSync(bus, 0o660);
    try {
      const cases = [
        [
          `i2c:${bus}`,
          'permission_denied',
          `permission denied: no permission for ${bus} (group root, mode 0660)`,
        ],
        [`i2c:${join(folder, 'dev', 'i2c-8')}`, 'not_found', 'not found: '],
      ] as const;
      for (const [address, status, message] of cases) {
        const { body } = await healthAsNobody(address);
        assert.equal([body.ok, body.status, body.initialized], [false, status, false]);
        assert.ok(String(body.message).startsWith(message), String(body.message));
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

/** `/health` of the service as the user `nobody`, who has no group. */
async function healthAsNobody(bus: string) {
  const nobody = 65_534;
  const child = spawn(process.execPath, [join(root, 'dist', 'svc-sensors.cjs'), '--port', '0'], {
    uid: nobody,
    gid: nobody,
    cwd: '/',
    env: {
      [MARK_VARIABLE]: process.env[MARK_VARIABLE],
      SVC_CONFIG_PATH: '/dev/null',
      SVC_HARDWARE_MODE: 'real',
      SVC_I2C_BUS: bus,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const { url } = JSON.parse(String(line)) as { url: string };
    const response = await fetch(`${url}/health?wait_ms=2500`);
    return { status: response.status, body: (await response.json()) as Json };
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
}

test.run();
