import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { hostname } from 'node:os';
import * as assert from 'uvu/assert';
import { rigKey } from '../../lib/liveness/live-address.ts';
import { acquireLock } from '../../lib/lock/lock.ts';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svcctl run, several scenarios');
const svcctl = new SvcctlProcess();
test.before(async () => {
  await svcctl.build();
  svcctl.write('lib/a.oql', A);
  svcctl.write('lib/b.oql', B);
  svcctl.write('bad.oql', 'GOAL:\n  WIAT 5\n');
});
test.after(() => svcctl.dispose());

const A = `SCENARIO: Scenario A
TAGS: smoke, Valves
CONFIG start:
  SET valve-nc open
GOAL:
  SET NAME 'one'
  CHECK AI01 <= 1 V
GOAL:
  SET NAME 'two'
  CHECK AI01 <= 0.6 V
  CORRECT '=1+1'
CONFIG end:
  SET valve-nc close
`;
const B = "SCENARIO: Scenario B\nTAGS: leak\nGOAL:\n  SET NAME 'b-goal'\n  CHECK AI02 <= 1 V\n";
const LIMITED = "SCENARIO: Limited\nGOAL:\n  SET NAME 'limit'\n  CHECK AI01 <= $HIGH\n";

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
const lines = (text: string) => text.trimEnd().split('\n');
const read = (name: string) => readFileSync(svcctl.path(name), 'utf8');

test('LANG-081 a suite runs in order with its variables, gives the worst verdict, and goes on after a failure', async () => {
  svcctl.write('lib/l.oql', LIMITED);
  svcctl.write(
    'lib/suite.yaml',
    `name: Acceptance
scenarios:
  - {scenario: l.oql, name: low, variables: {HIGH: 0.9 V}}
  - {scenario: l.oql, name: high, variables: {HIGH: 0.1 V}}
  - b.oql
`,
  );
  const { code, stdout, stderr } = await svcctl.run([
    'lib/suite.yaml',
    '--sensor',
    'AI01=0.5',
    '--junit',
    'j.xml',
  ]);
  assert.is(code, 1, stdout + stderr);
  assert.equal(lines(stdout).slice(-5), [
    'suite Acceptance',
    '  [passed] low (lib/l.oql)',
    '  [failed] high (lib/l.oql): 0/1 passed',
    '  [passed] Scenario B (lib/b.oql)',
    '2/3 scenarios passed, 1 failed (simulated, not a test)',
  ]);
  const xml = read('j.xml');
  assert.match(xml, '<testsuites name="Acceptance" tests="3"');
  assert.match(xml, 'name="limit (simulated, not a test)" classname="low"');
  assert.match(xml, 'name="limit (simulated, not a test)" classname="high"');
  const document = onlyJson(await svcctl.run(['lib/suite.yaml', '--sensor', 'AI01=0.5', '--json']));
  assert.equal([document.ok, document.outcome, document.passed, document.total], [false, 'failed', 2, 3]);
  const names = (document.scenarios as { name: string; variables: object }[]).map((one) => [
    one.name,
    one.variables,
  ]);
  assert.equal(names, [
    ['low', { HIGH: '0.9 V' }],
    ['high', { HIGH: '0.1 V' }],
    ['Scenario B', {}],
  ]);
});

test('LANG-081 stop_on_fail skips the scenarios after the first that did not pass, and lists them', async () => {
  svcctl.write('stop.yaml', 'stop_on_fail: true\nscenarios: [lib/a.oql, lib/b.oql]\n');
  for (const args of [['stop.yaml'], ['lib/a.oql', 'lib/b.oql', '--stop-on-fail']]) {
    const { code, stdout } = await svcctl.run([
      ...args,
      '--sensor',
      'AI01=0.7',
      '--junit',
      'stop.xml',
      '--csv',
      'stop.csv',
    ]);
    assert.is(code, 1, stdout);
    assert.is(lastLine(stdout), '0/2 scenarios passed, 1 failed, 1 skipped (simulated, not a test)');
    assert.match(
      read('stop.xml'),
      /<testcase name="Scenario B"[^>]*>\s*<skipped message="not run: Scenario A: failed, and/,
    );
    assert.match(read('stop.csv'), /Scenario B,lib\/b\.oql,,skipped,.*not run: Scenario A/);
  }
});

