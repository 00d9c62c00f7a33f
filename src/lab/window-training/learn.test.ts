import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { recipe } from './recipe.ts';
import { sliceDigest } from './slice.ts';

const test = suite();

test(
  'WIN-033 the same pictures and seed give the same weights, byte for byte, another seed other ones',
  async () => {
    const first = await sliceDigest();
    assert.is(await sliceDigest(), first);
    assert.is.not(await sliceDigest(2), first);
  },
  { timeoutMs: 120_000 },
);

test(
  'WIN-033 the hash of the code that learns is always the same',
  async () => {
    const hash = await recipe();
    assert.match(hash, /^[0-9a-f]{64}$/);
    assert.is(await recipe(), hash);
  },
  { timeoutMs: 120_000 },
);

test.run();
