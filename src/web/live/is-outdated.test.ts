import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { isOutdated } from './is-outdated.ts';

const test = suite('a page of a version before');

test('PAGE-003 a page is old when the server serves another script, and never for want of an answer', () => {
  assert.is(isOutdated('main-NEW.js', 'main-OLD.js'), true);
  assert.is(isOutdated('main-OLD.js', 'main-OLD.js'), false);
  for (const unknown of [null, undefined]) assert.is(isOutdated(unknown, 'main-OLD.js'), false);
  assert.is(isOutdated('main-NEW.js', undefined), false);
});

test.run();
