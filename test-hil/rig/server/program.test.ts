import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { runGeneratedClient, validDescription } from '../../../src/test-kit/http/openapi.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end, launch, launchReady } from '../bench/program.ts';
import { serverBehind } from './server-behind.ts';
import { ask, type Json, MANY, QUICK, type Service } from './server-rig.ts';

const tests = suite('svc-server as a program');
/** Programs start and end here, on whatever machine. */
const SLOW = { timeoutMs: 120_000 };
const test = (title: string, body: () => unknown) => tests(title, body, SLOW);
const folder = mkdtempSync(join(tmpdir(), 'svc-server-'));
const TOKEN = 'a-token-of-sixteen-or-more';
let places = 0;

function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const state = join(folder, `state-${++places}`);
  return {
    SVC_CONFIG_PATH: '/dev/null',
    SVC_STATE_DIR: state,
    SVC_SCENARIO_DIR: join(folder, 'scenarios'),
    SVC_FIRMWARE_URL: 'http://127.0.0.1:1',
    ...more,
  };
}

async function withServer(
  work: (server: Service) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
  args: readonly string[] = ['--port', '0'],
): Promise<void> {
  const server = await launchReady('svc-server', args, environment(more));
  try {
    await work(server);
  } finally {
    await end(server);
  }
}

tests.before(() => {
  mkdirSync(join(folder, 'scenarios', 'lib'), { recursive: true });
  writeFileSync(join(folder, 'scenarios', 'quick.oql'), QUICK);
  writeFileSync(join(folder, 'scenarios', 'many.oql'), MANY.replace('200', '800'));
  writeFileSync(join(folder, 'scenarios', 'same.oql'), QUICK);
  writeFileSync(join(folder, 'scenarios', 'same.cql'), QUICK);
  writeFileSync(join(folder, 'scenarios', 'bad.oql'), 'GOAL:\n  FLY away\n');
  writeFileSync(join(folder, 'scenarios', 'lib', 'macros.oql'), 'MACRO hold:\n  WAIT 1s\n');
  writeFileSync(join(folder, 'scenarios', 'notes.txt'), 'no scenario');
  symlinkSync(join(folder, 'nowhere.oql'), join(folder, 'scenarios', 'gone.oql'));
});

tests.after(() => rmSync(folder, { recursive: true, force: true }));

test('SVC-001 port 8200 on 127.0.0.1 by default; the flag beats the variable', async () => {
  const { code, stdout } = await launch('svc-server', ['--help']).ended;
  assert.is(code, 0);
  assert.match(stdout, 'SVC_API_PORT (default: 8200)');
  assert.match(stdout, 'SVC_API_HOST (default: 127.0.0.1)');
  await withServer(
    async ({ url }) => {
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
      assert.is.not(new URL(url).port, '1');
    },
    { SVC_API_PORT: '1' },
  );
});

test('SVC-002 a refused start ends with 2 and one line that names place, value and remedy', async () => {
  for (const [args, env, part] of [
    [['--host', '0.0.0.0'], {}, 'SVC_API_TOKEN is not set'],
    [['--port', 'many'], {}, '--port "many"'],
    [[], { SVC_API_PORT: '70000' }, 'SVC_API_PORT "70000"'],
    [[], { SVC_FIRMWARE_URL: 'the bridge' }, 'SVC_FIRMWARE_URL "the bridge"'],
    [[], { SVC_FIRMWARE_URL: 'http://a:b@rig' }, 'SVC_FIRMWARE_URL'],
    [[], { SVC_HARDWARE_MODE: 'reel' }, 'must be mock or real'],
    [[], { SVC_CONFIG_PATH: '/no/such.yaml' }, 'SVC_CONFIG_PATH'],
  ] as const) {
    const { code, stdout, stderr } = await launch('svc-server', args, environment(env)).ended;
    assert.equal([code, stdout, stderr.trim().split('\n').length], [2, '', 1], stderr);
    assert.ok(stderr.includes(part), stderr);
  }
});

test('SVC-003 SVC-004 with a token all but health needs it; foreign Origin and Host are 403', () =>
  withServer(
    async (server) => {
      assert.is((await ask(server, 'GET /health?wait_ms=2500')).status, 200);
      for (const line of [
        'GET /api/scenarios',
        'GET /api/runs',
        'GET /metrics',
        'POST /api/scenarios/quick/run',
      ]) {
        assert.equal((await ask(server, line)).body.code, 'unauthorized', line);
        const known = await ask(server, line, undefined, { authorization: `Bearer ${TOKEN}` });
        assert.ok(known.status < 300, line);
        const foreign = { authorization: `Bearer ${TOKEN}`, origin: 'http://evil.example' };
        const refused = await ask(server, line, undefined, foreign);
        assert.equal([refused.status, refused.body.code], [403, 'origin_refused'], line);
        assert.is(refused.headers.get('access-control-allow-origin'), null);
      }
      const asked = spawnSync('curl', ['-s', '-H', 'Host: evil.example', `${server.url}/health`], {
        encoding: 'utf8',
      });
      assert.is(JSON.parse(asked.stdout).code, 'host_refused');
    },
    { SVC_API_TOKEN: TOKEN },
  ));

