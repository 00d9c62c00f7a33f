import * as assert from 'uvu/assert';
import type { RunEvent } from '../../../scenario/events/event.ts';
import { suite } from '../../../test-kit/suite.ts';
import { RecentEvents } from './recent-events.ts';

const test = suite('events of a run in memory');

const event = (seq: number) => ({ seq, type: 'log' }) as RunEvent;
/** Each line has ten bytes. */
const numbersBehind = (recent: RecentEvents, offset: number) =>
  recent.behind(offset)?.map(({ event: { seq } }) => seq);

test('PAGE-008 what is behind an offset comes in order, from the beginning and to the end', () => {
  const recent = new RecentEvents(3);
  assert.equal(numbersBehind(recent, 0), []);
  for (let seq = 0; seq < 6; seq++) recent.add(event(seq), 10 * (seq + 1));
  assert.equal(numbersBehind(recent, 0), [0, 1, 2, 3, 4, 5]);
  assert.equal(numbersBehind(recent, 40), [4, 5]);
  assert.equal(numbersBehind(recent, 60), []);
});

test('PAGE-008 what is no longer kept has to be read in the record, and nothing is left out between', () => {
  const recent = new RecentEvents(3);
  for (let seq = 0; seq < 7; seq++) recent.add(event(seq), 10 * (seq + 1));
  assert.is(recent.behind(20), undefined);
  assert.equal(numbersBehind(recent, 30), [3, 4, 5, 6]);
  for (let seq = 7; seq < 1000; seq++) recent.add(event(seq), 10 * (seq + 1));
  assert.is(recent.behind(9000), undefined);
  assert.equal(numbersBehind(recent, 9970), [997, 998, 999]);
});

test('PAGE-008 an event that the record did not take is not told as one of the record', () => {
  const recent = new RecentEvents(3);
  recent.add(event(0), 10);
  recent.add(event(1), 10);
  assert.equal(numbersBehind(recent, 0), [0]);
  const full = new RecentEvents(3);
  full.add(event(0), 0);
  assert.equal(numbersBehind(full, 0), []);
});

test.run();
