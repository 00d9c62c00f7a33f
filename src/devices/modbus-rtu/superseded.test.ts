import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../lib/testing/suite.ts';
import { hexOf } from '../../transports/hex.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { RtuLine } from './line.ts';

const test = suite('modbus rtu, given up at the last moment');

/** A clock on which something else happens right behind a timer, before whoever waited for it goes on. */
class CrowdedClock extends SteppedClock {
  behindNextTimer: (() => void) | undefined;

  override after(ms: number, action: () => void): () => void {
    return super.after(ms, () => {
      action();
      this.behindNextTimer?.();
    });
  }
}

test('DEV-044 a write that is given up as its silence ends is not sent any more', async () => {
  const clock = new CrowdedClock();
  const pipe = new BytePipe({ baud: 19_200 });
  const sent: string[] = [];
  pipe.onWritten((bytes) => sent.push(hexOf(bytes)));
  const line = new RtuLine({ transport: pipe, baud: 19_200, clock });
  await line.open();
  const opening = new AbortController();
  const end = line
    .run((session) => session.write({ function: 0x05, unit: 1, address: 0, on: true }), {
      signal: opening.signal,
    })
    .then(
      () => 'written',
      (error: { code?: string }) => error.code,
    );
  // The last part of the silence: the timer that ends it is the next one to fire.
  await clock.advance(1.8);
  clock.behindNextTimer = () => opening.abort();
  await clock.advance(1);
  assert.is(await end, 'aborted');
  assert.equal(sent, []);
  await line.close();
});

test.run();
