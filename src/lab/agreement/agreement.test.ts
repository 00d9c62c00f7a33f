import * as assert from 'uvu/assert';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { Interpreter } from '../../scenario/interpreter.ts';
import { suite } from '../../test-kit/suite.ts';
import { differenceOf, measureAgreement } from './agreement.ts';
import { MemoryBench } from './memory-bench.ts';
import { RandomJudgement, YAML } from './random-judgement.ts';

const test = suite('validate, dry-run and execute agree');

test(
  'LANG-069 random scenarios get the same verdicts by validate, dry-run and execute with the same readings',
  async () => {
    const bench = await MemoryBench.start(YAML);
    const report = await measureAgreement({
      bench,
      cases: 40,
      scenarios: new RandomJudgement(seededRandom(3)),
    });
    await bench.close();
    assert.equal(report.disagreements, []);
    for (const outcome of ['passed', 'failed', 'refused'])
      assert.ok((report.outcomes[outcome] ?? 0) > 0, `no scenario was ${outcome}`);
    assert.ok(report.checks > 60, `only ${report.checks} checks`);
  },
  { timeoutMs: 120_000 },
);

test('a verdict that differs by the reading is a disagreement', async () => {
  const run = (volts: number, mode: 'validate' | 'dry-run' = 'dry-run') => {
    const sensors = mode === 'dry-run' ? { AI01: `${volts} V` } : undefined;
    const options = { mode, ...(sensors ? { sensors } : {}) };
    return new Interpreter(options).run('GOAL a:\n  CHECK AI01 <= 1 V\n', 'a.oql');
  };
  const validated = await run(0, 'validate');
  const low = await run(0.5);
  assert.is(differenceOf(validated, low, await run(0.5)), undefined);
  assert.match(String(differenceOf(validated, low, await run(1.5))), 'dry-run: a passed');
  assert.match(String(differenceOf(validated, low, await run(0.6))), 'checks of the dry-run only');
  assert.match(String(differenceOf(validated, low, validated)), 'validate says valid, execute is refused');
});

test.run();
