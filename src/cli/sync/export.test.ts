import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Manifest } from '../../sync/manifest.ts';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';
import { type Row, ScenarioServer } from '../../test-kit/sync/scenario-server.ts';

const test = suite('svc-scenario-sync, export');
const program = new SvcctlProcess('src/cli/sync/main.ts');
let server: ScenarioServer;

const row = (id: string, dsl = `VERSION: 4\nGOAL:\n  SET NAME '${id}'\n`): Row => ({
  id,
  title: `T ${id}`,
  dsl,
});

test.before(async () => {
  await program.build();
});
test.before.each(async () => {
  server = await ScenarioServer.start(program.path('rows.ndjson'), []);
});
test.after.each(() => server.close());
test.after(() => program.dispose());

const sync = (...args: string[]) => program.run(['--base', server.base, ...args]);

/** Unpacks an archive with the unzip of the system, which also tests it. */
function unpack(archive: string): { manifest: Manifest; text: (file: string) => string; files: string[] } {
  execFileSync('unzip', ['-tq', program.path(archive)]);
  const folder = `${program.path(archive)}.d`;
  execFileSync('unzip', ['-qo', program.path(archive), '-d', folder]);
  const text = (file: string) => readFileSync(`${folder}/${file}`, 'utf8');
  return { manifest: JSON.parse(text('manifest.json')), text, files: readdirSync(folder).sort() };
}

test('LANG-063 1000 scenarios are exported page by page into an archive that unzip reads', async () => {
  const rows = Array.from({ length: 1000 }, (_, index) => row(`ts-${index}`));
  server.write(rows);
  const finished = await sync('--all', '--out', 'all.zip');
  assert.is(finished.code, 0, finished.stderr);
  assert.equal(onlyJson(finished), { ok: true, out: 'all.zip', count: 1000, skipped: [] });
  const { manifest, text, files } = unpack('all.zip');
  assert.is(files.length, 1001);
  assert.is(manifest.count, 1000);
  assert.is(manifest.source, `${server.base}/api/v3/data/test_scenarios`);
  assert.ok(Math.abs(Date.parse(manifest.exported_at) - Date.now()) < 3_600_000);
  for (const [index, { id, file, title, bytes }] of manifest.scenarios.entries()) {
    assert.is(id, rows[index]?.id);
    assert.is(title, rows[index]?.title);
    assert.is(text(file), rows[index]?.dsl);
    assert.is(bytes, Buffer.byteLength(text(file)));
  }
  assert.ok(server.requests.length > 1);
});

test('LANG-063 hostile, long, unicode and clashing ids get safe file names and stay in the manifest', async () => {
  const ids = [
    '../x',
    '..-x',
    '..',
    '.',
    'a/b',
    'a\\b',
    'A-B',
    'a-b',
    'żółw 🐢',
    'n\nl',
    '-rf',
    'x'.repeat(300),
  ];
  server.write(ids.map((id) => row(id, `# ${JSON.stringify(id)}\nGOAL:\n`)));
  assert.is((await sync('--all', '--out', 'ids.zip')).code, 0);
  const { manifest, text, files } = unpack('ids.zip');
  assert.equal(
    manifest.scenarios.map(({ id }) => id),
    ids,
  );
  assert.equal(
    manifest.scenarios.map(({ file }) => file),
    [
      '..-x.oql',
      '..-x-2.oql',
      '...oql',
      '..oql',
      'a-b.oql',
      'a-b-2.oql',
      'A-B-3.oql',
      'a-b-4.oql',
      '---w--.oql',
      'n-l.oql',
      '-rf.oql',
      `${'x'.repeat(200)}.oql`,
    ],
  );
  assert.is(files.length, ids.length + 1);
  for (const { id, file } of manifest.scenarios) assert.is(text(file), `# ${JSON.stringify(id)}\nGOAL:\n`);
});

