import * as assert from 'uvu/assert';
import { suite } from '../testing/suite.ts';
import { messageOf } from './coded-error.ts';

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

test.run();
