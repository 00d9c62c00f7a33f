import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { makeRecords } from '../../../src/lab/history-benchmark/make-records.ts';
import { systemClock } from '../../../src/lib/clock/clock.ts';
import { INDEX_FILE } from '../../../src/services/server/run-index/open-index.ts';
import { factsOf, RecordPlace } from '../../../src/test-kit/scenario/sample-run.ts';
import { suite } from '../../../src/test-kit/suite.ts';
import { end, launchReady } from '../bench/program.ts';
import { ask, type Json, type Service } from './server-rig.ts';

const tests = suite('svc-server lists and judges its records by their index');
/** Programs start and end here, on whatever machine. */
const SLOW = { timeoutMs: 120_000 };
const test = (title: string, body: () => unknown) => tests(title, body, SLOW);
const POLL_MS = 100;
const RUNS = 120;
const folder = mkdtempSync(join(tmpdir(), 'run-index-'));
const index = join(folder, INDEX_FILE);

tests.before(() => {
  mkdirSync(join(folder, 'scenarios'));
  makeRecords(folder, RUNS);
});
tests.after(() => rmSync(folder, { recursive: true, force: true }));

const start = () =>
  launchReady('svc-server', ['--port', '0'], {
    SVC_CONFIG_PATH: '/dev/null',
    SVC_STATE_DIR: folder,
    SVC_SCENARIO_DIR: join(folder, 'scenarios'),
    SVC_FIRMWARE_URL: 'http://127.0.0.1:1',
  });

async function withServer(work: (server: Service) => Promise<void>): Promise<void> {
  const server = await start();
  try {
    await work(server);
  } finally {
    await end(server);
  }
}

/** Asks until the answer is as it should be. */
async function until(server: Service, line: string, isRight: (body: Json) => boolean): Promise<Json> {
  for (;;) {
    const { body } = await ask(server, line);
    if (isRight(body)) return body;
    await systemClock.sleep(POLL_MS);
  }
}

const byIndex = (body: Json): boolean => body.source === 'index';
const isComplete = (body: Json): boolean => body.code === undefined;

/** Everything that lists and statistics show, when the index has all. */
async function shown(server: Service): Promise<string> {
  const { runs, next } = await until(server, `GET /api/runs?limit=${RUNS * 2}`, byIndex);
  const { measurements } = await until(server, 'GET /api/statistics/measurements', isComplete);
  const [{ key = '' } = {}] = measurements as { key: string }[];
  const line = `GET /api/statistics/measurement?key=${encodeURIComponent(key)}`;
  const statistics = [await ask(server, line), await ask(server, 'GET /api/statistics/scenarios')];
  return JSON.stringify({ runs, next, measurements, statistics: statistics.map(({ body }) => body) });
}

let right = '';

test('REC-005 an index that is missing is made; lists come by it or from the directories, and are the same', () =>
  withServer(async (server) => {
    const early = (await ask(server, 'GET /api/runs?limit=5')).body;
    assert.equal([early.count, (early.runs as Json[])[0]?.run_id], [5, 'r-20240101-0120']);
    right = await shown(server);
    const { runs } = JSON.parse(right) as { runs: Json[] };
    assert.is(runs.length, RUNS);
  }));

test('REC-005 kill -9 at any moment while the index is made or used: the next start shows all', async () => {
  for (let n = 0; n < 6; n++) {
    if (n % 3 === 0) rmSync(index, { force: true });
    if (n === 4) truncateSync(index, 20_000);
    const server = await start();
    await systemClock.sleep(n * 25);
    server.child.kill('SIGKILL');
    await server.ended;
  }
  await withServer(async (server) => assert.is(await shown(server), right));
});

test('REC-005 while another process has the index locked, lists come from the directories and say so', () =>
  withServer(async (server) => {
    await shown(server);
    const lock = await lockHolder();
    const list = await until(server, `GET /api/runs?limit=${RUNS * 2}`, (body) => !byIndex(body));
    assert.equal([list.source, list.count], ['directories', RUNS]);
    assert.match(String(list.note), /is locked by another process/);
    const refused = await ask(server, 'GET /api/statistics/measurements');
    assert.equal(
      [refused.status, refused.body.code, refused.body.device],
      [503, 'device_unavailable', 'run-index'],
    );
    lock.kill('SIGKILL');
    await once(lock, 'close');
    assert.is(await shown(server), right, 'without a restart');
  }));

