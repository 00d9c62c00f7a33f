import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { PulseOutput } from './pulse-output.ts';

const test = suite('pulses for the watchdog relay');

/** Time that passes without a timer, as in a process that is held up. */
class HeldUpClock extends SteppedClock {
  heldUpMs = 0;

  override monotonic(): number {
    return super.monotonic() + this.heldUpMs;
  }
}

/** A line that notes its edges, with the relay's contact where one is wired. */
function rig(contact?: { closed: boolean }, isHigh = false) {
  const clock = new HeldUpClock();
  const edges: number[] = [];
  const levels: boolean[] = [];
  const logged: string[] = [];
  const may = { pulse: true, isProven: true, breaks: false };
  let asked = 0;
  let forgotten = 0;
  const pulse = new PulseOutput({
    line: {
      set: (high) => {
        if (may.breaks) throw new Error('the pulse output cannot be used: EIO');
        edges.push(clock.monotonic());
        levels.push(high);
      },
      isHigh: () => isHigh,
      isClosed: () => contact?.closed,
    },
    hz: 10,
    clock,
    mayPulse: () => may.pulse,
    isProvenSafe: () => {
      asked += 1;
      return may.isProven;
    },
    onInterrupted: () => {
      forgotten += 1;
    },
    onChange: () => {},
    log: (line) => logged.push(line),
  });
  const after = (ms: number) => edges.filter((at) => at > ms);
  return { clock, edges, levels, logged, may, pulse, after, counts: () => ({ asked, forgotten }) };
}

test('IMG-021 ten pulses a second go out once the rig is proven safe, and none before', async () => {
  const { clock, edges, may, pulse } = rig();
  may.isProven = false;
  pulse.start();
  await clock.advance(2000);
  assert.equal(edges, []);
  assert.ok(pulse.whyOff);
  may.isProven = true;
  await clock.advance(1000);
  assert.is(edges.length, 20);
  assert.is(pulse.whyOff, undefined);
  pulse.stop();
});

test('IMG-021 they stop at once when they may not go out, and after a short gap they continue', async () => {
  const { clock, may, pulse, after, counts } = rig();
  pulse.start();
  await clock.advance(1000);
  may.pulse = false;
  const stoppedAt = clock.monotonic();
  await clock.advance(250);
  assert.equal(after(stoppedAt), []);
  may.pulse = true;
  may.isProven = false;
  await clock.advance(200);
  assert.ok(after(stoppedAt).length > 0, 'the relay has not opened yet');
  assert.is(counts().forgotten, 0);
  pulse.stop();
});

test('IMG-021 after a gap in which the relay may have opened they need a safe state that began later', async () => {
  const { clock, may, pulse, after, counts } = rig();
  pulse.start();
  await clock.advance(1000);
  may.pulse = false;
  const stoppedAt = clock.monotonic();
  await clock.advance(400);
  assert.ok(pulse.whyOff);
  may.pulse = true;
  may.isProven = false;
  await clock.advance(1000);
  assert.equal(after(stoppedAt), []);
  assert.is(counts().forgotten, 1);
  may.isProven = true;
  await clock.advance(300);
  assert.ok(after(stoppedAt).length > 0);
  assert.is(pulse.whyOff, undefined);
  pulse.stop();
});

test('IMG-021 an event loop that hung for longer than the gap does not pulse when it goes on', async () => {
  const { clock, may, pulse, edges } = rig();
  pulse.start();
  await clock.advance(500);
  may.isProven = false;
  const before = edges.length;
  clock.heldUpMs = 700;
  await clock.advance(500);
  assert.is(edges.length, before);
  pulse.stop();
});

test('IMG-021 a guard that takes over from one that pulsed until just now asks for no safe state', async () => {
  const { clock, edges, may, pulse, counts } = rig();
  may.isProven = false;
  pulse.start(clock.monotonic());
  assert.is(pulse.whyOff, undefined);
  await clock.advance(100);
  assert.ok(edges.length >= 2);
  assert.is(counts().asked, 0);
  pulse.stop();
});

test('IMG-021 a guard that takes over and may not pulse at once counts the gap from the last pulse of the other', async () => {
  const { clock, edges, may, pulse, counts } = rig();
  await clock.advance(1000);
  may.isProven = false;
  may.pulse = false;
  pulse.start(clock.monotonic() - 200);
  await clock.advance(200);
  may.pulse = true;
  await clock.advance(500);
  assert.equal(edges, []);
  assert.ok(pulse.whyOff);
  assert.ok(counts().asked > 0);
  pulse.stop();
});

test('IMG-021 the first pulse of a guard that takes over is an edge, whichever level the other has left', async () => {
  for (const isHigh of [true, false]) {
    const { clock, levels, may, pulse } = rig(undefined, isHigh);
    may.isProven = false;
    pulse.start(clock.monotonic() - 200);
    assert.equal(levels, [!isHigh]);
    pulse.stop();
  }
});

test('IMG-021 with a contact the supply counts as on only when it has closed', async () => {
  const contact = { closed: false };
  const { clock, pulse } = rig(contact);
  pulse.start();
  await clock.advance(500);
  assert.ok(pulse.whyOff);
  assert.is(pulse.testedAt, undefined);
  contact.closed = true;
  await clock.advance(100);
  assert.is(pulse.whyOff, undefined);
  assert.ok(pulse.testedAt !== undefined, 'it was seen to open and to close');
  pulse.stop();
});

test('IMG-021 a contact that stays closed without pulses is reported as welded, and is not fed', async () => {
  const contact = { closed: true };
  const { clock, edges, logged, pulse } = rig(contact);
  pulse.start();
  await clock.advance(3000);
  assert.equal(edges, []);
  assert.match(pulse.whyOff ?? '', 'welded');
  await clock.advance(60_000);
  assert.is(logged.length, 1);
  contact.closed = false;
  await clock.advance(6000);
  assert.ok(edges.length > 0);
  pulse.stop();
});

test('IMG-021 a contact that stays open although pulses go out is reported, and tried again after 5 s', async () => {
  const contact = { closed: false };
  const { clock, logged, pulse, after } = rig(contact);
  pulse.start();
  await clock.advance(1600);
  assert.match(pulse.whyOff ?? '', 'stays open although pulses go out');
  const at = clock.monotonic();
  await clock.advance(3000);
  assert.equal(after(at), []);
  await clock.advance(3000);
  assert.ok(after(at).length > 0);
  assert.is(logged.length, 1);
  pulse.stop();
});

test('IMG-021 a contact that opens for a moment while pulses go out is an interruption', async () => {
  const contact = { closed: false };
  const { clock, may, pulse, counts } = rig(contact);
  pulse.start();
  await clock.advance(100);
  contact.closed = true;
  await clock.advance(500);
  may.isProven = false;
  contact.closed = false;
  await clock.advance(60);
  contact.closed = true;
  assert.ok(pulse.whyOff);
  assert.is(counts().forgotten, 1);
  pulse.stop();
});

test('an output that cannot be written is reported once and tried again', async () => {
  const { clock, logged, may, pulse } = rig();
  may.breaks = true;
  pulse.start();
  await clock.advance(20_000);
  assert.equal(logged, ['the pulse output cannot be used: EIO']);
  may.breaks = false;
  await clock.advance(6000);
  assert.is(pulse.whyOff, undefined);
  pulse.stop();
});

test.run();
