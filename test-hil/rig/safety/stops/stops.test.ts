import * as assert from 'uvu/assert';
import { suite } from '../../../../src/test-kit/suite.ts';
import { RUNNERS, stopTrials, WAYS } from './stop-trials.ts';

const test = suite('a sample of stops at random moments');
const SEED = 11;

test(
  'SVC-049 LANG-079 any stop of any run at any moment: nothing goes on until the stop is cleared',
  async () => {
    const count = WAYS.length * RUNNERS.length;
    const trials = await stopTrials({ count, seed: SEED });
    assert.equal(
      trials.filter(({ broken }) => broken.length > 0),
      [],
      `seed ${SEED}`,
    );
    assert.is(trials.length, count);
    // A stop of nothing would prove little.
    assert.ok(trials.filter(({ wasOn }) => wasOn).length >= count / 2, JSON.stringify(trials));
  },
  { timeoutMs: 300_000 },
);

test.run();
