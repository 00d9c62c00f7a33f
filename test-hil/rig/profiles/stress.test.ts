import * as assert from 'uvu/assert';
import { suite } from '../../../src/test-kit/suite.ts';
import { stressProfiles } from './stress.ts';

const test = suite('stress of the profiles');

const ROUNDS = 50;
/** How fast it is, `npm run stress:profiles` tells; here a busy machine has its time. */
const RECOVERY_LIMIT_MS = 15_000;

test(
  'SVC-025 SVC-026 SVC-027 switches, kills and starts by hand in random order: never two clients at the HID twin, all that should be up is up',
  async () => {
    const { broken, rounds, switchMs, testimony } = await stressProfiles({
      rounds: ROUNDS,
      seed: 7,
      recoveryLimitMs: RECOVERY_LIMIT_MS,
    });
    assert.equal(broken, []);
    assert.is(
      Object.values(rounds).reduce((sum, count) => sum + count, 0),
      ROUNDS,
    );
    assert.equal(testimony.withTwo, []);
    // A witness that did not look proves nothing.
    assert.ok(testimony.samples > 1000, `${testimony.samples} looks`);
    assert.ok(switchMs.length >= 5, `${switchMs.length} switches`);
  },
  { timeoutMs: 300_000 },
);

test.run();
