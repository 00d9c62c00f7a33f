import * as assert from 'uvu/assert';
import { systemClock } from '../../lib/clock/clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { stress } from './mutate.ts';

const test = suite('broken PNG files');

test('WIN-022 of 600 mutated PNG files each is decoded or refused: no crash, no hang, no defect, memory bounded', async () => {
  const result = await stress(600, 7, () => systemClock.monotonic());
  assert.equal(result.defects, []);
  assert.is(result.decoded + result.refused, 600);
  assert.ok(result.decoded > 20, `${result.decoded} decoded: the mutations are all too coarse`);
  assert.ok(result.refused > 200, `${result.refused} refused`);
  assert.ok(result.memoryBytes < 400 * 1024 * 1024, `${result.memoryBytes} bytes`);
});

test.run();
