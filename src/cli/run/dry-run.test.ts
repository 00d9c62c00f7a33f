import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const run = suite('svcctl run, dry-run');
const svcctl = new SvcctlProcess();
run.before(() => svcctl.build());
run.after(() => svcctl.dispose());

const B6 = `SCENARIO: Valve window
CONFIG open:
  SET valve-nc 1
GOAL window:
  IF AI01 0.60 .. 0.67 V
    CORRECT 'good'
    ERROR 'bad'
CONFIG close:
  SET valve-nc 0
`;
const TYPO = "GOAL:\n  SET NAME 'Typo'\n  SET valve-l 1\n";
const BAD = "GOAL:\n  SET NAME 'g'\n  WIAT 2s\n";
const EXPORTS = "GOAL:\n  SET NAME 'g'\n  SHELL_EXPORT OTHER \"it's $(id)\"\n  CHECK AI01 <= 1 V\n";

const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

run('LANG-053 LANG-061 a passed dry-run is exit 0, marked in its last line', async () => {
  const { code, stdout, stderr } = await svcctl.run([svcctl.write('b6.oql', B6)]);
  assert.is(code, 0, stderr);
  assert.match(stdout, '[passed] [CONFIG] open\n');
  assert.match(stdout, '[passed] window\n');
  assert.is(lastLine(stdout), '3/3 passed (simulated, not a test)');
  assert.is(stderr, '');
});

run('LANG-052 LANG-061 --sensor can fail a range check: exit 1', async () => {
  for (const value of ['AI01=0.7', 'AI01=700 mV', 'ai01=0']) {
    const { code, stdout, stderr } = await svcctl.run(['run', svcctl.write('b6.oql', B6), '--sensor', value]);
    assert.is(code, 1, `${value}: ${stdout}${stderr}`);
    assert.match(lastLine(stdout) ?? '', /^2\/3 passed, 1 failed \(simulated, not a test\)$/);
  }
});

run('-q prints the last line only', async () => {
  const { stdout, stderr } = await svcctl.run([svcctl.write('b6.oql', B6), '-q']);
  assert.equal([stdout, stderr], ['3/3 passed (simulated, not a test)\n', '']);
});

run('LANG-061 a scenario with errors is shown, not run: exit 2', async () => {
  const { code, stderr, stdout } = await svcctl.run([svcctl.write('bad.oql', BAD)]);
  assert.is(code, 2);
  assert.match(stderr, 'error[SCN120] unknown-command');
  assert.match(stderr, '3 |   WIAT 2s');
  assert.not.match(stdout, '[passed]');
  const quiet = await svcctl.run(['bad.oql', '-q']);
  assert.is(quiet.code, 2);
  assert.match(quiet.stderr, 'SCN120');
});

run('LANG-029 LANG-061 nothing tested is exit 3', async () => {
  const { code, stderr } = await svcctl.run([svcctl.write('none.oql', 'CONFIG c:\n  SET valve-1 0\n')]);
  assert.is(code, 3, stderr);
  assert.match(stderr, 'SCN401');
});

run('LANG-061 --json is one document for every end of a run', async () => {
  svcctl.write('b6.oql', B6);
  svcctl.write('bad.oql', BAD);
  svcctl.write('none.oql', 'CONFIG c:\n  SET valve-1 0\n');
  const passed = await svcctl.run(['b6.oql', '--json']);
  const result = onlyJson(passed);
  assert.equal([passed.code, result.ok, result.outcome, result.simulated], [0, true, 'passed', true]);
  assert.match(passed.stderr, '3/3 passed', 'talk goes to stderr');
  for (const [name, exit, outcome] of [
    ['b6.oql', 1, 'failed'],
    ['bad.oql', 2, 'error'],
    ['none.oql', 3, 'error'],
  ] as const) {
    const args = name === 'b6.oql' ? ['--sensor', 'AI01=9'] : [];
    const ended = await svcctl.run([name, '--json', ...args]);
    const document = onlyJson(ended);
    assert.equal([ended.code, document.ok, document.outcome], [exit, false, outcome], name);
    assert.type(document.error, 'string');
    assert.type(document.code, 'string');
  }
});

