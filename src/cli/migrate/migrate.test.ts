import { rmSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { MigrationReport } from '../../sync/migrate-rows.ts';
import { type Finished, onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';
import { type Row, ScenarioServer } from '../../test-kit/sync/scenario-server.ts';

const test = suite('svc-scenario-migrate');
const program = new SvcctlProcess('src/cli/migrate/main.ts');
let server: ScenarioServer;

const OLD =
  'GOAL: Pulse\n  LOOP 2 TIMES\n    SET valve-1 = on\n  ENDLOOP\n  CHECK AI01 <= 5 V\n  SET valve-1 off\n';
const NEW =
  "VERSION: 4\n\nGOAL:\n  SET NAME 'Pulse'\n  REPEAT 2:\n    SET valve-1 on\n  REPEAT STOP\n  CHECK AI01 <= 5 V\n  SET valve-1 off\n";
const UNSUPPORTED = 'GOAL: Wait\n  AI01 ≥ 3 V | WAIT\n';
const INVALID = 'GOAL: Typo\n  CHEK AI01 <= 5 V\n';

const list = () => `${server.base}/api/v3/data/test_scenarios`;
const migrate = (...args: string[]) => program.run(['--source-url', list(), ...args]);
const apply = (...args: string[]) => migrate('--apply', '--write-url', `${list()}/{id}`, ...args);
const reportOf = (finished: Finished) => onlyJson(finished) as unknown as MigrationReport;
const writes = () => server.requests.filter(({ method }) => method !== 'GET');

test.before(async () => {
  await program.build();
});
test.before.each(async () => {
  server = await ScenarioServer.start(program.path('rows.ndjson'), []);
});
test.after.each(async () => {
  await server.close();
  rmSync(program.path('scenarios'), { recursive: true, force: true });
});
test.after(() => program.dispose());

test('LANG-062 without --apply it shows what would change and writes nothing', async () => {
  server.write([{ id: 'old', code: OLD, dsl: OLD }, { id: 'new', code: NEW, dsl: NEW }, { id: 'none' }]);
  const finished = await migrate();
  assert.is(finished.code, 0, finished.stderr);
  const report = reportOf(finished);
  assert.equal(report, {
    ok: true,
    source_url: list(),
    apply: false,
    summary: {
      rows: 3,
      migrated: 1,
      unchanged: 1,
      unsupported: 0,
      invalid: 0,
      skipped: 1,
      written: 0,
      not_written: 0,
    },
    results: [
      { id: 'old', from: 'row', status: 'migrated' },
      { id: 'new', from: 'row', status: 'unchanged' },
      { id: 'none', from: 'row', status: 'skipped', reason: 'the row has no dsl' },
    ],
    updates_preview: [{ id: 'old', text: NEW }],
    updated_remote: [],
    unsupported: [],
  });
  assert.match(finished.stderr, 'preview only, nothing written');
  assert.is(writes().length, 0);
});

test('LANG-062 --apply writes code and dsl together; what has no form in version 4 stays as it was, exit code 1', async () => {
  const rows: Row[] = [
    { id: 'old', title: 'T', code: OLD, dsl: OLD },
    { id: 'only-code', code: OLD },
    { id: 'wait', dsl: UNSUPPORTED },
    { id: 'typo', dsl: INVALID },
    { id: 'two', code: OLD, dsl: OLD.replace('5 V', '4 V') },
    { id: 'half', code: OLD, dsl: NEW },
  ];
  server.write(rows);
  const finished = await apply();
  assert.is(finished.code, 1);
  const { ok, summary, results, updated_remote, unsupported } = reportOf(finished);
  assert.is(ok, false);
  assert.equal([summary.migrated, summary.written, summary.not_written], [3, 3, 0]);
  assert.equal(
    updated_remote,
    ['old', 'only-code', 'half'].map((id) => ({ id, ok: true })),
  );
  assert.equal(unsupported, [
    {
      id: 'wait',
      position: { file: 'wait.oql', line: 2, column: 3 },
      reason: '| WAIT, waiting until a condition holds, has no form in version 4',
    },
    {
      id: 'two',
      position: { file: 'two.oql', line: 5, column: 3 },
      reason: 'code and dsl of the row mean different things; make them equal first',
    },
  ]);
  const typo = results.find(({ id }) => id === 'typo');
  assert.is(typo?.status === 'invalid' ? typo.errors[0]?.line : undefined, 2);
  assert.equal(server.row('old'), { id: 'old', title: 'T', code: NEW, dsl: NEW });
  assert.equal(server.row('only-code'), { id: 'only-code', code: NEW, dsl: NEW });
  assert.equal(server.row('half'), { id: 'half', code: NEW, dsl: NEW });
  for (const index of [2, 3, 4]) assert.equal(server.rows()[index], rows[index]);
  assert.match(finished.stderr, 'unsupported "wait" line 2:3: | WAIT');
  assert.match(finished.stderr, 'invalid "typo" line 2: SCN120');

  const again = reportOf(await apply());
  assert.equal([again.summary.migrated, again.summary.unchanged, again.summary.written], [0, 3, 0]);
});

test('a text that version 4 refuses in the dry-run is invalid and not written', async () => {
  server.write([{ id: 'a', dsl: 'GOAL: a\n  SAVE nothing\n' }]);
  const report = reportOf(await apply());
  assert.equal([report.summary.invalid, report.summary.written], [1, 0]);
});

test('--scenario migrates one row; one that is not there is an error', async () => {
  server.write([
    { id: 'a', dsl: OLD },
    { id: 'b', dsl: UNSUPPORTED },
  ]);
  assert.equal(reportOf(await apply('--scenario', 'a')).results, [
    { id: 'a', from: 'row', status: 'migrated' },
  ]);
  const finished = await migrate('--scenario', 'c');
  assert.equal([finished.code, onlyJson(finished).code], [2, 'no_such_scenario']);
});

test('--prefer-local takes a file that means the same, and refuses one that does not', async () => {
  server.write([
    { id: 'a', dsl: OLD },
    { id: 'b', dsl: OLD },
    { id: 'c', dsl: OLD },
    { id: '../a', dsl: OLD },
  ]);
  program.write(
    'scenarios/a.oql',
    `# by hand\n${NEW}`.replace('# by hand\nVERSION: 4', 'VERSION: 4\n# by hand'),
  );
  program.write('scenarios/b.oql', NEW.replace('5 V', '6 V'));
  const { results, unsupported } = reportOf(await apply('--prefer-local'));
  assert.equal(results, [
    { id: 'a', from: 'local', status: 'migrated' },
    { id: 'b', from: 'local', status: 'unsupported' },
    { id: 'c', from: 'row', status: 'migrated' },
    { id: '../a', from: 'row', status: 'migrated' },
  ]);
  assert.match(server.row('a')?.dsl as string, '# by hand');
  assert.is(server.row('b')?.dsl, OLD);
  assert.equal([unsupported[0]?.id, unsupported[0]?.position.line], ['b', 5]);
});

test('--write-method PUT sends the whole row', async () => {
  server.write([{ id: 'a', title: 'T', dsl: OLD }]);
  assert.is((await apply('--write-method', 'PUT')).code, 0);
  assert.equal(writes()[0]?.method, 'PUT');
  assert.equal(writes()[0]?.body, { id: 'a', title: 'T', dsl: NEW, code: NEW });
});

test('rows that the server refuses are not written, exit code 1; a dead server ends the writing', async () => {
  server.write(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, dsl: OLD })));
  server.fault = ({ method, path }) =>
    method === 'GET' ? undefined : path.endsWith('/a') ? { status: 409, body: { detail: 'locked' } } : 'cut';
  const finished = await apply();
  assert.is(finished.code, 1);
  const { updated_remote, summary } = reportOf(finished);
  assert.equal(updated_remote[0], {
    id: 'a',
    ok: false,
    reason: 'the server answered 409: locked',
    status: 409,
  });
  assert.match(updated_remote[1]?.reason ?? '', 'it may or may not have been stored');
  assert.match(updated_remote[5]?.reason ?? '', 'not sent: the server does not answer');
  assert.equal([summary.written, summary.not_written, writes().length], [0, 6, 4]);
});

