import * as assert from 'uvu/assert';
import { SteppedClock } from '../lib/clock/stepped-clock.ts';
import { Progress } from './progress.ts';
import { suite } from './suite.ts';
import { expectedS, inGoodOrder } from './times.ts';

const test = suite('order and progress of test files');
const times = { 'b.test.ts': 30, 'd.test.ts': 90 };
const files = ['d.test.ts', 'a.test.ts', 'b.test.ts', 'c.test.ts'];

test('the quick files first, then the longest', () => {
  assert.equal(inGoodOrder(files, times), ['a.test.ts', 'c.test.ts', 'd.test.ts', 'b.test.ts']);
});

test('a run takes at least as long as its longest file', () => {
  assert.is(expectedS(['b.test.ts', 'd.test.ts'], times, 1), 120);
  assert.is(expectedS(['b.test.ts', 'd.test.ts'], times, 8), 90);
  assert.is(expectedS([], times, 8), 0);
});

test('says at the beginning and now and then how long it will take, at the pace of this machine', async () => {
  const clock = new SteppedClock();
  const progress = new Progress({ files, times, jobs: 1, clock });
  assert.is(progress.begin(), '4 test files, one at a time: about 2 min\n');
  assert.is(progress.ended('a.test.ts'), '');
  await clock.advance(19_000);
  assert.is(progress.ended('c.test.ts'), '');
  await clock.advance(41_000);
  // Twice as long as expected: the 90 s that are left will take 179.
  assert.is(progress.ended('b.test.ts'), '     3 of 4 files, about 3 min left\n');
  await clock.advance(60_000);
  assert.is(progress.ended('d.test.ts'), '');
});

test.run();