test('LANG-081 a scenario with errors, or one that cannot be read, keeps all from running: exit 2', async () => {
  const { code, stdout, stderr } = await svcctl.run(['lib/b.oql', 'bad.oql', '--junit', 'bad.xml']);
  assert.is(code, 2, stdout + stderr);
  assert.match(stderr, 'error[SCN120]');
  assert.match(stderr, 'svcctl: no scenario was run: bad.oql has errors');
  assert.not.match(stdout, 'b-goal');
  assert.is(lastLine(stdout), '0/2 scenarios passed, 1 error, 1 skipped');
  assert.match(read('bad.xml'), 'tests="2" failures="0" errors="1" skipped="1"');
  svcctl.write('gone.yaml', 'scenarios:\n  - lib/b.oql\n  - lib/none.oql\n');
  const gone = await svcctl.run(['gone.yaml', '--events', 'never']);
  assert.is(gone.code, 2);
  assert.match(gone.stderr, 'svcctl: gone.yaml:3:5: cannot read lib/none.oql: there is no such file');
  assert.not.ok(existsSync(svcctl.path('never')));
  const json = onlyJson(await svcctl.run(['lib/b.oql', 'bad.oql', '--json']));
  assert.equal([json.ok, json.outcome], [false, 'error']);
});

test('LANG-081 validate judges each scenario of a suite', async () => {
  const { code, stdout } = await svcctl.run(['lib/a.oql', 'bad.oql', '--mode', 'validate']);
  assert.is(code, 1, stdout);
  assert.match(stdout, '[passed] Scenario A');
  assert.is((await svcctl.run(['lib/a.oql', 'lib/b.oql', '--mode', 'validate'])).code, 0);
});

test('LANG-081 a name that only is spelt otherwise is the same, and what is no text of UTF-8 or no file is refused', async () => {
  svcctl.write(
    'spelt.yaml',
    'scenarios:\n  - {scenario: lib/b.oql, name: "é"}\n  - {scenario: lib/b.oql, name: "e\u0301"}\n',
  );
  assert.match((await svcctl.run(['spelt.yaml'])).stderr, 'spelt.yaml:3:5: spelt.yaml:2:5 has the name');
  svcctl.write('latin.yaml', Buffer.from('name: caf\xe9\nscenarios: [lib/b.oql]\n', 'latin1'));
  const latin = await svcctl.run(['latin.yaml']);
  assert.is(latin.code, 2);
  assert.match(latin.stderr, /latin.yaml: line 1 holds the byte 0x.*not UTF-8; save the suite as UTF-8/);
  for (const args of [['/dev/zero'], ['lib/b.oql', '--vars', '/dev/zero']]) {
    const { code, stderr } = await svcctl.run(args);
    assert.is(code, 2);
    assert.match(stderr, 'cannot read /dev/zero: it is a device: name a file');
  }
});

test('LANG-081 scenarios that would have one name are distinguished', async () => {
  const twice = await svcctl.run(['lib/b.oql', 'lib/b.oql']);
  assert.is(twice.code, 0, twice.stderr);
  assert.match(twice.stdout, '[2/2] Scenario B (2) (lib/b.oql)');
  svcctl.write('twice.yaml', 'scenarios:\n  - lib/b.oql\n  - lib/b.oql\n');
  const suiteTwice = await svcctl.run(['twice.yaml']);
  assert.is(suiteTwice.code, 2);
  assert.match(
    suiteTwice.stderr,
    'twice.yaml:3:5: twice.yaml:2:5 has the name "Scenario B" too: give each a name',
  );
});