test('SVC-005 SVC-006 what is refused is a problem with all members: body of 1 MiB, method, path, key, mode', () =>
  withServer(async (server) => {
    const large = (bytes: number) => ({ operator: 'x'.repeat(bytes) });
    const cases = [
      [await ask(server, 'POST /api/scenarios/quick/run', large(1_048_577)), 413, 'payload_too_large'],
      [await ask(server, 'POST /api/scenarios/quick/run', large(1_000_000)), 422, 'invalid_parameter'],
      [await ask(server, 'DELETE /api/runs'), 405, 'method_not_allowed'],
      [await ask(server, 'GET /no-such-page'), 404, 'not_found'],
      [await ask(server, 'GET /api/v2/runs'), 404, 'not_found'],
      [await ask(server, 'POST /api/scenarios/quick/run', { mode: 'real' }), 422, 'invalid_parameter'],
      [await ask(server, 'POST /api/scenarios/quick/run', { sensors: {} }), 422, 'invalid_parameter'],
      [await ask(server, 'POST /api/scenarios/quick/run?wat=1', {}), 422, 'invalid_parameter'],
      [
        await ask(server, 'POST /api/scenarios/quick/run', { variables: { 'a b': 1 } }),
        422,
        'invalid_parameter',
      ],
      [await ask(server, 'POST /api/scenarios/quick/run', { simulated: true }), 422, 'invalid_parameter'],
      [await ask(server, 'GET /api/runs?limit=1001'), 422, 'invalid_parameter'],
      [await ask(server, 'GET /api/runs?limit=1&limit=2'), 422, 'invalid_parameter'],
      [await ask(server, 'POST /api/scenarios/none/run', {}), 404, 'unknown_scenario'],
      [await ask(server, 'GET /api/runs/none'), 404, 'unknown_run'],
    ] as const;
    for (const [{ status, headers, body }, wanted, code] of cases) {
      assert.equal([status, body.code], [wanted, code], JSON.stringify(body));
      assert.is(headers.get('content-type'), 'application/problem+json');
      for (const member of ['type', 'title', 'status', 'detail', 'code', 'error', 'ok'])
        assert.ok(member in body, member);
      assert.is(Array.isArray(body.errors), status === 422);
    }
    assert.is(cases[2][0].headers.get('allow'), 'GET, HEAD');
    assert.is((await ask(server, 'GET /api/runs')).body.count, 0, 'nothing of it was a run');
  }));

test('SVC-007 metrics and description are there without a word to the bridge', async () => {
  const asked: string[] = [];
  const bridge = createServer(({ url = '' }, response) => {
    asked.push(url);
    response.end('{"ok":true}');
  });
  await new Promise<void>((resolve) => bridge.listen(0, '127.0.0.1', resolve));
  const { port } = bridge.address() as AddressInfo;
  try {
    await withServer(
      async (server) => {
        for (const path of ['/metrics', '/openapi.json', '/api/scenarios', '/api/runs'])
          assert.is((await ask(server, `GET ${path}`)).status, 200);
        assert.equal(asked, []);
        assert.is(((await ask(server, 'GET /health?wait_ms=2500')).body.firmware as Json).reachable, true);
        assert.equal(asked, ['/health']);
      },
      { SVC_FIRMWARE_URL: `http://127.0.0.1:${port}` },
    );
  } finally {
    bridge.close();
  }
});

test('SVC-007 the metrics count runs; a client made from the description is typed', () =>
  withServer(async (server) => {
    await ask(server, 'POST /api/scenarios/quick/run?wait=30', {});
    const { text } = (await ask(server, 'GET /metrics')).body;
    assert.match(String(text), 'svc_runs_total{status="passed"} 1');
    assert.match(String(text), 'svc_hardware_mode{mode="mock"} 1');
    assert.match(String(text), 'route="/api/scenarios/:id/run"');
    const { paths } = await validDescription(server.url);
    for (const path of ['/health', '/api/scenarios', '/api/v1/scenarios/{id}/run', '/api/runs/{id}/events'])
      assert.ok(path in (paths as object), path);
    const printed = await runGeneratedClient(
      server.url,
      `const { runs } = await get('/api/runs', {});
       const [run] = runs;
       const status: 'queued' | 'running' | 'passed' | 'done' | 'failed' | 'error' | 'inconclusive' | 'aborting' | 'aborted' | undefined = run?.status;
       console.log(JSON.stringify({ status, ok: run?.ok }));`,
    );
    assert.equal(JSON.parse(printed), { status: 'passed', ok: true });
  }));