run('LANG-051 a dry-run sends nothing and waits for nothing', async () => {
  let requests = 0;
  const server = createServer((_, response) => {
    requests++;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const long =
    "GOAL:\n  SET NAME 'g'\n  SET valve-1 1\n  WAIT 10 min\n  API_GET '/api/v1/state'\n  ASSERT_STATUS 200\n";
  const { code, stderr } = await svcctl.run([
    svcctl.write('long.oql', long),
    '--firmware-url',
    base,
    '--server-url',
    base,
  ]);
  server.close();
  assert.is(code, 0, stderr);
  assert.is(requests, 0);
});

run('LANG-054 --events: lines of JSON, gapless, from run.start to run.end', async () => {
  await svcctl.run([svcctl.write('b6.oql', B6), '--events', 'e.ndjson']);
  const lines = readFileSync(svcctl.path('e.ndjson'), 'utf8').split('\n');
  assert.is(lines.pop(), '');
  const events = lines.map((line) => JSON.parse(line));
  assert.equal(
    events.map(({ seq }) => seq),
    events.map((_, index) => index),
  );
  assert.is(events[0].type, 'run.start');
  assert.is(events.at(-1).type, 'run.end');
  assert.ok(
    events.every(({ simulated }) => simulated === true),
    'every event is marked',
  );
});

run('LANG-053 --junit and --report of a dry-run: skipped cases, marked page', async () => {
  await svcctl.run([svcctl.write('b6.oql', B6), '--junit', 'j.xml', '--report', 'r.html']);
  const junit = readFileSync(svcctl.path('j.xml'), 'utf8');
  assert.match(junit, 'tests="3" failures="0" errors="0" skipped="3"');
  assert.match(junit, 'value="1.2.3"');
  const html = readFileSync(svcctl.path('r.html'), 'utf8');
  assert.match(html, 'simulated, not a test');
  assert.match(html, '0.6 .. 0.67 V');
});

run('LANG-060 --export-file holds what a shell may read', async () => {
  const { code, stderr } = await svcctl.run([svcctl.write('x.oql', EXPORTS), '--export-file', 'x.sh']);
  assert.is(code, 0, stderr);
  assert.match(readFileSync(svcctl.path('x.sh'), 'utf8'), "OTHER='it'\\''s $(id)'\n");
});

run('a result whose record could not be written is exit 3', async () => {
  const { code, stderr } = await svcctl.run([svcctl.write('b6.oql', B6), '--events', '/dev/full']);
  assert.is(code, 3);
  assert.match(stderr, 'cannot write /dev/full');
});

run('LANG-027 --plan shows blocks and commands in order and runs nothing', async () => {
  const { code, stdout } = await svcctl.run([svcctl.write('b6.oql', B6), '--plan']);
  assert.is(code, 0);
  const blocks = stdout.split('\n').filter((line) => line !== '' && !line.startsWith(' '));
  assert.equal(blocks, ['[CONFIG] open', 'window', '[CONFIG] close (teardown, always runs)']);
  const json = onlyJson(await svcctl.run(['b6.oql', '--plan', '--json']));
  assert.is(json.ok, true);
  assert.ok(json.plan);
  assert.is((await svcctl.run([svcctl.write('bad.oql', BAD), '--plan'])).code, 2);
});

run('--var gives a scenario its variables', async () => {
  const name = svcctl.write(
    'v.oql',
    "GOAL:\n  SET NAME 'g'\n  LOG 'by $operator'\n  CHECK AI01 <= $limit V\n",
  );
  const { code, stdout, stderr } = await svcctl.run([name, '--var', 'operator=Anna', '--var', 'limit=1']);
  assert.is(code, 0, stderr + stdout);
  assert.match(stdout, 'by Anna');
  assert.is(stderr, '');
  assert.is(
    (await svcctl.run([name, '--var', 'operator=A', '--var', 'limit=1', '--sensor', 'AI01=2'])).code,
    1,
  );
});

const LIMITED = "DEFAULT HIGH 0.7 V\nGOAL:\n  SET NAME 'g'\n  SET LOW 0.1 V\n  CHECK LOW <= AI01 <= HIGH\n";

run('LANG-074 --var is constant: the literal is skipped and told, the limit applied is shown', async () => {
  const name = svcctl.write('limited.oql', LIMITED);
  const { code, stdout } = await svcctl.run([name, '--var', 'LOW=0.5 V', '--sensor', 'AI01=0.3 V']);
  assert.is(code, 1);
  for (const line of [
    'HIGH = 0.7 V (default)',
    'LOW = 0.5 V (given)',
    'info: LOW is given for this run as 0.5 V; "SET LOW 0.1 V" is skipped',
    '[skipped] SET LOW 0.1 V',
    '[failed] CHECK LOW <= AI01 <= HIGH = 0.3 V (limits 0.5 .. 0.7 V)',
  ])
    assert.match(stdout, line);
});

run('LANG-074 --vars reads YAML, JSON and CSV; --var wins', async () => {
  const name = svcctl.write('limited.oql', LIMITED);
  const files = {
    'a.yaml': 'HIGH: 0.6 V\nLOW: {value: 100, unit: mV}\n',
    'a.yml': '# limits\nHIGH: 0.6 V\n',
    'a.json': '{"HIGH": {"value": 0.6, "unit": "V"}}',
    'a.csv': 'name,value,unit\nHIGH,0.6,V\n',
    'b.csv': '\uFEFFHIGH;"0,6 V"\r\n\r\n',
    'c.csv': 'HIGH\t600\tmV',
  };
  for (const [file, text] of Object.entries(files)) {
    svcctl.write(file, text);
    const args = [name, '--vars', file, '--sensor', 'AI01=0.65 V'];
    const failed = await svcctl.run(args);
    assert.is(failed.code, 1, `${file}: ${failed.stdout}${failed.stderr}`);
    assert.is((await svcctl.run([...args, '--var', 'HIGH=0.66 V'])).code, 0, file);
  }
});

run('LANG-074 a --vars file that is no good: exit 2 with file, place and remedy', async () => {
  const name = svcctl.write('limited.oql', LIMITED);
  for (const [file, text, said] of [
    ['d.txt', 'HIGH: 1', '".txt" is no known type'],
    ['d.yaml', 'HIGH: 1\nHIGH: 2\n', 'unique'],
    ['e.yaml', '- 1\n', 'holds no names'],
    ['f.yaml', 'HIGH: [1, 2]\n', 'the value of HIGH'],
    ['g.yaml', 'HIGH:\n', 'the value of HIGH'],
    ['h.yaml', '"1x": 2\n', '"1x" cannot be the name'],
    ['i.yaml', 'HIGH: {value: 1, units: V}\n', 'the value of HIGH'],
    ['d.json', '{"HIGH": 1', 'd.json'],
    ['d.csv', 'HIGH,1,V,extra', 'line 1 has 4 columns'],
    ['e.csv', 'HIGH,1\nHIGH,2', 'line 2 gives HIGH a second value'],
    ['f.csv', 'HIGH,LOW\n1,2', 'line 2: "1" cannot be the name'],
    ['g.csv', 'HIGH,"1', 'never closed'],
    ['h.csv', 'HIGH', 'line 1 has 1 column'],
    ['i.csv', '\n', 'holds no variables'],
    ['none.csv', undefined, 'there is no such file'],
  ] as const) {
    if (text !== undefined) svcctl.write(file, text);
    const { code, stderr } = await svcctl.run([name, '--vars', file]);
    assert.is(code, 2, `${file}: ${stderr}`);
    assert.match(stderr, said);
  }
});

run('LANG-074 the same rules hold in validate, --plan and --mode validate', async () => {
  const name = svcctl.write('limited.oql', LIMITED);
  for (const args of [
    [name],
    [name, '--plan'],
    [name, '--mode', 'validate'],
    ['validate', name],
    ['validate', name, '--json'],
  ]) {
    const unused = await svcctl.run([...args, '--var', 'HIHG=1 V']);
    assert.is.not(unused.code, 0, `${args.join(' ')}: ${unused.stdout}`);
    assert.match(unused.stdout + unused.stderr, 'HIHG was given (1 V), but the scenario never uses it');
    assert.is((await svcctl.run([...args, '--var', 'HIGH=1 V'])).code, 0, args.join(' '));
  }
});

run('B9: a typo of a valve is a warning in dry-run, an error with --strict', async () => {
  const loose = await svcctl.run([svcctl.write('typo.oql', TYPO)]);
  assert.is(loose.code, 0);
  assert.match(loose.stderr, 'warning[SCN221]');
  assert.match(loose.stderr, 'did you mean valve-1?');
  assert.is((await svcctl.run(['typo.oql', '--strict'])).code, 2);
});

run('a scenario behind a URL runs', async () => {
  const server = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ scenario: { dsl: B6 } })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { code, stdout } = await svcctl.run([`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`]);
  server.close();
  assert.is(code, 0);
  assert.match(stdout, '3/3 passed');
});

run('a reader that goes away does not break the run', async () => {
  const { child, finished } = svcctl.start([svcctl.write('b6.oql', B6), '--junit', 'pipe.xml']);
  child.stdout?.destroy();
  assert.is((await finished).code, 0);
  assert.match(readFileSync(svcctl.path('pipe.xml'), 'utf8'), '</testsuites>');
});

run.run();