test('LANG-081 what is ambiguous is refused with place and remedy: exit 2, nothing is run', async () => {
  svcctl.write('two.yaml', 'scenarios:\n  - {scenario: lib/b.oql, variables: {HIGH: 1}}\n');
  svcctl.write('nested.yaml', 'scenarios: [two.yaml]\n');
  svcctl.write('stdin.yaml', 'scenarios: ["-"]\n');
  for (const [args, ...named] of [
    [['two.yaml', 'lib/a.oql'], 'two.yaml is a suite', 'alone'],
    [['two.yaml', '--var', 'HIGH=2'], '--var HIGH=2', 'two.yaml:2:5', 'keep one'],
    [['nested.yaml'], 'nested.yaml:1:13', 'two.yaml is a suite'],
    [['stdin.yaml'], 'stdin.yaml:1:13', 'standard input'],
    [['none.yaml'], 'cannot read none.yaml', 'no such file'],
    [['-', '-'], 'named twice'],
    [['lib/a.oql', 'lib/b.oql', '--plan'], '--plan', 'name one'],
    [
      ['lib/a.oql', 'lib/b.oql', '--report', 'r.html'],
      '--report r.html names one file, and 2 scenarios',
      'folder',
    ],
    [['lib/a.oql', 'lib/b.oql', '--events', 'lib/a.oql'], '--events', 'folder'],
    [['lib/a.oql', 'lib/b.oql', '--junit', 'x', '--csv', 'x'], 'two outputs'],
    [['lib/a.oql', 'lib/b.oql', '--sensor', 'AI09=1'], '"AI09"', 'not a sensor'],
    [['lib/a.oql', '--unit', ' '], '--unit', '1 to 200 characters'],
    [['lib/a.oql', '--operator', 'A\nB'], '--operator', 'one line'],
  ] as [string[], ...string[]][]) {
    const { code, stdout, stderr } = await svcctl.run(args);
    const what = `svcctl ${args.join(' ')}: ${stdout}${stderr}`;
    assert.equal([code, stdout, lines(stderr).length], [2, '', 1], what);
    for (const part of named) assert.ok(stderr.includes(part), `${what} names ${part}`);
  }
});

test('LANG-081 --goal runs only this goal with the CONFIG blocks, and nothing looks like a full pass', async () => {
  const args = ['lib/a.oql', '--sensor', 'AI01=0.7', '--goal', 'one'];
  const { code, stdout, stderr } = await svcctl.run([
    ...args,
    ...['--junit', 'goal.xml', '--csv', 'goal.csv', '--report', 'goal.html', '--record', 'goal-records'],
  ]);
  assert.is(code, 0, stdout + stderr);
  assert.not.match(stdout, 'CHECK AI01 <= 0.6 V');
  assert.match(
    stdout,
    /\[passed\] SET valve-nc open.*\[passed\] one.*\[skipped\] two.*\[passed\] SET valve-nc close/s,
  );
  assert.is(lastLine(stdout), '3/4 passed, 1 skipped (goals left out by --goal) (simulated, not a test)');
  assert.match(read('goal.xml'), '<property name="goals.left_out" value="two"/>');
  assert.match(read('goal.csv'), /,two,[^\r]*,skipped,left out by --goal,/);
  assert.match(read('goal.html'), /Left out by --goal<\/dt><dd>two/);
  const [run = ''] = readdirSync(svcctl.path('goal-records/runs'));
  const { ending } = JSON.parse(read(`goal-records/runs/${run}/run.json`)) as {
    ending: Record<string, unknown>;
  };
  assert.equal([ending.ok, ending.left_out], [false, ['two']]);
  const document = onlyJson(await svcctl.run([...args, '--json']));
  assert.is(document.outcome, 'skipped');
  const both = await svcctl.run(['lib/a.oql', 'lib/b.oql', '--goal', 'b-goal']);
  assert.is(both.code, 0, both.stderr);
  assert.is(
    lastLine(both.stdout),
    '1/2 scenarios passed, 1 skipped (scenarios left out) (simulated, not a test)',
  );
});

