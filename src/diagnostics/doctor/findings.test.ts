import * as assert from 'uvu/assert';
import { CAUSES, issuesOn } from '../../test-kit/diagnostics/machine.ts';
import { suite } from '../../test-kit/suite.ts';
import { folds } from './folds.ts';

const test = suite('findings of the doctor');

test('a machine with nothing wrong has no finding', async () => {
  assert.equal(await issuesOn(), []);
});

for (const [code, [change, evidence]] of Object.entries(CAUSES))
  test(`DIAG-046 ${code}: found where its cause is, with evidence, cause and remedy`, async () => {
    const issues = await issuesOn(change);
    const issue = issues.find((one) => one.code === code);
    assert.ok(issue, `found ${issues.map((one) => one.code).join() || 'nothing'}`);
    assert.match(JSON.stringify(issue?.evidence), evidence);
    assert.ok(issue && issue.cause.length > 10 && issue.remedy.length > 10);
  });

test('DIAG-044 what a supply, permission or owner finding explains is folded below it and counted once', async () => {
  const issues = await issuesOn((m) => {
    CAUSES.undervoltage_active?.[0](m);
    CAUSES.usb_disconnects?.[0](m);
  });
  assert.equal(
    folds(issues).map(({ head, effects }) => [head.code, effects.map(({ code }) => code)]),
    [['undervoltage_active', ['usb_disconnects']]],
  );
});

test('DIAG-044 an error of the kernel log that lies further back than ten minutes is no finding', async () => {
  const issues = await issuesOn((m) => {
    CAUSES.usb_disconnects?.[0](m);
    m.facts = { ...m.facts, uptimeS: 7 + 601 };
  });
  assert.equal(issues, []);
});

test.run();
