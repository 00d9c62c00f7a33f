import * as assert from 'uvu/assert';
import { noLoader } from '../../scenario/syntax/include-loader.ts';
import { suite } from '../../test-kit/suite.ts';
import { runFuzz } from './run-fuzz.ts';
import { tryInput } from './try-input.ts';
import { bundleWorker } from './worker-bundle.ts';

const test = suite('fuzz');
const root = process.cwd();

/** Caches of words fill up to their limit; what grows beyond that is a leak. */
const GROWTH_LIMIT_BYTES = 24 * 1024 * 1024;

test(
  'LANG-001 LANG-003 LANG-062 10,000 mutated and random inputs: no throw, no hang, no growth, no changed meaning',
  async () => {
    const { script, remove } = bundleWorker(root);
    try {
      const report = await runFuzz(script, { count: 10_000, seed: 20_251, scenarioDir: `${root}/scenarios` });
      assert.is(report.hang, undefined, `input ${report.hang} never ends`);
      const [first] = report.faults;
      assert.is(
        report.faults.length,
        0,
        first && `${first.stage} of input ${first.index}: ${first.detail}\n${first.input}`,
      );
      assert.is(report.done, 10_000);
      assert.ok(
        report.heap.late - report.heap.early < GROWTH_LIMIT_BYTES,
        `heap grew from ${report.heap.early} to ${report.heap.late}`,
      );
    } finally {
      remove();
    }
  },
  { timeoutMs: 300_000 },
);

test('LANG-001 every single byte, and every pair with a quote, gives a tree', async () => {
  for (let byte = 0; byte < 256; byte++)
    for (const source of [Uint8Array.of(byte), Uint8Array.of(39, byte), Uint8Array.of(byte, 10, 32, byte)]) {
      const fault = await tryInput(source, noLoader);
      assert.is(fault, undefined, `${byte}: ${fault?.detail}`);
    }
});

test.run();