test('LANG-081 the safety check judges only what the selected goals do', async () => {
  const unsafe = svcctl.write(
    'unsafe.oql',
    "GOAL:\n  SET NAME 'opens'\n  SET valve-1 open\nGOAL:\n  SET NAME 'pumps'\n  SET pump 20 %\n  SET pump 0 %\n  CHECK AI01 <= 1 V\nCONFIG end:\n  SET pump 0 %\n  SET valve-1 close\n",
  );
  svcctl.write(
    'rig.yaml',
    'interlocks:\n  - {id: outlet, reason: closed, while: {pump-main: on}, require_any: {valve-1: open}}\n',
  );
  const env = { SVC_CONFIG_PATH: 'rig.yaml' };
  const whole = await svcctl.run([unsafe, '--strict', '--mode', 'validate'], { env });
  assert.is(whole.code, 0, whole.stderr);
  const part = await svcctl.run([unsafe, '--strict', '--mode', 'validate', '--goal', 'pumps'], { env });
  assert.is(part.code, 1, part.stderr);
  assert.match(part.stderr, 'SCN276');
});

test('LANG-081 a goal or tag that selects nothing is exit 2 with the nearest name', async () => {
  for (const [args, ...named] of [
    [['lib/a.oql', '--goal', 'tow'], '--goal "tow"', 'did you mean "two"?'],
    [['lib/a.oql', '--goal', 'start'], '--goal "start"', '"one", "two"'],
    [['lib/a.oql', '--goal', 'one', '--goal', 'zzzzz'], '"zzzzz"'],
    [['lib/a.oql', '--tag', 'smok'], 'did you mean "smoke"?'],
    [['lib/a.oql', '--tag', 'leak'], 'selects nothing', '"smoke", "Valves"'],
    [['lib/a.oql', 'lib/b.oql', '--tag', 'none'], 'these 3 scenarios'.replace('3', '2')],
    [['lib/a.oql', 'lib/b.oql', '--tag', 'leak', '--goal', 'one'], '--goal "one"', '"b-goal"'],
  ] as [string[], ...string[]][]) {
    const { code, stdout, stderr } = await svcctl.run(args);
    const what = `svcctl ${args.join(' ')}: ${stdout}${stderr}`;
    assert.equal([code, stdout], [2, ''], what);
    for (const part of named) assert.ok(stderr.includes(part), `${what} names ${part}`);
  }
});

test('LANG-081 --tag runs the scenarios with that tag and lists the others as skipped', async () => {
  const { code, stdout } = await svcctl.run([
    'lib/a.oql',
    'lib/b.oql',
    '--tag',
    'valves',
    '--junit',
    'tag.xml',
  ]);
  assert.is(code, 0, stdout);
  assert.is(lastLine(stdout), '1/2 scenarios passed, 1 skipped (scenarios left out) (simulated, not a test)');
  assert.match(read('tag.xml'), '<skipped message="left out by --tag"/>');
});

