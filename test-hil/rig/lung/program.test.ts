import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { end, launch } from '../bench/program.ts';
import { type Body, call, LONG, onLungRig, SHORT, until } from './lung-rig.ts';

const test = suite('svc-lung as a program');

test('SVC-001 the default port and 127.0.0.1 are shown by --help; --port beats the variable', async () => {
  const { code, stdout } = await launch('svc-lung', ['--help']).ended;
  assert.is(code, 0);
  assert.match(stdout, 'SVC_LUNG_PORT (default: 8205)');
  assert.match(stdout, 'SVC_LUNG_HOST (default: 127.0.0.1)');
  await onLungRig(async (rig) => {
    const { url } = await rig.start({ SVC_LUNG_PORT: '1' });
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.is.not(new URL(url).port, '1');
  });
});

test('SVC-002 a bad value ends with 2 and one line that names variable, value and remedy', async () => {
  const cases: [string[], Record<string, string>, string[]][] = [
    [['--port', 'many'], {}, ['--port "many"', '0 to 65535']],
    [['--host', '0.0.0.0'], {}, ['SVC_API_TOKEN is not set']],
    [[], { SVC_LUNG_ADDRESS: '/dev/ttyACM0' }, ['SVC_LUNG_ADDRESS', '/dev/ttyACM0', 'usb:1ffb:00c9']],
    [[], { SVC_LUNG_MIN_VIN_V: 'ten' }, ['SVC_LUNG_MIN_VIN_V', '"ten"', '0 to 40']],
    [[], { SVC_LUNG_MIN_VIN_V: '41' }, ['SVC_LUNG_MIN_VIN_V', '"41"']],
    [[], { SVC_LUNG_MIN_VIN_V: '-1' }, ['SVC_LUNG_MIN_VIN_V', '"-1"']],
    [[], { SVC_HARDWARE_MODE: 'reel' }, ['must be mock or real']],
  ];
  await Promise.all(
    cases.map(async ([args, env, parts]) => {
      const real = { SVC_CONFIG_PATH: '/dev/null', SVC_HARDWARE_MODE: 'real' };
      const { code, stdout, stderr } = await launch('svc-lung', args, { ...real, ...env }).ended;
      assert.is(code, 2, stderr);
      assert.is(stdout, '');
      assert.is(stderr.trim().split('\n').length, 1, stderr);
      for (const part of ['svc-lung: ', ...parts]) assert.ok(stderr.includes(part), `${stderr} | ${part}`);
    }),
  );
});

test('a port that is in use ends with 75, and the device is not touched', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  await onLungRig(async (rig) => {
    const { code, stderr } = await rig.launch(['--port', String(port)]).ended;
    assert.is(code, 75);
    assert.match(stderr, `127.0.0.1:${port} is in use`);
    assert.equal(rig.commands(), []);
  });
  other.close();
});

test('SVC-005 SVC-006 SVC-007 the common rules: 404, 405 with Allow, 413, 415, seven members, metrics, OpenAPI', () =>
  onLungRig(async (rig) => {
    const { url } = await rig.start();
    const unknown = await call(url, 'GET /api/nothing');
    assert.is(unknown.status, 404);
    for (const member of ['type', 'title', 'status', 'detail', 'code', 'error', 'ok'])
      assert.ok(member in unknown.body, member);
    const wrong = await fetch(`${url}/api/lung`);
    assert.equal([wrong.status, wrong.headers.get('allow')], [405, 'POST']);
    const text = await fetch(`${url}/api/lung`, { method: 'POST', body: JSON.stringify(LONG) });
    assert.is(text.status, 415);
    const large = await call(url, 'POST /api/lung', { ...LONG, x: 'x'.repeat(70_000) });
    assert.is(large.status, 413);
    const before = rig.mark();
    const api = (await call(url, 'GET /openapi.json')).body as { openapi: string; paths: Body };
    assert.is(api.openapi, '3.1.0');
    const paths = [
      '/health',
      ...['settings', 'status', 'lung', 'stop', 'energize', 'home', 'hold'].map((name) => `/api/${name}`),
    ];
    for (const path of paths) assert.ok(path in api.paths, path);
    const metrics = await (await fetch(`${url}/metrics`)).text();
    assert.match(metrics, /svc_device_up\{device="lung-motor"\} 1/);
    assert.match(metrics, 'svc_hardware_mode{mode="real"} 1');
    assert.is(rig.mark(), before, 'no device traffic');
  }));

test('SVC-003 SVC-004 a token is needed for all but /health and a stop from here; a foreign origin moves nothing', () =>
  onLungRig(async (rig) => {
    const token = 'sixteen-or-more-characters';
    const { url } = await rig.start({ SVC_API_TOKEN: token });
    assert.is((await fetch(`${url}/health`)).status, 200);
    assert.is((await call(url, 'POST /api/lung', LONG)).body.code, 'unauthorized');
    assert.is((await call(url, 'POST /api/energize', { enable: false })).body.code, 'unauthorized');
    assert.is((await call(url, 'POST /api/stop')).status, 200, 'from this machine a stop needs none');
    const headers = { authorization: `Bearer ${token}` };
    assert.is((await fetch(`${url}/api/status`, { headers })).status, 200);
    const foreign = await fetch(`${url}/api/stop`, {
      method: 'POST',
      headers: { ...headers, origin: 'http://evil.example' },
    });
    assert.is(foreign.status, 403);
  }));