test('SVC-008 mock is the default: dry-run, marked, no bridge asked; execute without a bridge is an error', () =>
  withServer(async (server) => {
    const { status, body } = await ask(server, 'POST /api/scenarios/quick/run?wait=30');
    assert.equal(
      [status, body.mode, body.hardware_mode, body.simulated, body.ok, body.safe_state],
      [200, 'dry-run', 'mock', true, true, null],
    );
    const execute = await ask(server, 'POST /api/scenarios/quick/run?wait=30', { mode: 'execute' });
    assert.equal([execute.body.status, execute.body.safe_state], ['error', null]);
    const report = await ask(server, `GET /api/runs/${body.run_id}/report?format=csv`);
    assert.match(String(report.body.text), /,true,false(,[^,\r]*){7}\r\n/);
  }));

test('the list has every scenario once, and says what is wrong with a bad one', () =>
  withServer(async (server) => {
    const { count, scenarios } = (await ask(server, 'GET /api/scenarios')).body as {
      count: number;
      scenarios: Json[];
    };
    assert.equal(
      scenarios.map(({ id }) => id),
      ['bad', 'many', 'quick', 'same.cql', 'same.oql'],
    );
    assert.is(count, 5);
    assert.equal(scenarios[2], {
      id: 'quick',
      name: 'Quick',
      device_type: 'Mask',
      version: '3',
      valid: true,
      fault: null,
    });
    assert.equal([scenarios[0]?.valid, /SCN120 line 2/.test(String(scenarios[0]?.fault))], [false, true]);
    assert.is((await ask(server, 'POST /api/scenarios/same.cql/run?wait=30', {})).status, 200);
    const bad = await ask(server, 'POST /api/scenarios/bad/run?wait=30', {});
    assert.equal([bad.status, bad.body.code], [422, 'invalid_scenario']);
  }));

test('variables given to a run are in it and in its record', () =>
  withServer(async (server) => {
    const variables = { pressure: '5 bar', count: 3, on: true, level: { value: 2, unit: 'V' } };
    // Of a scenario that does not use them this is the only mode that begins.
    const wanted = { mode: 'validate', variables };
    const { body } = await ask(server, 'POST /api/scenarios/quick/run?wait=30', wanted);
    assert.equal((body.variables as Json).pressure, { value: 5, unit: 'bar' });
    const { identity } = (await ask(server, `GET /api/runs/${body.run_id}/report`)).body;
    assert.equal((identity as Json).variables, variables);
  }));

test('four dry runs at the same time; a fifth is 409 and names them', () =>
  withServer(async (server) => {
    const started = await Promise.all(
      Array.from({ length: 4 }, () => ask(server, 'POST /api/scenarios/many/run', {})),
    );
    assert.equal(
      started.map(({ status }) => status),
      [202, 202, 202, 202],
    );
    const fifth = await ask(server, 'POST /api/scenarios/quick/run', {});
    assert.equal([fifth.status, fifth.body.code], [409, 'run_active']);
    // Requests of four connections are admitted in any order.
    const ids = started.map(({ body }) => String(body.run_id)).sort();
    assert.equal(fifth.body.active, ids);
    assert.is((await ask(server, `POST /api/runs/${ids[0]}/abort`)).status, 202);
    for (;;) {
      const { status } = (await ask(server, `GET /api/runs/${ids[0]}`)).body;
      if (status === 'aborted') break;
      assert.is(status, 'aborting');
    }
    assert.is((await ask(server, 'POST /api/scenarios/quick/run', {})).status, 202);
  }));

test('records that cannot be written refuse runs with place and remedy; the rest of the server goes on', async () => {
  const file = join(folder, 'no-folder');
  writeFileSync(file, '');
  await withServer(
    async (server) => {
      const { status, body } = await ask(server, 'POST /api/scenarios/quick/run', {});
      assert.equal([status, body.code, body.device], [503, 'device_unavailable', 'run-records']);
      assert.match(String(body.error), /cannot be recorded in .*no-folder\/runs.*SVC_STATE_DIR/);
      const health = (await ask(server, 'GET /health?wait_ms=2500')).body;
      assert.equal([health.ok, health.status], [false, 'degraded']);
      assert.is((await ask(server, 'GET /api/scenarios')).status, 200);
      assert.is((await ask(server, 'GET /api/runs')).body.count, 0);
      rmSync(file);
      assert.is(
        (await ask(server, 'POST /api/scenarios/quick/run?wait=30', {})).status,
        200,
        'as soon as it can',
      );
    },
    { SVC_STATE_DIR: file },
  );
});

