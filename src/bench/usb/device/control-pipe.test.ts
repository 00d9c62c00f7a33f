import * as assert from 'uvu/assert';
import { SteppedClock } from '../../../lib/clock/stepped-clock.ts';
import { suite } from '../../../test-kit/suite.ts';
import { ControlPipe } from './control-pipe.ts';
import { ended } from './in-endpoint.ts';

const test = suite('endpoint 0');

/** Submits transfers 1, 2, ... and writes down when each is carried out and answered. */
function host() {
  const clock = new SteppedClock();
  const pipe = new ControlPipe(clock);
  const log: string[] = [];
  const ask = (sequence: number, delayMs: number) =>
    pipe.submit({
      sequence,
      carryOut: () => {
        log.push(`${clock.monotonic()} begin ${sequence}`);
        return { end: ended(0), delayMs };
      },
      done: () => log.push(`${clock.monotonic()} end ${sequence}`),
    });
  return { clock, pipe, log, ask };
}

test('a prompt answer is given at once', () => {
  const { pipe, log, ask } = host();
  ask(1, 0);
  ask(2, 0);
  assert.equal(log, ['0 begin 1', '0 end 1', '0 begin 2', '0 end 2']);
  assert.is(pipe.waiting, 0);
});

test('a request is not begun before the one in front of it is answered', async () => {
  const { clock, log, ask } = host();
  ask(1, 30);
  ask(2, 5);
  ask(3, 0);
  await clock.advance(29);
  assert.equal(log, ['0 begin 1']);
  await clock.advance(10);
  assert.equal(log.slice(1), ['30 end 1', '30 begin 2', '35 end 2', '35 begin 3', '35 end 3']);
  assert.is(clock.pending, 0);
});

test('a request that is given up makes room for the next one', async () => {
  const { clock, pipe, log, ask } = host();
  ask(1, Number.POSITIVE_INFINITY);
  ask(2, 0);
  ask(3, 10);
  await clock.advance(5000);
  assert.equal(log, ['0 begin 1']);
  assert.is(pipe.cancel(1), true);
  assert.equal(log.slice(1), ['5000 begin 2', '5000 end 2', '5000 begin 3']);
  assert.is(pipe.cancel(1), false);
  assert.is(pipe.cancel(3), true);
  assert.is(clock.pending, 0);
  assert.is(pipe.waiting, 0);
});

test('a request that is given up before its turn is never begun', async () => {
  const { clock, pipe, log, ask } = host();
  ask(1, 10);
  ask(2, 0);
  assert.is(pipe.cancel(2), true);
  await clock.advance(20);
  assert.equal(log, ['0 begin 1', '10 end 1']);
});

test('when the host is gone nothing is answered and no timer is left', async () => {
  const { clock, pipe, log, ask } = host();
  ask(1, 10);
  ask(2, 10);
  pipe.clear();
  assert.is(clock.pending, 0);
  await clock.advance(50);
  assert.equal(log, ['0 begin 1']);
});

test.run();