test('the health names the device it found; the settings are those of the device', () =>
  onLungRig(async (rig) => {
    await rig.turn({ command_timeout_ms: 0 });
    const { url } = await rig.start();
    const { started_at, pid, version, configuration, ...health } = (
      await call(url, 'GET /health?wait_ms=2500')
    ).body;
    assert.ok(started_at && pid && version && configuration);
    const differences = [{ setting: 'command_timeout_ms', wanted: 1000, actual: 0 }];
    assert.equal(health, {
      ok: true,
      status: 'ok',
      code: null,
      message: 'Tic answered: at rest, de-energized',
      driver: 'Tic T249',
      identified: true,
      address: rig.address,
      firmware: '1.06',
      serial: '00330123',
      differences,
      mock_mode: false,
      simulated: false,
      bench: true,
      holder: null,
      stop_pending: null,
      service: 'svc-lung',
    });
    const { settings, ...told } = (await call(url, 'GET /api/settings')).body;
    assert.equal(told.differences, differences);
    assert.equal([(settings as Body).command_timeout_ms, (settings as Body).max_acceleration], [0, 40_000]);
    assert.equal([told.min_vin_v, told.homing_limit_s, told.longest_hold_s], [10, 20, 86_400]);
    assert.not.ok(
      rig.commands().some((command) => ['13', '10', 'FF'].includes(command)),
      'never written',
    );
  }));

test('SVC-008 SVC-009 mock is the default: no device is opened, and every answer says that it is simulated', () =>
  onLungRig(async (rig) => {
    const { url } = await rig.start({ SVC_HARDWARE_MODE: '' });
    const health = (await call(url, 'GET /health?wait_ms=2500')).body;
    assert.equal(
      [health.ok, health.mock_mode, health.simulated, health.identified],
      [true, true, true, false],
    );
    const { status, body } = await call(url, 'POST /api/lung', { ...SHORT, steps: 1000 });
    assert.equal([status, body.mock, body.simulated, body.bench], [200, true, true, false]);
    assert.is((await call(url, 'POST /api/lung', SHORT)).body.code, 'lung_moving');
    const seen = (await call(url, 'GET /api/status')).body;
    assert.equal([seen.moving, seen.mock, seen.vin_mv, seen.cycles_total], [true, true, null, 1]);
    assert.is((await call(url, 'POST /api/stop')).body.status, 'stopped');
    assert.is((await call(url, 'GET /api/status')).body.moving, false);
    for (const [line, order] of [
      ['POST /api/energize', { enable: true, hold_s: 1 }],
      ['POST /api/home', { direction: 'reverse' }],
      ['GET /api/settings', undefined],
      ['POST /api/hold', { hold_s: 10 }],
    ] as const) {
      const answer = await call(url, line, order);
      assert.equal([answer.status, answer.body.mock], [200, true], line);
    }
    assert.equal(rig.commands(), []);
  }));

test('SVC-028 in mock mode the hold ends the motion too', () =>
  onLungRig(async (rig) => {
    const { url } = await rig.start({ SVC_HARDWARE_MODE: 'mock' });
    await call(url, 'POST /api/lung', { ...LONG, hold_s: 1 });
    await until(async () => (await call(url, 'GET /api/status')).body.moving === false);
  }));

test('SVC-026 a Tic that another service holds: 409 with its name, degraded, and taken over when it is free', () =>
  onLungRig(async (rig) => {
    const first = await rig.start();
    const mark = rig.mark();
    const second = await rig.start();
    const health = (await call(second.url, 'GET /health?wait_ms=2500')).body;
    assert.equal([health.ok, health.status, (health.holder as Body).pid], [false, 'held', first.pid]);
    for (const [line, body] of [['POST /api/lung', LONG], ['GET /api/status'], ['POST /api/stop']] as const) {
      const answer = await call(second.url, line, body);
      assert.equal([answer.status, answer.body.code], [409, 'held_by_other'], line);
      assert.is((answer.body.holder as Body).pid, first.pid);
    }
    assert.equal(rig.commands(mark), []);
    await end(first, 'SIGKILL');
    await until(async () => (await call(second.url, 'GET /health?wait_ms=2500')).body.ok === true);
    assert.equal(rig.commands(mark), ['89', '86', '8F']);
    assert.is((await call(second.url, 'POST /api/lung', SHORT)).status, 200);
  }));

test('a Tic that is not there, or another one: the service runs, says so, and takes it when it comes', () =>
  onLungRig(async (rig) => {
    await rig.turn({ product_id: 0xb3 });
    const { url } = await rig.start();
    const wrong = (await call(url, 'GET /health?wait_ms=2500')).body;
    assert.equal([wrong.ok, wrong.status, wrong.code], [false, 'incompatible', 'wrong_device']);
    assert.match(String(wrong.message), 'T825');
    assert.is((await call(url, 'POST /api/lung', LONG)).status, 503);
    assert.equal(rig.commands(), []);
    await rig.turn({ unplug: true });
    await rig.turn({ product_id: 0xc9 });
    await rig.turn({ unplug: false });
    await until(async () => (await call(url, 'GET /health?wait_ms=2500')).body.ok === true);
    const { code } = await end(await rig.start({ SVC_LUNG_ADDRESS: `bench:${rig.folder}/nothing.sock` }));
    assert.is(code, 0, 'nothing was ever moved');
  }));

test.run();
