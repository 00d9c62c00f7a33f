import * as assert from 'uvu/assert';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const usage = suite('wrong usage');
const svcctl = new SvcctlProcess();
usage.before(() => svcctl.build());
usage.after(() => svcctl.dispose());

/** Arguments, and what the one sentence must name: the value and the remedy. */
const WRONG: readonly (readonly [args: readonly string[], ...named: string[]])[] = [
  [['x.oql', '--mdoe', 'execute'], '"--mdoe"', '--mode'],
  [['x.oql', '--zzz'], '"--zzz"', 'svcctl run --help'],
  [['valdate', 'x.oql'], 'unknown command "valdate"', 'did you mean "validate"?'],
  [['stpo'], 'unknown command "stpo"', 'did you mean "stop"?'],
  [['help', 'stpo'], 'unknown command "stpo"', 'did you mean "stop"?'],
  [['dry-run', 'x.oql'], 'unknown command "dry-run"', 'did you mean "run --mode dry-run"?'],
  [['run', 'x.oql', '--dry-run'], '"--dry-run"', 'did you mean --mode dry-run?'],
  [['qqqq'], 'unknown command "qqqq"', 'svcctl --help'],
  [['lease', 'shwo'], '"shwo"', 'show'],
  [['x.oql', '--mode', 'exec'], '"exec"', 'dry-run, execute or validate'],
  [['x.oql', '--mode'], '--mode', 'svcctl run --help'],
  [['x.oql', '--sensor', 'AI01'], '"AI01"', 'NAME=value'],
  [['x.oql', '--sensor', 'AI01='], '"AI01="', 'mbar'],
  [['x.oql', '--sensor', 'AI01=low'], '"low"', 'number'],
  [['x.oql', '--sensor', '=5'], '"=5"', 'NAME=value'],
  [['x.oql', '--sensor', 'AI01=1', '--sensor', 'AI01=2'], 'AI01', 'second value'],
  [['good.oql', '--sensor', 'AI09=1'], '"AI09"', 'did you mean'],
  [['good.oql', '--sensor', 'AI01=1', '--mode', 'execute'], '--sensor', 'dry-run'],
  [['good.oql', '--simulated'], '--simulated', '--mode execute'],
  [['x.oql', '--var', '1x=2'], '"1x=2"', 'NAME=value'],
  [['x.oql', '--timeout-goal', 'soon'], '"soon"', '15s'],
  [['x.oql', '--max-age', '0'], '"0"', '--max-age'],
  [['good.oql', '--firmware-url', 'bridge:8202'], '"bridge:8202"', 'http://'],
  [['good.oql', '--library', 'nowhere'], '"nowhere"', 'directory'],
  [['good.oql', '--junit', 'no/such/dir.xml'], '--junit', 'no/such', 'create'],
  [['good.oql', '--report', '.'], '--report', 'directory'],
  [['good.oql', '--junit', 'a.xml', '--report', 'a.xml'], 'a.xml', 'own file'],
  [['run'], 'run', '<scenario>'],
  [['validate', 'good.oql', 'bad.oql'], '"bad.oql"', 'one at a time'],
  [['missing.oql'], 'missing.oql', 'no such file'],
  [['run', '.'], 'cannot read .', 'validate-dir'],
  [['ftp://host/x.oql'], 'ftp://host/x.oql', 'http://'],
  [['validate', 'good.oql', '--as', '7'], '"7"', '2, 3 or 4'],
  [['format', 'good.oql', '-w', '--check'], '--check', 'one of them'],
  [['format', 'good.oql', 'good.oql'], '2 files', '--write'],
  [['completion', 'tcsh'], '"tcsh"', 'bash'],
  [['validate-dir', 'good.oql'], 'good.oql', 'directory'],
  [['--validate-dir'], 'validate-dir', '<dir>'],
  [['cmd', 'GET AI01', '--for', '1s', '--continuous'], '--for', 'one of them'],
  [['cmd', 'LOG x\nLOG y'], 'one line', 'file'],
  [['cmd', 'LOG x', '--mode', 'dry-run', '--for', '1s'], '--for', 'dry-run'],
  [['bench'], 'needs an action', 'devices'],
  [['bench', 'devcies'], '"devcies"', 'did you mean devices'],
  [['bench', 'knobs'], '<device>'],
  [['bench', 'step', 'soon'], '"soon"', 'whole number'],
  [['bench', 'devices', '--zzz'], '"--zzz"', 'svcctl bench devices --help'],
  [['profile', 'stak'], '"stak"', 'did you mean stack'],
  [['profile', 'mock'], '"mock"', 'stack or standalone'],
  [['profile', 'stack', 'standalone'], '"standalone"', 'one at a time'],
  [['profle'], '"profle"', 'did you mean "profile"?'],
  [['services', '--jsn'], '"--jsn"', '--json'],
  [['services', 'svc-bridge'], '"svc-bridge"', 'no use'],
  [['adc-confirm', '--state-dir'], '--state-dir', 'svcctl adc-confirm --help'],
  [['bench', 'devices', '--bench-url', 'host:8290'], '"host:8290"', 'http://'],
];

/** Many starts of a program, one after the other, also on one slow core. */
const SLOW = { timeoutMs: 180_000 };

usage(
  'LANG-061 each wrong invocation exits 2 with one sentence that names value and remedy',
  async () => {
    svcctl.write('good.oql', "GOAL:\n  SET NAME 'g'\n  CHECK AI01 <= 1 V\n");
    svcctl.write('bad.oql', 'GOAL:\n  WIAT\n');
    for (const [args, ...named] of WRONG) {
      const { code, stdout, stderr } = await svcctl.run(args);
      const what = `svcctl ${args.join(' ')}: ${stderr}${stdout}`;
      assert.is(code, 2, what);
      assert.is(stdout, '', what);
      assert.is(stderr.trimEnd().split('\n').length, 1, what);
      for (const part of named) assert.ok(stderr.includes(part), `${what} names ${part}`);
    }
  },
  SLOW,
);

usage('LANG-061 with --json the sentence is a JSON document on stdout too', async () => {
  for (const args of [
    ['x.oql', '--json', '--mdoe'],
    ['--json', 'missing.oql'],
    ['validate', '--json', 'missing.oql'],
  ]) {
    const finished = await svcctl.run(args);
    const document = onlyJson(finished);
    assert.is(finished.code, 2);
    assert.is(document.ok, false);
    assert.is(`svcctl: ${document.error}\n`, finished.stderr);
    assert.match(String(document.code), /^[a-z_]+$/);
  }
});

usage('no arguments print the help on stderr and exit 2', async () => {
  const { code, stdout, stderr } = await svcctl.run([]);
  assert.is(code, 2);
  assert.is(stdout, '');
  assert.match(stderr, 'Usage: svcctl');
});

usage('help and version are results: stdout, exit 0', async () => {
  for (const args of [['--help'], ['-h'], ['run', '--help'], ['help', 'validate']]) {
    const { code, stdout, stderr } = await svcctl.run(args);
    assert.is(code, 0, args.join(' '));
    assert.match(stdout, 'Usage: svcctl');
    assert.is(stderr, '');
  }
  assert.is((await svcctl.run(['--version'])).stdout, '1.2.3\n');
});

usage.run();
