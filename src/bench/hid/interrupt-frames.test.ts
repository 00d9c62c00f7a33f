import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { InterruptFrames } from './interrupt-frames.ts';

const test = suite('interrupt frames');

const report = (first: number) => Uint8Array.of(first);

/** Its timers fire late, as those of a busy process do. */
class LateClock extends SteppedClock {
  override after(ms: number, action: () => void): () => void {
    return super.after(ms + 0.9, action);
  }
}

function frames(pollingMs: number, answer: boolean, clock = new SteppedClock()) {
  const log: string[] = [];
  const note = (what: string, one: Uint8Array) => log.push(`${clock.monotonic()} ${what} ${one[0]}`);
  const made = new InterruptFrames({
    clock,
    pollingMs,
    takeOut: (one) => {
      note('out', one);
      if (answer) made.in(one);
    },
    deliverIn: (one) => note('in', one),
  });
  return { clock, log, frames: made };
}

test('an OUT report goes at the next frame and its answer at the one after', async () => {
  const { clock, log, frames: endpoints } = frames(1, true);
  await clock.advance(0.4);
  endpoints.out(report(7));
  await clock.advance(10);
  assert.equal(log, ['1 out 7', '2 in 7']);
  assert.is(clock.pending, 0);
});

test('one report a frame in each direction, in order', async () => {
  const { clock, log, frames: endpoints } = frames(2, false);
  for (const first of [1, 2, 3]) endpoints.out(report(first));
  for (const first of [8, 9]) endpoints.in(report(first));
  await clock.advance(20);
  assert.equal(log, ['2 in 8', '2 out 1', '4 in 9', '4 out 2', '6 out 3']);
});

test('what is cleared never arrives', async () => {
  const { clock, log, frames: endpoints } = frames(1, true);
  endpoints.out(report(1));
  endpoints.in(report(2));
  endpoints.clear();
  await clock.advance(10);
  assert.equal(log, []);
  assert.is(clock.pending, 0);
});

test('a frame that is worked on late takes nothing that came after its own time', async () => {
  const { clock, log, frames: endpoints } = frames(1, true, new LateClock());
  await clock.advance(0.5);
  endpoints.in(report(1));
  await clock.advance(1);
  endpoints.out(report(2));
  await clock.advance(10);
  // Written at 1.5: taken by the frame of 2 and answered by that of 3, both 0.9 late.
  assert.equal(log, ['1.9 in 1', '2.9 out 2', '3.9 in 2']);
});

test('unpaced, everything is handed on at once', () => {
  const { log, frames: endpoints } = frames(0, true);
  endpoints.out(report(5));
  assert.equal(log, ['0 out 5', '0 in 5']);
});

test.run();
