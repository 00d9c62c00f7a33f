import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { tortureRecords } from './torture.ts';

const test = suite('records under kills');

/** `npm run torture:records` does the same with 10,000 runs. */
test(
  'REC-004 of 60 runs under SIGKILL at random writes and torn files none is lost, twice or left running, and all verify',
  async () => {
    const { broken, kills, reported } = await tortureRecords({ runs: 60, seed: 4 });
    assert.equal(broken, []);
    assert.ok(kills > 0);
    assert.ok(reported >= 60);
  },
  { timeoutMs: 180_000 },
);

test.run();
