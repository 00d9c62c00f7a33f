import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { collector } from './collector.ts';

const test = suite('what a thread keeps');

const MB = 1024 * 1024;

test('the memory of a picture that nobody needs any more is given back at once', () => {
  const collect = collector();
  const pictures = [new Uint8Array(60 * MB)];
  const before = collect();
  assert.ok(before > 60 * MB, `${before} bytes with the picture`);
  pictures.length = 0;
  const after = collect();
  assert.ok(after < before - 50 * MB, `${after} of ${before} bytes are still there`);
});

test.run();