test('LANG-063 rows that are not scenarios are skipped with the reason', async () => {
  server.write([
    row('good'),
    'text',
    { title: 'no id', dsl: 'GOAL:' },
    { id: '', dsl: 'GOAL:' },
    { id: 'no-dsl' },
    { id: 'number', dsl: 5 },
    { id: 'blank', dsl: ' \n' },
    { id: 'page', dsl: '<!DOCTYPE html><html></html>' },
    { id: 'half', dsl: 'LOG \uD800' },
    { ...row('good'), dsl: 'GOAL: other' },
    row('good'),
    { id: 7, dsl: 'GOAL: seven' },
  ]);
  const finished = await sync('--all');
  assert.is(finished.code, 0, finished.stderr);
  const { manifest } = unpack('scenarios.zip');
  assert.equal(
    manifest.scenarios.map(({ id, title }) => [id, title]),
    [
      ['good', 'T good'],
      ['7', null],
    ],
  );
  assert.equal(manifest.skipped, [
    { id: null, reason: 'the row is not a JSON object' },
    { id: null, reason: 'the row has no id' },
    { id: null, reason: 'the row has no id' },
    { id: 'no-dsl', reason: 'the row has no dsl' },
    { id: 'number', reason: 'its dsl is not a text' },
    { id: 'blank', reason: 'its dsl is empty' },
    { id: 'page', reason: 'its dsl is an HTML page' },
    { id: 'half', reason: 'its dsl holds half a character (a lone surrogate)' },
    { id: 'good', reason: 'the id came twice with different texts; the first is exported' },
  ]);
  assert.equal(onlyJson(finished).skipped, manifest.skipped);
  assert.match(finished.stderr, 'skipped "no-dsl": the row has no dsl\n');
});

test('LANG-063 one scenario goes to standard output, or with --out into a file', async () => {
  const text = 'VERSION: 4\r\n# żółw\nGOAL:\n';
  server.write([row('a b/ż', text)]);
  const printed = await sync('--scenario', 'a b/ż');
  assert.equal([printed.code, printed.stdout], [0, text]);
  server.wrapsItems = true;
  const finished = await sync(
    '--scenario',
    `${server.base}/page?scenario=a%20b%2F%C5%BC`,
    '--out',
    'one.oql',
  );
  assert.is(readFileSync(program.path('one.oql'), 'utf8'), text);
  assert.equal(onlyJson(finished), {
    ok: true,
    out: 'one.oql',
    id: 'a b/ż',
    title: 'T a b/ż',
    bytes: Buffer.byteLength(text),
  });
  assert.is((await sync('--scenario', `${server.base}/x/a%20b%2F%C5%BC/`)).stdout, text);
});

test('a scenario that is missing, has no text, another id or no address is an error', async () => {
  server.write([{ id: 'empty', dsl: '' }]);
  const missing = await sync('--scenario', 'nope');
  assert.equal([missing.code, missing.stdout], [2, '']);
  assert.match(missing.stderr, 'the server answered 404: no scenario nope');
  assert.match((await sync('--scenario', 'empty')).stderr, 'its dsl is empty');
  assert.match((await sync('--scenario', '..')).stderr, 'the id ".." cannot stand in an address');
  server.fault = () => ({ status: 200, body: { data: row('other') } });
  assert.match((await sync('--scenario', 'x')).stderr, 'the server sent scenario "other" instead of "x"');
  server.fault = () => ({ status: 200, body: { success: false, error: 'no such thing' } });
  assert.match((await sync('--scenario', 'x')).stderr, 'the server answered 200: no such thing');
});

const FAULTS: [string, () => void, RegExp][] = [
  [
    'status 500 on the second page',
    () => {
      server.fault = (_, index) => (index === 1 ? { status: 500 } : undefined);
    },
    /skip=100&limit=100: the server answered 500: fault 500/,
  ],
  [
    'an HTML page',
    () => {
      server.fault = () => ({ status: 200, body: '<!doctype html><p>log in</p>', type: 'text/html' });
    },
    /the server answered 200, but not with JSON/,
  ],
  [
    'an HTML page of a proxy',
    () => {
      server.fault = () => ({ status: 502, body: '<html>bad gateway</html>', type: 'text/html' });
    },
    /the server answered 502/,
  ],
  [
    'no list of rows',
    () => {
      server.page = () => ({ rows: 'none' });
    },
    /has no list of rows/,
  ],
  [
    'a cut connection',
    () => {
      server.fault = (_, index) => (index === 1 ? 'cut' : undefined);
    },
    /skip=100&limit=100: (socket hang up|connection reset by peer)/,
  ],
  [
    'pages that repeat',
    () => {
      server.page = (rows) => ({ rows: rows.slice(0, 100) });
    },
    /sends the same rows again at skip=100/,
  ],
  [
    'pages that never end',
    () => {
      server.page = (_, skip) => ({
        rows: Array.from({ length: 20_000 }, (_, index) => ({ id: `n${skip + index}` })),
      });
    },
    /has sent 120000 rows and does not end/,
  ],
  [
    'fewer rows than announced',
    () => {
      server.page = (rows, skip) => ({ rows: skip === 0 ? rows.slice(0, 20) : [], total: 150 });
    },
    /announced 150 rows, but sent 20/,
  ],
];

