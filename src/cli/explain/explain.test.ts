import * as assert from 'uvu/assert';
import { SvcctlProcess } from '../../test-kit/cli/svcctl-process.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('svcctl explain');
const svcctl = new SvcctlProcess();
test.before(() => svcctl.build());
test.after(() => svcctl.dispose());

test('a code by its number or its name, in any case', async () => {
  for (const wanted of ['SCN240', 'scn240', 'incompatible-units']) {
    const { code, stdout, stderr } = await svcctl.run(['explain', wanted]);
    assert.is(code, 0, stderr);
    assert.match(
      stdout,
      /^SCN240 incompatible-units \(error\)\n\n {2}Values of different dimensions .*\n {2}Use units/,
    );
  }
});

test('without a code all of them, one line each', async () => {
  const { stdout } = await svcctl.run(['explain']);
  const lines = stdout.trimEnd().split('\n');
  assert.ok(lines.length > 100);
  assert.ok(lines.every((line) => /^SCN\d{3} [a-z0-9-]+: \S.*\.$/.test(line)));
});

test('--json is the same as one document', async () => {
  const { stdout } = await svcctl.run(['explain', 'SCN410', '--json']);
  const { code, name, severity, means, remedy } = JSON.parse(stdout);
  assert.equal([code, name, severity], ['SCN410', 'bound-unmet', 'error']);
  assert.ok(means.length > 0 && remedy.length > 0);
});

test('a code that does not exist is reported with the nearest one', async () => {
  const { code, stdout, stderr } = await svcctl.run(['explain', 'bound-unmett']);
  assert.equal([code, stdout], [2, '']);
  assert.is(stderr, 'svcctl: "bound-unmett" is not a code of a finding: did you mean bound-unmet?\n');
});

test.run();
