import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import weights from '../../window/detect/weights.json';
import { recipe } from './recipe.ts';
import { sliceDigest } from './slice.ts';

const test = suite();

const AGAIN = 'train again: npm run screens && npm run train:window';

test(
  'WIN-033 the shipped weights were made by this code, which learns from a slice what it learned then',
  async () => {
    assert.is(weights.made.recipe, await recipe(), AGAIN);
    assert.is(weights.made.slice, await sliceDigest(), AGAIN);
  },
  { timeoutMs: 120_000 },
);

test.run();