test(
  '1000 rows with hostile ids are migrated page by page, each to its own address',
  async () => {
    const ids = [
      'a b',
      'ż/ó',
      '?x#y',
      '{id}',
      '$&',
      ...Array.from({ length: 995 }, (_, index) => `ts-${index}`),
    ];
    server.write(ids.map((id) => ({ id, dsl: OLD })));
    const finished = await apply();
    assert.is(finished.code, 0, finished.stderr.slice(0, 500));
    assert.is(reportOf(finished).summary.written, 1000);
    assert.ok(server.rows().every(({ dsl, code }) => dsl === NEW && code === NEW));
  },
  { timeoutMs: 180_000 },
);

test('a server that cannot be read, and wrong usage: exit code 2', async () => {
  server.write([{ id: 'a', dsl: OLD }]);
  server.fault = () => ({ status: 200, body: '<html>', type: 'text/html' });
  const finished = await migrate();
  assert.equal([finished.code, onlyJson(finished).code], [2, 'server_failed']);
  server.fault = () => undefined;
  for (const [args, message] of [
    [['--apply'], '--apply has no address to write to: give --write-url'],
    [['--apply', '--write-url', list()], 'has no {id}'],
    [['--apply', '--write-url', '{id}'], 'is not an http address'],
    [['--write-method', 'DELETE'], '--write-method "DELETE" is unknown'],
    [['--source-url', 'file:///x'], 'is not an http address'],
  ] as const) {
    const wrong = await migrate(...args);
    assert.equal([wrong.code, wrong.stdout], [2, ''], args.join(' '));
    assert.match(wrong.stderr, message);
  }
  assert.is(writes().length, 0);
});

test('an interrupted migration finishes the row under way and reports the rest', async () => {
  server.write(['a', 'b', 'c'].map((id) => ({ id, dsl: OLD })));
  server.fault = ({ method }) => (method === 'PATCH' ? 'hold' : undefined);
  const started = program.start(['--source-url', list(), '--apply', '--write-url', `${list()}/{id}`]);
  while (writes().length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  started.child.kill('SIGINT');
  await started.until('SIGINT: stopping');
  server.release();
  const finished = await started.finished;
  const { results, summary, ok } = reportOf(finished);
  assert.equal([finished.code, ok, summary.written, summary.skipped], [130, false, 1, 2]);
  assert.is(results[2]?.status, 'skipped');
});

test('an interruption while the rows are read ends at once', async () => {
  server.fault = () => 'hang';
  const started = program.start(['--source-url', list(), '--apply', '--write-url', `${list()}/{id}`]);
  while (server.requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  started.child.kill('SIGTERM');
  const finished = await started.finished;
  assert.equal([finished.code, onlyJson(finished).code], [130, 'interrupted']);
});

test('--pretty indents the report', async () => {
  server.write([]);
  const { stdout } = await migrate('--pretty');
  assert.match(stdout, '{\n  "ok": true,');
  assert.is(JSON.parse(stdout).summary.rows, 0);
});

test.run();
