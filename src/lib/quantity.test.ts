import { suite } from '../test-kit/suite.ts';
import { SteppedClock } from './clock/stepped-clock.ts';
import type { Milliseconds, Percent, Seconds, Volts } from './quantity.ts';

const test = suite('quantities');

test('a number of another unit does not compile', async () => {
  const clock = new SteppedClock();
  const seconds: Seconds = 2;
  const volts: Volts = 2;
  // @ts-expect-error seconds are no milliseconds
  const cancel = clock.after(seconds, () => {});
  cancel();
  // @ts-expect-error volts are no share
  const percent: Percent = volts;
  const ms: Milliseconds = seconds * 1000;
  await clock.advance(ms + percent);
});

test.run();
