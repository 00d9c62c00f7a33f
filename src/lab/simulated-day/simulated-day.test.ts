import * as assert from 'uvu/assert';
import type { SafeStateReport } from '../../rig/safe-state/report.ts';
import type { Bridge } from '../../services/bridge/bridge.ts';
import { suite } from '../../test-kit/suite.ts';
import { simulateDay } from './simulated-day.ts';

const test = suite('a simulated day');
const LIMIT = { timeoutMs: 120_000 };

test(
  'SVC-036 SVC-037 SVC-040 SVC-043 hours with vanishing owners and failing devices: nothing moves without a lease or a hold, nothing stays on',
  async () => {
    const report = await simulateDay({ hours: 1, seed: 11 });
    assert.equal(report.violations, []);
    assert.equal(report.leftOn, []);
    // A day on which nothing happened proves nothing.
    assert.ok(report.actuations > 200, `${report.actuations} actuations`);
    assert.ok(report.vanished > 20, `${report.vanished} owners vanished`);
    assert.ok((report.safeStates.lease_expired ?? 0) > 10, JSON.stringify(report.safeStates));
    // What is on by hand is switched off by the end of its hold, or for the next lease, which mostly comes first.
    const { manual_hold_ended = 0, lease_requested = 0 } = report.safeStates;
    assert.ok(manual_hold_ended + lease_requested > 10, JSON.stringify(report.safeStates));
    assert.ok(Object.keys(report.faults).length >= 5, JSON.stringify(report.faults));
    assert.ok((report.runs.passed ?? 0) > 20, JSON.stringify(report.runs));
  },
  LIMIT,
);

/** A bridge that ignores what it should be made safe for. The next lease would make up for it: that is ignored as well. */
const deafTo = (reason: string) => (bridge: Bridge) => {
  const makeSafe = bridge.makeSafe.bind(bridge);
  const ignored = new Promise<SafeStateReport>(() => {});
  const isIgnored = (why: string) => why === reason || why === 'lease_requested';
  Object.assign(bridge, { makeSafe: (why: string) => (isIgnored(why) ? ignored : makeSafe(why)) });
};

for (const reason of ['lease_expired', 'manual_hold_ended'])
  test(
    `the day finds a bridge that does nothing at ${reason}`,
    async () => {
      const { violations } = await simulateDay({ hours: 0.3, seed: 11, tamper: deafTo(reason) });
      assert.ok(
        violations.some((one) => /is on \d+ ms after the last authority ended/.test(one)),
        violations.join('\n'),
      );
    },
    LIMIT,
  );

test(
  'the day finds a bridge that asks nobody for a lease',
  async () => {
    const tamper = (bridge: Bridge) => {
      Object.assign(bridge, { admit: () => 'manual' });
    };
    const { violations } = await simulateDay({ hours: 0.3, seed: 11, tamper });
    assert.ok(
      violations.some((one) => /was switched on: /.test(one)),
      violations.join('\n'),
    );
  },
  LIMIT,
);

test.run();
