import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { StopRequests } from './stop-requests.ts';

const test = suite('wishes to stop');

test('the Ctrl-C that npm hands on counts once, a later one is the second', async () => {
  const clock = new SteppedClock();
  const stop = new StopRequests(clock);
  const heard: string[] = [];
  stop.listen((signal, count) => heard.push(`${signal} ${count}`));
  try {
    process.emit('SIGINT', 'SIGINT');
    process.emit('SIGINT', 'SIGINT');
    assert.equal(heard, ['SIGINT 1']);
    assert.match(String(stop.signal.reason), 'stopped by SIGINT');
    await stop.first();
    await clock.advance(500);
    process.emit('SIGTERM', 'SIGTERM');
    assert.equal(heard, ['SIGINT 1', 'SIGTERM 2']);
  } finally {
    stop.release();
  }
  assert.is(process.listenerCount('SIGINT'), 0);
});

test.run();
