import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { stressTic } from './tic.ts';

const test = suite('tic under random faults');

test('DEV-025 DEV-043 DEV-044 10000 exchanges under faults: no wrong value, no false confirmation, all recovered', async () => {
  const report = await stressTic({ exchanges: 10_000, seed: 20_250_115 });
  const counted = JSON.stringify(report, null, 1);
  assert.is(report.wrongValues, 0, counted);
  assert.is(report.falseConfirmations, 0, counted);
  assert.equal(report.unexpected, [], counted);
  assert.is(report.unrecovered, 0, counted);
  assert.is(report.pendingTimers, 0, counted);
  // The faults were really there.
  for (const fault of [
    'stall',
    'late_ms',
    'silent',
    'short',
    'corrupt',
    'unplug',
    'kill_switch',
    'no_motion',
  ])
    assert.ok((report.faults[fault] ?? 0) > 5, `${fault}: ${counted}`);
  assert.ok(report.recovered > 20, counted);
  assert.ok(report.starts > 100 && report.ends > 20, counted);
});

test('DEV-047 the same seed gives the same run', async () => {
  const [first, second] = [
    await stressTic({ exchanges: 1000, seed: 3 }),
    await stressTic({ exchanges: 1000, seed: 3 }),
  ];
  assert.equal(first, second);
});

test.run();