for (const [what, arrange, message] of FAULTS)
  test(`${what}: exit code 2, and no archive`, async () => {
    server.write(Array.from({ length: 150 }, (_, index) => row(`ts-${index}`)));
    arrange();
    const before = readdirSync(program.directory);
    const finished = await sync('--all', '--out', 'faulty.zip');
    assert.is(finished.code, 2);
    assert.match(finished.stderr, message);
    assert.is(onlyJson(finished).ok, false);
    assert.equal(readdirSync(program.directory), before);
  });

test('a server that sends fewer rows than asked for, or knows no paging, is read to its end', async () => {
  server.write(Array.from({ length: 30 }, (_, index) => row(`ts-${index}`)));
  server.page = (rows, skip) => ({ rows: rows.slice(skip, skip + 7) });
  assert.is(onlyJson(await sync('--all', '--out', 'x.zip')).count, 30);
  server.page = (rows) => ({ rows });
  assert.is(onlyJson(await sync('--all', '--out', 'x.zip')).count, 30);
});

test('an interrupted export leaves the old archive and no other file', async () => {
  server.write([row('a')]);
  await sync('--all', '--out', 'kept.zip');
  const before = readFileSync(program.path('kept.zip'));
  server.fault = () => 'hang';
  const started = program.start(['--base', server.base, '--all', '--out', 'kept.zip']);
  while (server.requests.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  started.child.kill('SIGINT');
  const finished = await started.finished;
  assert.is(finished.code, 130);
  assert.match(finished.stderr, 'interrupted by SIGINT');
  assert.equal(readFileSync(program.path('kept.zip')), before);
  assert.not.ok(readdirSync(program.directory).some((name) => name.endsWith('.tmp')));
});

test('a server that is not there: exit code 2 with the reason', async () => {
  const { base } = server;
  await server.close();
  const finished = await program.run(['--base', base, '--all']);
  server = await ScenarioServer.start(program.path('rows.ndjson'), []);
  assert.is(finished.code, 2);
  assert.match(finished.stderr, 'connection refused');
});

test('wrong usage: exit code 2 before any request', async () => {
  for (const [args, message] of [
    [[], 'give one of --all, --scenario <id> and --import'],
    [['--all', '--scenario', 'x'], 'give one of'],
    [['--import'], '--import has no folder'],
    [['--import', '--dir', '.', '--out', 'x'], '--out is for an export'],
    [['--all', '--dir', '.'], '--dir is for an import'],
    [['--all', '--no-validate'], '--no-validate is for an import'],
    [['--all', '--out', 'missing/x.zip'], 'there is no directory'],
    [['--all', '--base', 'ftp://x'], '--base "ftp://x" is not the base of an http address'],
    [['--scenario', ' '], 'names no scenario'],
    [['--al'], 'did you mean --all?'],
  ] as const) {
    const finished = await sync(...args);
    assert.equal([finished.code, finished.stdout], [2, ''], args.join(' '));
    assert.match(finished.stderr, message);
  }
  assert.is(server.requests.length, 0);
  assert.not.ok(existsSync(program.path('x')));
});

test('progress is shown on a terminal only', async () => {
  server.write([row('a')]);
  assert.is((await sync('--all', '--out', 'p.zip')).stderr, '');
  const { finished } = program.startOnTerminal(['--base', server.base, '--all', '--out', 'p.zip']);
  assert.match((await finished).stdout, 'exporting: 0 rows');
});

test.run();
