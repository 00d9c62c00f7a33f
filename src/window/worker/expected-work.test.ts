import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { Job } from '../operations/job.ts';
import { requestOf } from '../operations/request.ts';
import { type AcceptedJob, ExpectedWork } from './expected-work.ts';

const test = suite('work that is accepted');

const LIMIT_MS = 30_000;
const detect: Job = { kind: 'detect', request: requestOf('detect', { image: 'a.png' }) };
const plain: Job = { kind: 'detect', request: requestOf('detect', { image: 'a.png', ocr: false }) };

/** Jobs of one kind that are accepted, one after the other, before the first is refused. */
function acceptedOf(work: ExpectedWork, job: Job): number {
  const accepted: AcceptedJob[] = [];
  while (accepted.length < 1000 && work.waitMs(job, accepted, 0) === 0)
    accepted.push({ job, startedAt: undefined });
  return accepted.length;
}

test('WIN-032 accepted jobs end within the limit when each takes as long as the slowest of the last ones', () => {
  for (const ms of [400, 1500, 4000, 11_000, 40_000]) {
    const work = new ExpectedWork(LIMIT_MS);
    work.finished(detect, 100);
    work.finished(detect, ms);
    const count = acceptedOf(work, detect);
    assert.ok(count >= 1);
    assert.ok(count === 1 || count * ms <= LIMIT_MS, `${count} jobs of ${ms} ms`);
  }
});

test('WIN-032 before anything was timed only a few are accepted, and more of those that read no text', () => {
  const work = new ExpectedWork(LIMIT_MS);
  assert.equal([acceptedOf(work, detect), acceptedOf(work, plain)], [4, 48]);
});

test('WIN-032 a job is accepted when there is no other, however long the last ones took', () => {
  const work = new ExpectedWork(LIMIT_MS);
  work.finished(detect, 10 * LIMIT_MS);
  assert.is(work.waitMs(detect, [], 0), 0);
  assert.ok(work.waitMs(plain, [{ job: detect, startedAt: 0 }], 0) > 0);
});

test('WIN-032 the wait becomes shorter while the others are worked on, and long jobs are forgotten after eight short ones', () => {
  const work = new ExpectedWork(LIMIT_MS);
  work.finished(detect, 20_000);
  const others = [{ job: detect, startedAt: 1000 }];
  assert.equal([work.waitMs(detect, others, 1000), work.waitMs(detect, others, 11_000)], [16_000, 6000]);
  for (let i = 0; i < 8; i++) work.finished(detect, 100);
  assert.is(work.expectedMs(detect), 1500);
});

test('WIN-032 on a crowded machine a first burst is expected to take longer, until something was timed', () => {
  const crowded = new ExpectedWork(LIMIT_MS, () => 17);
  assert.equal([acceptedOf(crowded, detect), acceptedOf(crowded, plain)], [1, 2]);
  crowded.finished(plain, 1000);
  assert.is(acceptedOf(crowded, plain), 24);
});

test.run();
