import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { BridgeTwin } from '../../test-kit/scenario/bridge-twin.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite<{ bridge: BridgeTwin }>('svcctl run, several scenarios on the rig');
const svcctl = new SvcctlProcess();
test.before(() => svcctl.build());
test.after(() => svcctl.dispose());
test.before.each(async (context) => {
  context.bridge = await BridgeTwin.start();
});
test.after.each(({ bridge }) => bridge.close());

const opening = (valve: string, limit = '1 V') =>
  `SCENARIO: opens ${valve}\nGOAL:\n  SET NAME 'g'\n  SET ${valve} open\n  CHECK AI01 <= ${limit}\nCONFIG end:\n  SET ${valve} close\n`;
svcctl.write('one.oql', opening('valve-1'));
svcctl.write('two.oql', opening('valve-2'));
svcctl.write('fails.oql', opening('valve-3', '0.1 V'));
svcctl.write(
  'holds.oql',
  "SCENARIO: holds\nGOAL:\n  SET NAME 'h'\n  SET valve-4 open\n  WAIT 60s\n  CHECK AI01 <= 1 V\n",
);
svcctl.write(
  'pump.oql',
  "SCENARIO: pumps\nGOAL:\n  SET NAME 'p'\n  SET pump 10 %\n  SET pump 0 %\n  CHECK AI01 <= 1 V\n",
);

const on = (bridge: BridgeTwin, ...args: string[]) => [
  ...args,
  '--mode',
  'execute',
  '--firmware-url',
  bridge.url,
];
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);
const read = (name: string) => readFileSync(svcctl.path(name), 'utf8');
/** What was asked of the bridge besides reading. */
const acts = ({ requests }: BridgeTwin) =>
  requests.flatMap(({ method, path }) => (method === 'GET' || /lease\/lease-\d+/.test(path) ? [] : [path]));

test('LANG-081 each scenario has a lease of its own, with the safe state between', async ({ bridge }) => {
  const { code, stdout, stderr } = await svcctl.run(on(bridge, 'one.oql', 'two.oql'));
  assert.is(code, 0, stdout + stderr);
  assert.is(lastLine(stdout), '2/2 scenarios passed');
  const of = (valve: string) => [
    '/api/v1/lease',
    `/api/v1/hardware/valve/${valve}?value=true`,
    `/api/v1/hardware/valve/${valve}?value=false`,
    '/api/v1/hardware/safe-state?reason=run_ended',
  ];
  assert.equal(acts(bridge), [...of('valve-1'), ...of('valve-2')]);
});

test('LANG-081 a scenario with errors, the last one too, is found before anything is asked of the bridge', async ({
  bridge,
}) => {
  svcctl.write('typo.oql', "GOAL:\n  SET NAME 'Typo'\n  SET valve-l open\n");
  const { code, stderr } = await svcctl.run(on(bridge, 'one.oql', 'typo.oql'));
  assert.equal([code, bridge.requests.length], [2, 0], stderr);
  assert.match(stderr, 'error[SCN221]');
});

test('LANG-081 a preflight that fails for the last scenario keeps the first from moving: exit 3', async ({
  bridge,
}) => {
  bridge.health = { motor: 'error: no answer' };
  const { code, stdout, stderr } = await svcctl.run(on(bridge, 'one.oql', 'pump.oql', '--junit', 'pre.xml'));
  assert.is(code, 3, stdout + stderr);
  assert.equal(acts(bridge), []);
  assert.match(stderr, 'this scenario uses the pump (motor), which is not ready: error: no answer');
  assert.is(lastLine(stdout), '0/2 scenarios passed, 1 error, 1 skipped');
  assert.match(read('pre.xml'), 'tests="2" failures="0" errors="1" skipped="1"');
  // The same with --goal or --tag: what is left out needs nothing.
  const part = await svcctl.run(on(bridge, 'one.oql', 'pump.oql', '--goal', 'g'));
  assert.is(part.code, 0, part.stdout + part.stderr);
});

