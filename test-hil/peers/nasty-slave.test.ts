import * as assert from 'uvu/assert';
import { compilerMissing } from '../../src/lab/device-benchmarks/compiled-peer.ts';
import { onNastyLine } from '../../src/lab/stress/nasty-line.ts';
import { FAULT_KINDS } from '../../src/lab/stress/nasty-slave.ts';
import { suite } from '../../src/test-kit/suite.ts';

const test = suite('our valve driver on a slave that is not ours');
const missing = compilerMissing();
const peerTest = test.needs(missing === undefined, missing ?? '');

/** Times of a real line but ten times shorter, so that hundreds of faults fit into a test. */
const QUICK = { baud: 19_200, scale: 0.1, kinds: FAULT_KINDS };

peerTest(
  'DEV-030 DEV-031 DEV-048 DEV-049 DEV-059 with faults of 26 kinds on 30 % of the requests no value is wrong, no switching falsely confirmed',
  async () => {
    const lines = [1, 2, 3].map((seed) => onNastyLine({ ...QUICK, seed, share: 0.3, requests: 200 }));
    for (const report of await Promise.all(lines)) {
      assert.equal(report.wrong, []);
      assert.ok(report.hasRecovered);
      assert.ok(report.reads > 0 && report.sets > 0, JSON.stringify(report.failures));
      assert.ok(Object.keys(report.kinds).length >= 16, Object.keys(report.kinds).join());
    }
  },
);

peerTest('DEV-029 the same slave without faults is worked without any failure', async () => {
  const report = await onNastyLine({ ...QUICK, seed: 4, share: 0, requests: 100 });
  assert.equal([report.wrong, report.failures, report.kinds], [[], {}, {}]);
  const { early, timeouts, corrupt } = report.statistics;
  assert.equal([early, timeouts, corrupt], [0, 0, 0]);
});

test.run();
