import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { limitSteps } from './limit-steps.ts';

const test = suite('limits of a run chart');

test('REC-006 a run chart has the limits of their time: a step at each change', () => {
  const narrow = { low: 1, high: 2 };
  const wide = { low: null, high: 3 };
  assert.equal(limitSteps([narrow, narrow, wide, narrow]), [
    { ...narrow, from: 0.5, to: 2.5 },
    { ...wide, from: 2.5, to: 3.5 },
    { ...narrow, from: 3.5, to: 4.5 },
  ]);
  assert.equal(limitSteps([]), []);
});

test.run();