const small = mkdtempSync(join(tmpdir(), 'svc-small-'));
tests.after(() => rmSync(small, { recursive: true, force: true }));
const canMount =
  spawnSync('unshare', ['-rm', 'sh', '-c', `mount -t tmpfs -o size=1m none '${small}'`]).status === 0;

tests.needs(canMount, 'no mount in a user namespace here')(
  'REC-007 a disk with too little room refuses runs before they begin, and says how much is needed',
  async () => {
    // A mount of its own, which only this process sees.
    const mount = `mount -t tmpfs -o size=8m none '${small}'`;
    const server = await serverBehind(['unshare', '-rm'], mount, environment({ SVC_STATE_DIR: small }));
    try {
      const { status, body } = await ask(server, 'POST /api/scenarios/quick/run', {});
      assert.is(status, 503);
      assert.match(String(body.error), /KiB are free, 32768 are needed/);
      assert.is((await ask(server, 'GET /health?wait_ms=2500')).body.ok, false);
    } finally {
      await server.end();
    }
  },
  SLOW,
);

test('REC-007 a disk that takes no more in the middle of a run: error, reported everywhere, and not passed after a restart', async () => {
  const env = environment();
  // Files of at most 512 KiB.
  const server = await serverBehind([], 'ulimit -f 512', env);
  let id = '';
  try {
    const { status, body } = await ask(server, 'POST /api/scenarios/many/run?wait=60', {});
    assert.equal([status, body.status, body.ok], [200, 'error', false], JSON.stringify(body.errors));
    assert.match(JSON.stringify(body.errors), /SCN406.*file too large/);
    id = String(body.run_id);
    const events = String((await ask(server, `GET /api/runs/${id}/events`)).body.text);
    assert.match(events.trim().split('\n').at(-1) ?? '', '"type":"run.end","outcome":"error"');
    const report = (await ask(server, `GET /api/runs/${id}/report`)).body;
    assert.equal([(report.evidence as Json).complete, report.status], [false, 'error']);
  } finally {
    await server.end();
  }
  await withServer(async (server) => {
    const run = (await ask(server, `GET /api/runs/${id}`)).body;
    assert.equal([run.status, run.ok], ['error', false]);
  }, env);
});

test('killed at any moment: every run is there afterwards, ended, and its record holds', async () => {
  const env = environment();
  const begun: string[] = [];
  for (const ms of [0, 3, 20, 60, 150, 400]) {
    const server = await launchReady('svc-server', ['--port', '0'], env);
    const { body } = await ask(server, 'POST /api/scenarios/many/run', {});
    begun.unshift(String(body.run_id));
    await systemClock.sleep(ms);
    await end(server, 'SIGKILL');
  }
  await withServer(async (server) => {
    const { runs } = (await ask(server, 'GET /api/runs')).body as { runs: Json[] };
    assert.equal(
      runs.map(({ run_id }) => run_id),
      begun,
    );
    for (const { run_id: id, status } of runs) {
      assert.is(status, 'aborted', String(id));
      const report = (await ask(server, `GET /api/runs/${id}/report`)).body;
      const last = (report.events as Json[]).at(-1);
      assert.equal([last?.type, last?.outcome], ['run.end', 'aborted'], String(id));
      for (const format of ['html', 'junit', 'csv'])
        assert.is((await ask(server, `GET /api/runs/${id}/report?format=${format}`)).status, 200);
    }
  }, env);
});

test('a record that was changed is shown in the list, and its report is refused', () =>
  withServer(async (server) => {
    const { run_id: id } = (await ask(server, 'POST /api/scenarios/quick/run?wait=30', {})).body;
    const runs = join(folder, `state-${places}`, 'runs');
    assert.equal(readdirSync(runs), [id]);
    writeFileSync(join(runs, String(id), 'events.ndjson'), '{"seq":0}\n');
    const { status, body } = await ask(server, `GET /api/runs/${id}/report?format=junit`);
    assert.equal([status, body.code], [503, 'corrupt_response']);
    assert.match(String(body.error), `the record of ${id}`);
    rmSync(join(runs, String(id), 'events.ndjson'));
    for (const path of ['report', 'events']) {
      const gone = await ask(server, `GET /api/runs/${id}/${path}`);
      assert.equal([gone.status, gone.body.code], [503, 'corrupt_response'], path);
    }
    assert.is(
      (await ask(server, `GET /api/runs/${id}`)).body.status,
      'passed',
      'the list shows what was said of it',
    );
  }));

tests.run();
