import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { Listeners } from '../../transports/listeners.ts';
import { PacedPort } from './paced-port.ts';

const test = suite('paced HID port');

/** Answers each report with itself, at once. */
function echo() {
  const reports = new Listeners<Uint8Array>();
  let users = 0;
  return {
    onReport: (listener: (report: Uint8Array) => void) => {
      users += 1;
      const end = reports.add(listener);
      return () => {
        users -= 1;
        end();
      };
    },
    receive: (report: Uint8Array) => reports.tell(report),
    users: () => users,
  };
}

test('a device that answers at once is heard two frames later, one report a frame', async () => {
  const clock = new SteppedClock();
  const port = new PacedPort(echo(), { clock });
  const heard: [number, number][] = [];
  port.onReport((report) => heard.push([report[0] ?? -1, clock.monotonic()]));
  await clock.advance(0.5);
  port.receive(Uint8Array.of(1));
  port.receive(Uint8Array.of(2));
  await clock.advance(10);
  assert.equal(heard, [
    [1, 2],
    [2, 3],
  ]);
});

test('when no process listens any more nothing is pending and the device is left', async () => {
  const clock = new SteppedClock();
  const device = echo();
  const port = new PacedPort(device, { clock });
  const leave = [port.onReport(() => {}), port.onReport(() => {})];
  assert.is(device.users(), 1);
  port.receive(Uint8Array.of(1));
  for (const one of leave) one();
  assert.is(device.users(), 0);
  assert.is(clock.pending, 0);
});

test.run();
