import * as assert from 'uvu/assert';
import { stressRtu } from '../../lab/stress/modbus-io.ts';
import { suite } from '../../test-kit/suite.ts';

const test = suite('modbus-io under faults');

test('DEV-030 DEV-031 DEV-029 10000 exchanges under faults: no wrong value, no false confirmation', async () => {
  const { statistics, faults, ...result } = await stressRtu({ exchanges: 10_000, seed: 20_250_115 });
  assert.is(result.wrongValues, 0);
  assert.is(result.falseConfirmations, 0);
  assert.equal(result.unexpected, []);
  // The device is never spoken to while it owes an answer, except by all-off frames that cannot wait.
  assert.ok(result.collisions <= statistics.sentAhead, `${result.collisions} of ${statistics.sentAhead}`);
  // The faults were really there.
  assert.ok(result.exchanges >= 10_000);
  for (const kind of [
    'late_ms',
    'doubled',
    'repeat_after_ms',
    'early',
    'truncate',
    'bad_crc',
    'foreign',
    'silent',
    'deaf',
    'unplug',
  ])
    assert.ok((faults[kind] ?? 0) > 40, `${kind}: ${faults[kind]}`);
  assert.ok(statistics.lateFrames > 50, JSON.stringify(statistics));
  assert.is(result.lateInTrace, statistics.lateFrames);
  assert.ok(statistics.corrupt > 100, JSON.stringify(statistics));
  assert.ok(statistics.losses > 40, JSON.stringify(statistics));
});

test('DEV-042 DEV-043 after every one of these faults it works again, and nothing is left pending', async () => {
  const { faults, recovered, unrecovered, pendingTimers } = await stressRtu({ exchanges: 3000, seed: 42 });
  const made = Object.values(faults).reduce((sum, count) => sum + count, 0);
  assert.ok(made > 300, JSON.stringify(faults));
  assert.is(unrecovered, 0);
  assert.is(recovered, made);
  assert.is(pendingTimers, 0);
});

test('DEV-030 answers later than the turnaround limit, up to 1190 ms, are not taken either', async () => {
  const result = await stressRtu({ exchanges: 3000, seed: 7, latestMs: 1190, unplugs: false });
  assert.is(result.wrongValues, 0);
  assert.is(result.falseConfirmations, 0);
});

test('the same faults without quiet time and proof are found out: late replies are taken', async () => {
  const result = await stressRtu({ exchanges: 3000, seed: 20_250_115, turnaroundMs: 0, strayMs: 0 });
  assert.ok(result.wrongValues > 0, 'a late reading was taken for the next one');
  assert.ok(result.collisions > 0);
});

test('DEV-047 the same seed gives the same run', async () => {
  const [first, second] = [
    await stressRtu({ exchanges: 500, seed: 3 }),
    await stressRtu({ exchanges: 500, seed: 3 }),
  ];
  assert.equal(first, second);
});

test.run();