test('LANG-081 a failure does not keep the next from running; the worst counts', async ({ bridge }) => {
  const { code, stdout } = await svcctl.run(on(bridge, 'fails.oql', 'one.oql'));
  assert.is(code, 1, stdout);
  assert.is(lastLine(stdout), '1/2 scenarios passed, 1 failed');
});

test('LANG-081 a rig that was not left safe gets no further scenario', async ({ bridge }) => {
  const steps = [{ name: 'valves_off', ok: false, status: 'failed', detail: 'no echo' }];
  bridge.fail('POST', /safe-state/, { kind: 'answer', status: 503, body: { ok: false, steps } });
  const { code, stdout, stderr } = await svcctl.run(on(bridge, 'one.oql', 'two.oql'));
  assert.is(code, 3, stdout + stderr);
  assert.match(
    stdout,
    '[skipped] opens valve-2 (two.oql): not run: opens valve-1: the rig was not brought to the safe state',
  );
  assert.not.ok(acts(bridge).some((path) => path.includes('valve-2')));
});

test('LANG-081 a rig that another program holds gets no further scenario', async ({ bridge }) => {
  bridge.hold('somebody');
  const { code, stdout } = await svcctl.run(on(bridge, 'one.oql', 'two.oql'));
  assert.is(code, 3, stdout);
  assert.match(stdout, 'not run: opens valve-1: the lease could not be had');
  assert.equal(acts(bridge), ['/api/v1/lease']);
});

test('LANG-081 SIGINT aborts the present scenario with its safe state and skips the rest: exit 130', async ({
  bridge,
}) => {
  const started = svcctl.start(on(bridge, 'one.oql', 'holds.oql', 'two.oql', '--json', '--junit', 'int.xml'));
  await started.until('SET valve-4 open');
  started.child.kill('SIGINT');
  const ended = await started.finished;
  assert.is(ended.code, 130, ended.stderr);
  const document = onlyJson(ended);
  assert.equal([document.ok, document.outcome], [false, 'aborted']);
  assert.equal(
    (document.scenarios as { outcome: string }[]).map(({ outcome }) => outcome),
    ['passed', 'aborted', 'skipped'],
  );
  assert.is(acts(bridge).at(-1), '/api/v1/hardware/safe-state?reason=run_ended');
  assert.not.ok(bridge.actuated);
  assert.match(read('int.xml'), '<skipped message="not run: holds: it was aborted"/>');
});

test('LANG-081 SIGINT during the preflight runs nothing: exit 130', async ({ bridge }) => {
  const asked = new Promise<void>((resolve) => {
    const watch = setInterval(() => {
      if (bridge.requests.length === 0) return;
      clearInterval(watch);
      resolve();
    }, 5);
  });
  bridge.fail('GET', /health/, { kind: 'silence' });
  const started = svcctl.start(on(bridge, 'one.oql', 'two.oql', '--json'));
  await asked;
  started.child.kill('SIGINT');
  const ended = await started.finished;
  assert.is(ended.code, 130, ended.stderr);
  assert.is(onlyJson(ended).outcome, 'aborted');
  assert.equal(acts(bridge), []);
});

test('LANG-081 cases of a bench are marked in name and properties, and keep their verdict', async () => {
  const bench = await BridgeTwin.start({ bench: true });
  const { code, stdout } = await svcctl.run(on(bench, 'one.oql', 'fails.oql', '--junit', 'bench.xml'));
  await bench.close();
  assert.is(code, 1, stdout);
  assert.is(lastLine(stdout), '1/2 scenarios passed, 1 failed (bench, not a test)');
  const xml = read('bench.xml');
  assert.match(xml, 'failures="1" errors="0" skipped="0"');
  const cases = xml.split('<testcase ').slice(1);
  for (const one of cases) {
    assert.match(one, /^name="[^"]+ \(bench, not a test\)"/);
    assert.match(one, '<property name="bench" value="true"/>');
  }
  assert.is(cases.length, 4);
});

test.run();
