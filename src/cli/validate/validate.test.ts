import { symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as assert from 'uvu/assert';
import type { CompletedReport } from '../../scenario/profiles/report-shape.ts';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const validate = suite('svcctl validate');
const svcctl = new SvcctlProcess();
validate.before(() => svcctl.build());
validate.after(() => svcctl.dispose());

const GOOD = "GOAL:\n  SET NAME 'g'\n  CHECK AI01 <= 1 V\n";
const WARN = "GOAL:\n  SET NAME 'g'\n  SET valve-l 1\n  CHECK AI01 <= 1 V\n";
const BAD = "GOAL:\n  SET NAME 'g'\n  WIAT 2s\n";
const B10 = `VERSION: 4
SCENARIO: Repeat
GOAL:
  SET NAME 'Twice'
  REPEAT 2:
    SET 'pump' '5 l/min'
    SET 'pump' '0 %'
  REPEAT STOP
  IF 'AI02' '6 .. 8 bar'
    ERROR 'supply'
`;
const B11 = 'VERSION: 4\nGOAL: Old\n  LOOP 2 TIMES\n    WAIT 100\n  ENDLOOP\n';

validate('LANG-061 a valid file is exit 0, an invalid one exit 1 with its finding on stdout', async () => {
  const good = await svcctl.run(['validate', svcctl.write('good.oql', GOOD)]);
  assert.equal([good.code, good.stdout, good.stderr], [0, 'good.oql: valid; runs 15 s at most\n', '']);
  const bad = await svcctl.run(['validate', svcctl.write('bad.oql', BAD)]);
  assert.is(bad.code, 1);
  assert.match(bad.stdout, 'error[SCN120] unknown-command');
  assert.match(bad.stdout, ' --> bad.oql:3:3');
  assert.match(bad.stdout, '3 |   WIAT 2s\n  |   ^^^^');
  assert.match(bad.stdout, /bad\.oql: not valid, 1 error(, 1 warning)?\n$/);
});

validate('a warning is valid; with --strict findings about the rig are errors', async () => {
  const name = svcctl.write('warn.oql', WARN);
  const loose = await svcctl.run(['validate', name]);
  assert.is(loose.code, 0);
  assert.match(
    loose.stdout,
    /\nwarn\.oql: valid, but this rig cannot run it: .*; 1 warning; runs .* at most\n$/,
  );
  const strict = await svcctl.run(['validate', '--strict', name]);
  assert.is(strict.code, 1);
  assert.match(strict.stdout, 'error[SCN221]');
});

validate(
  'LANG-077 what only this rig cannot run is valid with exit 0, and exit 1 with --for-rig',
  async () => {
    const source =
      "GOAL:\n  SET NAME 'g'\n  SET valve-l 1\n  GET AI99\n  SAVE AI99\n  CHECK AI01 <= 400 mbar\n";
    const name = svcctl.write('other-rig.oql', source);
    const found = await svcctl.run(['validate', name]);
    assert.is(found.code, 0);
    const closing = found.stdout.trimEnd().split('\n').at(-1)!;
    assert.match(closing, 'other-rig.oql: valid, but this rig cannot run it: ');
    for (const what of ['valve-l', 'AI99', 'no calibration to mbar', '3 warnings'])
      assert.match(closing, what);
    const json = await svcctl.run(['validate', name, '--json']);
    const report = onlyJson(json) as unknown as CompletedReport;
    assert.equal([json.code, report.valid, report.summary.errors], [0, true, 0]);
    assert.is(report.rig?.can_run, false);
    assert.is(report.rig?.reasons.length, 3);
    for (const args of [[], ['--json'], ['--as', '3']]) {
      const strict = await svcctl.run(['validate', name, '--for-rig', ...args]);
      assert.is(strict.code, 1, args.join(' '));
    }
    const forRig = onlyJson(await svcctl.run(['validate', name, '--for-rig', '--json']));
    assert.equal([forRig.valid, forRig.rig], [true, report.rig]);
    const good = svcctl.write('good.oql', GOOD);
    assert.is((await svcctl.run(['validate', good, '--for-rig'])).code, 0);
    assert.equal(onlyJson(await svcctl.run(['validate', good, '--json'])).rig, {
      can_run: true,
      reasons: [],
    });
  },
);

validate(
  'LANG-077 LANG-065 a limit that the sensors of this rig never reach: only this rig cannot run it',
  async () => {
    svcctl.write('narrow.yaml', 'sensors:\n  AI01:\n    range_volts: [0, 4]\n');
    const env = { SVC_CONFIG_PATH: 'narrow.yaml' };
    const name = svcctl.write('wide.oql', "GOAL:\n  SET NAME 'g'\n  CHECK AI01 <= 9 V\n");
    const found = await svcctl.run(['validate', name], { env });
    assert.is(found.code, 0);
    assert.match(found.stdout, 'warning[SCN250]');
    assert.match(
      found.stdout.trimEnd().split('\n').at(-1)!,
      'wide.oql: valid, but this rig cannot run it: the limit 9 V lies outside the 0 .. 4 V that AI01',
    );
    assert.is((await svcctl.run(['validate', name, '--for-rig'], { env })).code, 1);
  },
);

validate('LANG-077 a text with errors is not valid, whatever the rig', async () => {
  const name = svcctl.write('bad-rig.oql', "GOAL:\n  SET NAME 'g'\n  SET valve-l 1\n  WIAT 2s\n");
  const found = await svcctl.run(['validate', name, '--for-rig']);
  assert.is(found.code, 1);
  assert.match(found.stdout, 'bad-rig.oql: not valid');
});

validate('LANG-007 HTML is SCN001 and exit 2, from a file, standard input and a URL', async () => {
  const html = '\uFEFF\n<!DOCTYPE html><html>';
  const file = await svcctl.run(['validate', svcctl.write('page.oql', html)]);
  assert.is(file.code, 2);
  assert.match(file.stdout, 'error[SCN001]');
  const run = await svcctl.run(['page.oql']);
  assert.is(run.code, 2);
  assert.match(run.stderr, 'SCN001');
  const input = await svcctl.run(['validate', '-'], { input: html });
  assert.is(input.code, 2);
  const report = await svcctl.run(['validate', '--as', '4', '--json', 'page.oql']);
  assert.is(report.code, 2);
  assert.is(onlyJson(report).valid, false);
  assert.match(report.stdout, 'non_oql_payload');
});

validate('bytes that are not valid UTF-8 are exit 2, never a verdict', async () => {
  svcctl.write('latin.oql', Buffer.from("GOAL:\n  LOG 'za\xf3r'\n", 'latin1'));
  for (const args of [[], ['--json'], ['--as', '4']]) {
    const { code } = await svcctl.run(['validate', 'latin.oql', ...args]);
    assert.is(code, 2, args.join(' '));
  }
});

validate('LANG-061 --json prints the report, --pretty indents it', async () => {
  const bad = await svcctl.run(['validate', '--json', svcctl.write('bad.oql', BAD)]);
  const report = onlyJson(bad);
  assert.is(bad.code, 1);
  assert.is(bad.stderr, '');
  assert.is(report.schema_version, '1.0');
  assert.is(report.valid, false);
  assert.is(report.source, 'bad.oql');
  const pretty = await svcctl.run(['validate', '--json', '--pretty', 'bad.oql']);
  assert.ok(pretty.stdout.split('\n').length > 5);
  assert.equal(JSON.parse(pretty.stdout), report);
});

validate('--as 4: B10 is valid, B11 names its four rules and shows their lines', async () => {
  assert.is((await svcctl.run(['validate', '--as', '4', svcctl.write('b10.oql', B10)])).code, 0);
  const b11 = await svcctl.run(['validate', '--target-version', '4', svcctl.write('b11.oql', B11)]);
  assert.is(b11.code, 1);
  for (const rule of ['goal_inline_name', 'loop_deprecated', 'runtime_dry_run', 'runtime_error'])
    assert.match(b11.stdout, `error[${rule}]`);
  assert.match(b11.stdout, ' --> b11.oql:2:1');
  assert.match(b11.stdout, '2 | GOAL: Old');
});

validate('a scenario behind a URL is validated, its includes come from the library root only', async () => {
  svcctl.write('library/lib/x.oql', 'MACRO x:\n  SET valve-1 0\n');
  const server = createServer((_, response) =>
    response.end("INCLUDE 'x.oql'\nGOAL:\n  SET NAME 'g'\n  CALL x\n  CHECK AI01 <= 1 V\n"),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a`;
  try {
    const found = await svcctl.run(['validate', address, '--library', 'library']);
    assert.is(found.code, 0, found.stdout);
    assert.match(found.stdout, `${address}: valid`);
    assert.is((await svcctl.run(['validate', address])).code, 1);
  } finally {
    server.close();
  }
});

validate('colours follow FORCE_COLOR and NO_COLOR', async () => {
  svcctl.write('bad.oql', BAD);
  assert.match((await svcctl.run(['validate', 'bad.oql'], { env: { FORCE_COLOR: '1' } })).stdout, '\x1b[31m');
  assert.not.match((await svcctl.run(['validate', 'bad.oql'])).stdout, '\x1b');
  const terminal = await svcctl.startOnTerminal(['validate', 'bad.oql']).finished;
  assert.match(terminal.stdout, '\x1b[31m');
  const refused = await svcctl.startOnTerminal(['validate', 'bad.oql'], { env: { NO_COLOR: '1' } }).finished;
  assert.not.match(refused.stdout, '\x1b[31m');
});

validate('LANG-061 validate-dir: sorted lines, one verdict, exit codes', async () => {
  svcctl.write('tree/b/good.oql', GOOD);
  svcctl.write('tree/a.cql', WARN);
  svcctl.write('tree/notes.txt', BAD);
  svcctl.write('tree/b/lib.oql', 'MACRO m:\n  SET valve-1 0\n');
  const warned = await svcctl.run(['validate-dir', 'tree']);
  assert.equal(
    [warned.code, warned.stdout],
    [
      0,
      '  [WARN] a.cql: 1 issue(s)\n  [OK] b/good.oql: 0 issue(s)\n  [OK] b/lib.oql: 0 issue(s)\n\n[WARN] 3 files, 1 total issues\n',
    ],
  );
  svcctl.write('tree/b/bad.oql', BAD);
  symlinkSync('nowhere', svcctl.path('tree/gone.oql'));
  symlinkSync('..', svcctl.path('tree/b/loop'));
  const failed = await svcctl.run(['--validate-dir', 'tree', '--details']);
  assert.is(failed.code, 1);
  assert.match(failed.stdout, /\n {2}\[FAIL\] b\/bad\.oql: \d+ issue\(s\)\n/);
  assert.match(failed.stdout, '\n  [FAIL] gone.oql: 1 issue(s)\n');
  assert.match(failed.stdout, /\n\n\[FAIL\] 5 files, \d+ total issues\n$/);
  assert.match(failed.stderr, 'error[SCN120]');
});

validate('LANG-061 a directory without scenarios is not a success', async () => {
  svcctl.write('none/x.txt', '');
  const { code, stdout } = await svcctl.run(['validate-dir', 'none']);
  assert.equal([code, stdout], [2, 'No .cql/.oql files found in none\n']);
  const json = await svcctl.run(['validate-dir', 'none', '--json']);
  assert.equal([json.code, onlyJson(json).ok], [2, false]);
});

validate('LANG-061 validate-dir --json is one document', async () => {
  const found = await svcctl.run(['validate-dir', 'tree', '--json']);
  const report = onlyJson(found);
  assert.is(found.code, 1);
  assert.is(report.ok, false);
  assert.is(report.count, 5);
});

validate.run();
