import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { knobText, knobValue } from './knob-text.ts';

const test = suite('knobs of twins on the page');

test('every value comes back from its text', () => {
  for (const value of [0, -1.5, true, null, [0, 3], { leak: 0.01 }, 'register', 'true', '12', 'a "b"', ''])
    assert.equal(knobValue(knobText(value), value), value);
  assert.is(knobText('register'), 'register');
  assert.is(knobText([0, 3]), '[0,3]');
  assert.is(knobValue('0.01', null), 0.01);
});

test.run();
