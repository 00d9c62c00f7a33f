import { readFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { messageOf } from './coded-error.ts';
import { reasonOf } from './reason.ts';

const test = suite('sentences of what was thrown');

test('errors, what looks like one, and anything else', () => {
  assert.equal(
    [messageOf(new Error('gone')), messageOf({ message: 'odd' }), messageOf('text'), messageOf(undefined)],
    ['gone', 'odd', 'text', 'undefined'],
  );
});

test('several errors without a sentence of their own speak by the first', () => {
  const refused = [new Error('connect ECONNREFUSED ::1:1'), new Error('connect ECONNREFUSED 127.0.0.1:1')];
  assert.is(messageOf(new AggregateError(refused)), 'connect ECONNREFUSED ::1:1');
  assert.is(messageOf(new AggregateError(refused, 'none answered')), 'none answered');
  assert.is(messageOf(new AggregateError([])), '');
});

test("LANG-083 the reason of a system's error is its words alone, without code, call and path", () => {
  let absent: unknown;
  try {
    readFileSync('/none/such');
  } catch (thrown) {
    absent = thrown;
  }
  assert.is(messageOf(absent), "ENOENT: no such file or directory, open '/none/such'");
  assert.is(reasonOf(absent), 'no such file or directory');
  assert.is(reasonOf(new AggregateError([absent])), 'no such file or directory');
  assert.equal([reasonOf(new Error('gone')), reasonOf('text')], ['gone', 'text']);
});

test.run();
