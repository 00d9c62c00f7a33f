import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { stressRecords } from './stress.ts';

const test = suite('records under kills');

/** `npm run stress:records` does the same with 10,000 runs. */
test(
  'REC-004 of 60 runs under SIGKILL of server, svcctl, bridge and guard and with torn files none is lost, twice or left running, and all verify',
  async () => {
    const { broken, rounds, reported } = await stressRecords({ runs: 60, seed: 4 });
    assert.equal(broken, []);
    for (const [round, count] of Object.entries(rounds)) assert.ok(count > 0, round);
    assert.ok(reported >= 60);
  },
  { timeoutMs: 300_000 },
);

test.run();
