import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { DrawingPace } from './drawing-pace.ts';

const test = suite('pace of drawing');

test('PAGE-008 what is asked for during a drawing is drawn once after it; a long drawing is followed by a rest', async () => {
  const clock = new SteppedClock();
  let drawn = 0;
  let done = () => {};
  const pace = new DrawingPace(
    clock,
    () => drawn++,
    (callback) => {
      done = callback;
    },
  );
  pace.ask();
  assert.is(drawn, 1, 'at once');
  for (let i = 0; i < 10; i++) pace.ask();
  await clock.advance(40);
  done();
  await clock.advance(0);
  assert.is(drawn, 2, 'a short drawing needs no rest');
  pace.ask();
  await clock.advance(300);
  done();
  await clock.advance(299);
  assert.is(drawn, 2, 'the browser has time for other things');
  await clock.advance(1);
  assert.is(drawn, 3);
  done();
  await clock.advance(1000);
  assert.is(drawn, 3, 'nothing was asked for');
});

test.run();