async function lockHolder(): Promise<ChildProcess> {
  const program = `const Database = require('libsql');
    const database = new Database(${JSON.stringify(index)}, { timeout: 20000 });
    database.exec('BEGIN EXCLUSIVE');
    console.log('locked');
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return child;
}

test('lists are filtered, and paged by next', () =>
  withServer(async (server) => {
    const list = async (query: string) => (await ask(server, `GET /api/runs?${query}`)).body;
    const ids: unknown[] = [];
    for (let before: unknown = ''; before !== null; ) {
      const part = await list(`scenario=masks%2Fleak&limit=7${before === '' ? '' : `&before=${before}`}`);
      ids.push(...(part.runs as Json[]).map(({ run_id }) => run_id));
      before = part.next;
    }
    assert.is(new Set(ids).size, RUNS / 4);
    assert.is((await list('serial=SN-100018')).count, 2, 'both runs of one unit');
    assert.is((await list('search=sn-100018&operator=nobody')).count, 0);
    assert.is((await list('since=2024-01-01T02:00:00Z&until=2024-01-01T03:00:00Z')).count, 12);
    assert.is((await list('until=2024-01-01&limit=1000')).count, RUNS, 'a date is the whole day');
    assert.is((await ask(server, 'GET /api/runs?since=yesterday')).status, 422);
    assert.is((await ask(server, 'GET /api/runs?hardware=none')).status, 422);
  }));

test('REC-006 runs of a bench or in mock mode are in statistics only when asked for; every answer is a CSV too', () =>
  withServer(async (server) => {
    const count = async (query: string) => {
      const { measurements } = await until(server, `GET /api/statistics/measurements${query}`, isComplete);
      return (measurements as Json[]).length;
    };
    assert.equal([await count('?hardware=bench'), await count('?hardware=mock')], [0, 0]);
    const before = await count('');
    const place = new RecordPlace(folder);
    const store = place.store();
    await place.run(store);
    const execute = store.create(
      factsOf({ mode: 'execute', hardware_mode: 'real' }),
      Buffer.from(''),
      Date.now(),
    );
    execute.append({
      ...{
        seq: 0,
        t: 0,
        time: new Date().toISOString(),
        goal: null,
        pos: null,
        simulated: false,
        bench: true,
      },
      ...{ type: 'log', level: 'info', message: 'on a bench' },
    });
    assert.equal([await count('?hardware=mock'), await count('')], [1, before], 'noticed at once');
    const csv = await fetch(`${server.url}/api/statistics/scenarios?format=csv`);
    assert.match(csv.headers.get('content-type') ?? '', 'text/csv');
    const lines = (await csv.text()).split('\r\n');
    assert.equal(
      [lines[0]?.slice(0, 24), lines[1]?.slice(0, 14)],
      ['from,runs,passed,failed,', '2024-01-01,120'],
    );
    const unknown = await ask(server, 'GET /api/statistics/measurement?key=nothing');
    assert.equal([unknown.status, unknown.body.code], [404, 'not_found']);
  }));

test('a record that is changed while the server runs is listed as damaged, and is no run any more', () =>
  withServer(async (server) => {
    await shown(server);
    const id = 'r-20240101-0060';
    truncateSync(join(folder, 'runs', id, 'events.ndjson'), 300);
    const { damaged, runs } = (await ask(server, 'GET /api/runs?limit=1000')).body as {
      damaged: Json[];
      runs: Json[];
    };
    assert.equal(
      damaged.map(({ run_id }) => run_id),
      [id],
    );
    assert.match(String(damaged[0]?.reason), /events\.ndjson line \d+: /);
    assert.not.ok(runs.some(({ run_id }) => run_id === id));
    const { damaged_records } = (await ask(server, 'GET /api/statistics/measurements')).body;
    assert.is(damaged_records, 1);
  }));

tests.run();
