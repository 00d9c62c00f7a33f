import * as assert from 'uvu/assert';
import { onlyJson, SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svcctl run, outcomes');
const svcctl = new SvcctlProcess();
test.before(() => svcctl.build());
test.after(() => svcctl.dispose());

const GATE = "GOAL:\n  SET NAME 'Gate'\n  IF AI01 > 3 V\n    CHECK AI01 < 5 V\n  ENDIF\n";
const lastLine = (text: string) => text.trimEnd().split('\n').at(-1);

test('LANG-076 an inconclusive run is exit 3 and says what to do; OPTIONAL makes it exit 0', async () => {
  const args = ['--sensor', 'AI01=1 V'];
  const { code, stdout, stderr } = await svcctl.run([svcctl.write('gate.oql', GATE), ...args]);
  assert.is(code, 3);
  assert.match(stdout, '[inconclusive] Gate\n');
  assert.is(lastLine(stdout), '0/1 passed, 1 inconclusive (simulated, not a test)');
  assert.match(stderr, 'SCN416');
  assert.match(stderr, 'depends on IF on line 3');
  assert.match(stderr, 'mark the goal OPTIONAL');
  const optional = svcctl.write('optional.oql', GATE.replace("'Gate'", "'Gate'\n  OPTIONAL"));
  const accepted = await svcctl.run([optional, ...args]);
  assert.equal([accepted.code, accepted.stderr], [0, '']);
  assert.is(lastLine(accepted.stdout), '0/1 passed, 1 inconclusive (simulated, not a test)');
});

test('LANG-076 --json of an inconclusive run is not ok and names the goal', async () => {
  const name = svcctl.write('gate.oql', GATE);
  const finished = await svcctl.run([name, '--sensor', 'AI01=1 V', '--json']);
  const result = onlyJson(finished);
  assert.equal(
    [finished.code, result.ok, result.outcome, result.code],
    [3, false, 'inconclusive', 'inconclusive'],
  );
  assert.match(String(result.error), 'Gate: no check ran');
});

test('LANG-076 a failed goal beside an inconclusive one is exit 1', async () => {
  const name = svcctl.write('both.oql', `${GATE}GOAL:\n  SET NAME 'Fails'\n  CHECK AI01 > 3 V\n`);
  const { code, stdout } = await svcctl.run([name, '--sensor', 'AI01=1 V']);
  assert.is(code, 1);
  assert.is(lastLine(stdout), '0/2 passed, 1 failed, 1 inconclusive (simulated, not a test)');
});

test('LANG-076 a procedure is done and exit 0', async () => {
  const name = svcctl.write('open.oql', "GOAL:\n  SET NAME 'Open'\n  SET valve-1 on\n  SET valve-1 off\n");
  const { code, stdout, stderr } = await svcctl.run([name]);
  assert.is(code, 0);
  assert.match(stdout, '[done] Open\n');
  assert.is(lastLine(stdout), '0/1 passed, 1 done (simulated, not a test)');
  assert.match(stderr, 'SCN244');
});

test('LANG-076 validate says which goal may end without a verdict, and the text is valid', async () => {
  const { code, stdout, stderr } = await svcctl.run(['validate', svcctl.write('gate.oql', GATE)]);
  assert.is(code, 0);
  assert.match(stdout + stderr, 'SCN279');
  assert.match(stdout + stderr, 'every check of the goal "Gate" depends on a condition');
});

test('LANG-082 --plan is normalised, and the same before and after format', async () => {
  const name = svcctl.write(
    'plan.oql',
    "GOAL:\n  set name Plan\n  max 'ai01' 5,0bar # most\n  WAIT 1500ms\n  get AI01\n",
  );
  const before = await svcctl.run([name, '--plan']);
  assert.is(before.stdout, 'Plan\n  bound nc-sensor high 5 bar\n  wait 1500 ms\n  read nc-sensor\n');
  const text = before.stdout;
  const json = onlyJson(await svcctl.run([name, '--plan', '--json']));
  await svcctl.run(['format', '-w', name]);
  assert.is((await svcctl.run([name, '--plan'])).stdout, text);
  assert.equal(onlyJson(await svcctl.run([name, '--plan', '--json'])), json);
});

test.run();
