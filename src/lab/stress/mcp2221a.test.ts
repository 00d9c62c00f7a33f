import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { stressHid } from './mcp2221a.ts';

const test = suite('mcp2221a under faults');

test('DEV-043 DEV-042 2000 exchanges under faults: no wrong value, no false confirmation, recovery after each', async () => {
  const report = await stressHid({ exchanges: 2000, seed: 20_250_115 });
  assert.is(report.wrongValues, 0);
  assert.is(report.falseConfirmations, 0);
  assert.is(report.unrecovered, 0);
  assert.is(report.pendingTimers, 0);
  assert.equal(report.unexpected, []);
  assert.ok(report.exchanges >= 2000);
  // The faults were really there, and they hurt.
  for (const name of ['late_ms', 'doubled', 'truncate', 'corrupt', 'foreign', 'silent', 'unplug'])
    assert.ok((report.faults[name] ?? 0) > 0, `${name} in ${JSON.stringify(report.faults)}`);
  assert.ok(report.recovered > 20, JSON.stringify(report));
});

test('the same faults without the earliest moment of an answer are found out: doubled reports are taken', async () => {
  const report = await stressHid({ exchanges: 2000, seed: 20_250_115, rules: { earliestAnswerMs: 0 } });
  assert.ok(report.wrongValues > 0, JSON.stringify(report));
});

test('DEV-047 the same seed gives the same run', async () => {
  const log = async (seed: number) => {
    const lines: string[] = [];
    const report = await stressHid({ exchanges: 300, seed, log: (line) => lines.push(line) });
    return { report, lines };
  };
  assert.equal(await log(3), await log(3));
  assert.not.equal((await log(3)).lines, (await log(4)).lines);
});

test.run();
