import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { ImportReport } from '../../sync/import.ts';
import { type Finished, onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';
import { type Received, ScenarioServer } from '../../test-kit/sync/scenario-server.ts';

const test = suite('svc-scenario-sync, import');
const program = new SvcctlProcess('src/cli/sync/main.ts');
let server: ScenarioServer;

/** A valid scenario of version 4; `mark` distinguishes texts. */
const scenario = (mark: string) => `VERSION: 4\nGOAL:\n  SET NAME '${mark}'\n  CHECK AI01 <= 5 V\n`;

test.before(async () => {
  await program.build();
});
test.before.each(async () => {
  server = await ScenarioServer.start(program.path('rows.ndjson'), []);
});
test.after.each(async () => {
  await server.close();
  rmSync(program.path('in'), { recursive: true, force: true });
});
test.after(() => program.dispose());

const args = (...more: string[]) => ['--base', server.base, '--import', '--dir', 'in', ...more];
const reportOf = (finished: Finished) => onlyJson(finished) as unknown as ImportReport;

/** Rows with an old text for `ids`, and files with a new one. */
function prepare(...ids: string[]): void {
  server.write(ids.map((id) => ({ id, title: id, dsl: 'old' })));
  for (const id of ids) program.write(`in/${id}.oql`, scenario(id));
}

const isPatch = ({ method }: Received) => method === 'PATCH';
const patches = () => server.requests.filter(isPatch);

test(
  'LANG-063 1000 scenarios are exported and imported again under their ids',
  async () => {
    const ids = ['../x', '..-x', 'A', 'a', 'żółw', 'x'.repeat(300), 'a b/c?d#e%', 'q"\'\n'];
    while (ids.length < 1000) ids.push(`ts-${ids.length}`);
    const rows = ids.map((id) => ({
      id,
      title: `title of ${id}`,
      dsl: scenario(id.replace(/[^\w.-]/g, '-')),
    }));
    server.write(rows);
    assert.is((await program.run(['--base', server.base, '--all', '--out', 'all.zip'])).code, 0);
    execFileSync('unzip', ['-qo', program.path('all.zip'), '-d', program.path('in')]);
    server.write(rows.map((row) => ({ ...row, dsl: 'lost' })));
    const finished = await program.run(args());
    assert.is(finished.code, 0, finished.stderr);
    const report = reportOf(finished);
    assert.equal([report.ok, report.count, report.failed, report.skipped], [true, 1000, [], []]);
    assert.equal(server.rows(), rows);
    assert.is(patches().length, 1000);
  },
  { timeoutMs: 180_000 },
);

test('LANG-063 a text that is not valid as version 4 is not sent; the others are; exit code 1', async () => {
  prepare('a', 'b', 'c');
  program.write('in/b.oql', 'GOAL: b\n  LOOP 2 TIMES\n    WAIT 5\n  ENDLOOP\n');
  const finished = await program.run(args());
  assert.is(finished.code, 1);
  const { ok, imported, failed, count } = reportOf(finished);
  assert.equal([ok, count], [false, 2]);
  assert.equal(imported, [
    { id: 'a', file: 'a.oql' },
    { id: 'c', file: 'c.oql' },
  ]);
  assert.equal([failed.length, failed[0]?.id, failed[0]?.file], [1, 'b', 'b.oql']);
  assert.is(failed[0]?.reason, 'it is not valid as version 4');
  assert.ok(failed[0]?.errors?.some(({ rule, line }) => rule === 'loop_deprecated' && line === 2));
  assert.is(server.row('b')?.dsl, 'old');
  assert.is(patches().length, 2);
  assert.match(finished.stderr, 'failed "b": it is not valid as version 4\n');
  assert.match(finished.stderr, 'line 2: loop_deprecated: ');
  assert.match(finished.stderr, 'imported 2, 1 failed\n');
});

test('--no-validate sends any text', async () => {
  prepare('a');
  program.write('in/a.oql', 'GOAL: of version 1\n');
  const finished = await program.run(args('--no-validate'));
  assert.equal([finished.code, server.row('a')?.dsl], [0, 'GOAL: of version 1\n']);
});

test('a macro library beside the files is found', async () => {
  prepare('a');
  mkdirSync(program.path('in/lib'), { recursive: true });
  program.write('in/lib/hold.oql', 'VERSION: 4\nMACRO hold:\n  WAIT 5\n');
  program.write('in/a.oql', "VERSION: 4\nINCLUDE 'lib/hold.oql'\nGOAL:\n  SET NAME 'a'\n  CALL hold\n");
  assert.is((await program.run(args())).code, 0);
});

test('LANG-063 one refusal leaves the others imported, and names status and reason', async () => {
  prepare('a', 'b', 'c', 'd', 'e', 'f', 'g');
  server.write(server.rows().filter(({ id }) => id !== 'f'));
  server.fault = ({ path }) => {
    if (path.endsWith('/a')) return { status: 409, body: { detail: 'scenario a is locked by an editor' } };
    if (path.endsWith('/b')) return { status: 500, body: '<html>', type: 'text/html' };
    if (path.endsWith('/c')) return { status: 200, body: '<!doctype html>', type: 'text/html' };
    if (path.endsWith('/d')) return { status: 200, body: { ok: false, message: 'read only' } };
    if (path.endsWith('/e')) return { status: 200, body: { data: { id: 'e', dsl: 'other' } } };
    return undefined;
  };
  const finished = await program.run(args());
  assert.is(finished.code, 1);
  const { imported, failed } = reportOf(finished);
  assert.equal(imported, [{ id: 'g', file: 'g.oql' }]);
  assert.equal(
    failed.map(({ id, status }) => [id, status]),
    [
      ['a', 409],
      ['b', 500],
      ['c', 200],
      ['d', 200],
      ['e', undefined],
      ['f', 404],
    ],
  );
  const reasons = failed.map(({ reason }) => reason);
  assert.is(reasons[0], 'the server answered 409: scenario a is locked by an editor');
  assert.is(reasons[1], 'the server answered 500');
  assert.match(reasons[2]!, 'answered 200, but not with JSON');
  assert.match(reasons[2]!, 'may or may not have been stored');
  assert.is(reasons[3], 'the server answered 200: read only');
  assert.match(reasons[4]!, 'another text than the one sent');
  assert.is(reasons[5], 'the server answered 404: no scenario f');
  assert.is(patches().length, 7);
});

test('an answer without a body is a success', async () => {
  prepare('a');
  server.fault = (request) => (isPatch(request) ? { status: 204, body: '' } : undefined);
  assert.is(reportOf(await program.run(args())).count, 1);
});

test('a cut connection is not repeated, says that the text may be stored, and a second import is harmless', async () => {
  prepare('a', 'b', 'c');
  server.fault = ({ path }) => (path.endsWith('/b') ? 'cut-after-write' : undefined);
  const first = await program.run(args());
  assert.is(first.code, 1);
  assert.match(reportOf(first).failed[0]!.reason, 'it may or may not have been stored: do it again');
  assert.is(patches().length, 3);
  const stored = server.rows();
  server.fault = () => undefined;
  const second = await program.run(args());
  assert.equal([second.code, reportOf(second).count], [0, 3]);
  assert.equal(server.rows(), stored);
});

test('a server that stops answering ends the import after three attempts; the rest is listed', async () => {
  prepare('a', 'b', 'c', 'd', 'e', 'f');
  server.fault = (_, index) => (index >= 1 ? 'cut' : undefined);
  const finished = await program.run(args());
  const { imported, failed, skipped } = reportOf(finished);
  assert.equal([finished.code, imported.length, failed.length, skipped.length], [1, 1, 3, 2]);
  assert.is(skipped[1]?.reason, 'not sent: the server does not answer');
  assert.is(patches().length, 4);
});

test('an interrupted import finishes the scenario under way and says what was not sent', async () => {
  prepare('a', 'b', 'c', 'd');
  server.fault = ({ path }) => (path.endsWith('/b') ? 'hold' : undefined);
  const started = program.start(args());
  while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  started.child.kill('SIGTERM');
  await started.until('SIGTERM: stopping');
  server.release();
  const finished = await started.finished;
  const { ok, imported, failed, skipped } = reportOf(finished);
  assert.equal([finished.code, ok, failed], [130, false, []]);
  assert.equal(
    imported.map(({ id }) => id),
    ['a', 'b'],
  );
  assert.equal(
    skipped.map(({ id, reason }) => `${id}: ${reason}`),
    ['c: interrupted before it was sent', 'd: interrupted before it was sent'],
  );
  server.fault = () => undefined;
  assert.is(reportOf(await program.run(args())).count, 4);
  assert.is(server.row('d')?.dsl, scenario('d'));
});

test('a second signal cuts off the request under way and reports it as uncertain', async () => {
  prepare('a', 'b');
  server.fault = () => 'hang';
  const started = program.start(args());
  while (server.requests.length < 1) await new Promise((resolve) => setTimeout(resolve, 5));
  started.child.kill('SIGINT');
  await started.until('SIGINT: stopping');
  started.child.kill('SIGINT');
  const finished = await started.finished;
  assert.is(finished.code, 130);
  assert.match(reportOf(finished).failed[0]!.reason, 'interrupted while it was sent; it may or may not');
});

test('files without a manifest are imported by their name; unreadable and empty ones are not', async () => {
  prepare('a', 'b', '..');
  program.write('in/b.oql', new Uint8Array([0xff, 0xfe, 65, 0]));
  program.write('in/c.cql', '  \n');
  program.write('in/read.me', 'not a scenario');
  const finished = await program.run(args());
  const { imported, failed, skipped } = reportOf(finished);
  assert.equal(imported, [{ id: 'a', file: 'a.oql' }]);
  assert.equal(
    failed.map(({ id }) => id),
    ['..', 'b'],
  );
  assert.match(failed[0]!.reason, 'the id ".." cannot stand in an address');
  assert.match(failed[1]!.reason, 'the file is UTF-16');
  assert.equal(skipped, [{ id: 'c', file: 'c.cql', reason: 'the file is empty' }]);
});

test('LANG-063 two files for one id, and a file of the manifest that is missing or outside, are never sent', async () => {
  prepare('a', 'b');
  writeFileSync(program.path('outside.oql'), scenario('outside'));
  const listed = [
    { id: 'a', file: 'b.oql' },
    { id: 'b', file: 'gone.oql' },
    { id: 'b2', file: '../outside.oql' },
  ];
  program.write('in/manifest.json', JSON.stringify({ scenarios: listed }));
  const { imported, failed, skipped } = reportOf(await program.run(args()));
  assert.equal(imported, []);
  assert.equal(
    failed.map(({ id, file, reason }) => `${id} ${file} ${reason}`),
    ['a b.oql', 'a a.oql'].map((start) => `${start} more than one file is for this id; keep one of them`),
  );
  assert.equal(
    skipped.map(({ id }) => id),
    ['b', 'b2'],
  );
  assert.is(patches().length, 0);
});

test('a wrong manifest, an empty or a missing folder: exit code 2, nothing sent', async () => {
  prepare('a');
  for (const [content, message] of [
    ['{', /manifest\.json: .*JSON/],
    ['{"scenarios": [{"id": 5, "file": "a.oql"}]}', /manifest\.json: scenarios\.0\.id: /],
  ] as const) {
    program.write('in/manifest.json', content);
    const finished = await program.run(args());
    assert.equal([finished.code, onlyJson(finished).code], [2, 'manifest_invalid']);
    assert.match(finished.stderr, message);
  }
  for (const name of readdirSync(program.path('in'))) rmSync(join(program.path('in'), name));
  assert.match((await program.run(args())).stderr, 'no .oql or .cql file in');
  rmSync(program.path('in'), { recursive: true });
  const finished = await program.run(args());
  assert.equal([finished.code, onlyJson(finished).code], [2, 'folder_unreadable']);
  assert.match(finished.stderr, 'no such file or directory');
  assert.is(server.requests.length, 0);
});

test('a progress bar is shown on a terminal only', async () => {
  prepare('a', 'b');
  assert.is((await program.run(args())).stderr, 'imported 2\n');
  server.fault = () => 'hold';
  const started = program.startOnTerminal(args());
  await started.until(`importing [${'-'.repeat(30)}] 0/2`);
  while (server.requests.filter(isPatch).length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  server.release();
  await started.until(`importing [${'#'.repeat(15)}${'-'.repeat(15)}] 1/2`);
  while (server.requests.filter(isPatch).length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
  server.release();
  assert.is((await started.finished).code, 0);
});

test.run();