test('LANG-081 unit, part, revision, batch and operator stand in record, page, JUnit, CSV and JSON', async () => {
  const who = [
    '--serial',
    'SN-17',
    '--part',
    'P<1>',
    '--revision',
    'C',
    '--batch',
    '=B7',
    '--operator',
    'Anna',
  ];
  const { code, stderr } = await svcctl.run([
    'lib/a.oql',
    'lib/b.oql',
    ...who,
    ...['--junit', 'who.xml', '--csv', 'who.csv', '--report', 'pages/', '--record', 'who-records'],
  ]);
  assert.is(code, 0, stderr);
  const xml = read('who.xml');
  assert.is(xml.split('<property name="unit" value="SN-17"/>').length, 3, 'both suites');
  assert.match(xml, '<property name="part" value="P&lt;1&gt;"/>');
  // A cell that a spreadsheet would run as a formula stays a text.
  for (const row of lines(read('who.csv')).slice(1)) assert.match(row, ",SN-17,P<1>,C,'=B7,Anna,true,false");
  assert.equal(readdirSync(svcctl.path('pages')).sort(), ['01-scenario-a.html', '02-scenario-b.html']);
  assert.match(read('pages/02-scenario-b.html'), /Unit \(serial number\)<\/dt><dd>SN-17/);
  const runs = readdirSync(svcctl.path('who-records/runs')).sort();
  assert.is(runs.length, 2);
  const { identity, ending } = JSON.parse(read(`who-records/runs/${runs[0]}/run.json`));
  assert.equal(
    [identity.unit_under_test, identity.part, identity.revision, identity.batch, identity.operator],
    ['SN-17', 'P<1>', 'C', '=B7', 'Anna'],
  );
  assert.equal([ending.ok, identity.started_by], [true, 'svcctl']);
  assert.equal(
    [identity.station.host, /^rig-[0-9a-f]{12}$/.test(identity.station.rig_id)],
    [hostname(), true],
  );
  const [summary = ''] = readdirSync(svcctl.path('who-records/suites'));
  const kept = JSON.parse(read(`who-records/suites/${summary}`));
  assert.equal(
    [kept.outcome, kept.ok, kept.scenarios.map(({ runId }: { runId: string }) => runId)],
    ['passed', true, runs],
  );
  const document = onlyJson(await svcctl.run(['lib/b.oql', '--unit', 'SN-18', '--json']));
  assert.equal(document.tested, { unit: 'SN-18', part: null, revision: null, batch: null, operator: null });
});

test('LANG-081 records that another program keeps are left alone: exit 2', async () => {
  const folder = svcctl.path('held');
  const identity = () => ({ service: 'svc-server', pid: 1, port: null, since: '' });
  const lock = await acquireLock({ key: `svc-server-${rigKey(folder)}`, identity });
  for (const args of [['lib/b.oql'], ['lib/b.oql', 'lib/a.oql']]) {
    const { code, stdout, stderr } = await svcctl.run([...args, '--record', 'held']);
    assert.equal([code, stdout], [2, ''], stderr);
    assert.match(stderr, 'svc-server (pid 1) keeps its records there; name another folder');
  }
  await lock.release();
});

test('LANG-081 the record of a run that was killed is ended as aborted by the next one', async () => {
  await svcctl.run(['lib/b.oql', '--record', 'killed']);
  const folder = `killed/runs/${readdirSync(svcctl.path('killed/runs'))[0]}`;
  const whole = JSON.parse(read(`${folder}/run.json`));
  svcctl.write(`${folder}/run.json`, JSON.stringify({ ...whole, ending: null, events: null }, null, 1));
  rmSync(svcctl.path(`${folder}/seal.json`));
  const events = lines(read(`${folder}/events.ndjson`));
  svcctl.write(`${folder}/events.ndjson`, `${events.slice(0, -2).join('\n')}\n`);
  await svcctl.run(['lib/b.oql', '--record', 'killed']);
  assert.is(JSON.parse(read(`${folder}/run.json`)).ending?.status, 'aborted');
});

test('REC-003 a sealed record whose ending was taken away stays as it is, is reported, and stops no run', async () => {
  await svcctl.run(['lib/b.oql', '--record', 'changed']);
  const file = `changed/runs/${readdirSync(svcctl.path('changed/runs'))[0]}/run.json`;
  const changed = JSON.stringify({ ...JSON.parse(read(file)), ending: null, events: null });
  svcctl.write(file, changed);
  svcctl.write(file.replace('run.json', 'events.ndjson'), '');
  const { code, stderr } = await svcctl.run(['lib/b.oql', '--record', 'changed']);
  assert.is(code, 0);
  assert.match(
    stderr,
    /svcctl: warning: .*events\.ndjson line 1: it is missing: of \d+ lines 0 are there/,
    stderr,
  );
  assert.is(read(file), changed);
});

test('LANG-081 quiet prints the last line only', async () => {
  const { stdout, stderr } = await svcctl.run(['lib/a.oql', 'lib/b.oql', '-q']);
  assert.equal([stdout, stderr], ['2/2 scenarios passed (simulated, not a test)\n', '']);
});

test.run();
