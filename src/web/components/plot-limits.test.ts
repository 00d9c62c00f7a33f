import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { limitRange, limitSpan } from './plot-limits.ts';

const test = suite('limits in a plot');

test('PAGE-001 the y axis has room for values and limits, also where there is only one of them', () => {
  assert.equal(limitRange(1, 2, [{ low: 0, high: null }]), [-0.2, 2.2]);
  assert.equal(limitRange(null, null, []), [0, 1]);
  assert.equal(limitRange(5, 5, []), [4.5, 5.5]);
});

test('PAGE-001 a limit is drawn for its time: at least as wide as can be seen, never beside the picture', () => {
  const picture = { left: 100, right: 500, least: 28 };
  assert.equal(limitSpan({ from: 200, to: 300 }, picture), [200, 300]);
  assert.equal(limitSpan({ from: 200, to: 200 }, picture), [186, 214]);
  assert.equal(limitSpan({ from: 105, to: 105 }, picture), [100, 119]);
  assert.equal(limitSpan({ from: 0, to: 900 }, picture), [100, 500]);
  assert.is(limitSpan({ from: 510, to: 600 }, picture), undefined);
});

test.run();
