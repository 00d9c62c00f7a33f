import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { CodedError } from '../../lib/errors/coded-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { KeptReadings } from './kept-readings.ts';
import { isoTime, type Outcome, type UartReading } from './reading.ts';

const test = suite('what is kept of the readings of a device');

const FAILED = { ok: false as const, error: new CodedError('device_timeout', 'silent') };

/** A reading with the members that matter here. */
const observed = (wall: number, volts = 1): Outcome<UartReading> => ({
  ok: true,
  reading: { volts, observed_at: isoTime(wall) } as UartReading,
});

function atDevice() {
  const clock = new SteppedClock();
  const device = { isOpen: true };
  const kept = new KeptReadings<1 | 2, UartReading>(clock, () => device.isOpen);
  const good = (channels: (1 | 2)[]) =>
    kept.taking(channels, async () => channels.map(() => observed(clock.now())));
  return { clock, device, kept, good };
}

test('it is given up to its greatest age and not later', async () => {
  const { clock, kept, good } = atDevice();
  const [taken] = await good([1]);
  assert.is(kept.fresh([1], 0), undefined, 'with 0 nothing is');
  await clock.advance(100);
  assert.is(kept.fresh([1], 100)?.[0], taken);
  assert.is(kept.fresh([1], 99), undefined);
  await clock.advance(1);
  assert.is(kept.fresh([1], 100), undefined);
});

test('all channels that are asked for are fresh, or none is given', async () => {
  const { clock, kept, good } = atDevice();
  await good([1]);
  assert.is(kept.fresh([1, 2], 100), undefined);
  await clock.advance(80);
  await good([2]);
  assert.is(kept.fresh([2, 1], 80)?.length, 2);
  assert.is(kept.fresh([2, 1], 79), undefined);
});

test('the age counts from the observation, not from the end of the work', async () => {
  const { clock, kept } = atDevice();
  const slow = kept.taking([1], async () => {
    await clock.sleep(50);
    const outcome = observed(clock.now());
    await clock.sleep(30);
    return [outcome];
  });
  await clock.advance(80);
  await slow;
  assert.is(kept.fresh([1], 29), undefined);
  // One more for the whole milliseconds of wall clocks.
  assert.ok(kept.fresh([1], 31));
});

test('a wall clock that is set while a sample is taken makes it older, never younger', async () => {
  for (const jumpMs of [-3_600_000, 3_600_000]) {
    for (const when of ['before', 'after'] as const) {
      const stepped = new SteppedClock();
      let offset = 0;
      const clock = {
        now: () => stepped.now() + offset,
        monotonic: () => stepped.monotonic(),
        sleep: (ms: number, signal?: AbortSignal) => stepped.sleep(ms, signal),
        after: (ms: number, action: () => void) => stepped.after(ms, action),
      };
      const kept = new KeptReadings<1, UartReading>(clock, () => true);
      const taking = kept.taking([1], async () => {
        await clock.sleep(40);
        if (when === 'before') offset = jumpMs;
        const outcome = observed(clock.now());
        if (when === 'after') offset = jumpMs;
        await clock.sleep(10);
        return [outcome];
      });
      await stepped.advance(50);
      await taking;
      assert.is(kept.fresh([1], 9), undefined, `${jumpMs} ${when}: its true age is 10 ms`);
      assert.ok(kept.fresh([1], 50), `${jumpMs} ${when}: it is no older than its request`);
    }
  }
});

test('after a failure of any channel, or of all, nothing is left', async () => {
  const { kept, good } = atDevice();
  await good([1, 2]);
  await kept.taking([2], async () => [FAILED]);
  assert.is(kept.fresh([1], 1000), undefined);
  await good([1]);
  await kept.taking([1, 2], async () => [observed(0), FAILED]);
  assert.is(kept.fresh([1], 1000), undefined, 'also what came before it in the same work');
  await good([1]);
  for (const work of [kept.taking.bind(kept, [1]), kept.emptyOnFailure.bind(kept)]) {
    const thrown = await work(() => Promise.reject(FAILED.error)).catch((error: unknown) => error);
    assert.is(thrown, FAILED.error);
    assert.is(kept.fresh([1], 1000), undefined);
  }
});

test('a sample under way when it is emptied is not kept', async () => {
  const { clock, kept } = atDevice();
  const taking = kept.taking([1], async () => {
    const outcome = observed(clock.now());
    await clock.sleep(10);
    return [outcome];
  });
  kept.empty();
  await clock.advance(10);
  const [outcome] = await taking;
  assert.ok(outcome?.ok, 'who asked gets it');
  assert.is(kept.fresh([1], 1000), undefined);
});

test('while the device is not open, and after the end, nothing is given', async () => {
  const { device, kept, good } = atDevice();
  await good([1]);
  device.isOpen = false;
  assert.is(kept.fresh([1], 1000), undefined);
  device.isOpen = true;
  assert.ok(kept.fresh([1], 1000));
  kept.close();
  assert.is(kept.fresh([1], 1000), undefined);
  await good([1]);
  assert.is(kept.fresh([1], 1000), undefined);
});

test.run();
