import * as assert from 'uvu/assert';
import { Mcp2221aTwin } from '../../devices/mcp2221a/twin.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { HidHub } from './hid-hub.ts';

const test = suite('one HID twin with several users');

const STATUS = Uint8Array.from([0x10, ...new Array<number>(63).fill(0)]);

function hubOnTwin() {
  const clock = new SteppedClock();
  return { clock, hub: new HidHub(new Mcp2221aTwin({ clock, random: seededRandom(1) })) };
}

test('every user sees the answer to every request', async () => {
  const { clock, hub } = hubOnTwin();
  const seen: string[] = [];
  const first = hub.asTwin();
  first.connect((report) => seen.push(`first ${report[0]}`));
  hub.asTwin().connect((report) => seen.push(`second ${report[0]}`));
  const leave = hub.onReport((report) => seen.push(`third ${report[0]}`));
  assert.is(hub.users, 3);
  first.receive(STATUS);
  await clock.advance(10);
  assert.equal(seen.sort(), ['first 16', 'second 16', 'third 16']);
  leave();
  assert.is(hub.users, 2);
});

test('a user that connects again is one user still, and leaves nothing behind', async () => {
  const { clock, hub } = hubOnTwin();
  const seen: string[] = [];
  const user = hub.asTwin();
  user.connect(() => seen.push('before'));
  user.connect(() => seen.push('after'));
  assert.is(hub.users, 1);
  hub.receive(STATUS);
  await clock.advance(10);
  assert.equal(seen, ['after']);
});

test.run();
