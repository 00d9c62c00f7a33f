import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import type { JobOptions } from '../../lib/queue/job-queue.ts';
import { suite } from '../../test-kit/suite.ts';
import { hexOf } from '../../transports/hex.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { RtuLine } from './line.ts';

const test = suite('modbus rtu, given up at the last moment');

/** A clock on which something else happens right behind a timer, before the one that waited for it goes on. */
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

test('DEV-044 a write that is given up as its echo comes owes nothing: the safe-state job does not wait for it', async () => {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ baud: 19_200 });
  const sent: { atMs: number; frame: string }[] = [];
  pipe.onWritten((bytes) => {
    sent.push({ atMs: clock.monotonic(), frame: hexOf(bytes) });
    clock.after(5, () => pipe.send(bytes));
  });
  const opening = new AbortController();
  const line = new RtuLine({
    transport: pipe,
    baud: 19_200,
    clock,
    // Behind the receiver, and before the one that waits for the answer goes on.
    trace: ({ kind }) => {
      if (kind === 'received') queueMicrotask(() => opening.abort());
    },
  });
  await line.open();
  const write = (on: boolean, options: JobOptions) =>
    line.run((session) => session.write({ function: 0x05, unit: 1, address: 0, on }), options);
  const opened = write(true, { signal: opening.signal, actuates: true });
  await stepUntil(clock, opened);
  const askedAtMs = clock.monotonic();
  await stepUntil(clock, write(false, { priority: 'safe' }));
  assert.is(sent.length, 2);
  const waitedMs = (sent[1]?.atMs ?? Number.NaN) - askedAtMs;
  assert.ok(waitedMs < 3, `sent ${waitedMs} ms after it was asked for`);
  assert.is(line.statistics.abandoned, 0);
  await line.close();
});

/** A line whose device sends its reply in two parts, the first 10 ms after the question. */
async function givenUp({ afterMs, isCompleted }: { afterMs: number; isCompleted: boolean }) {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ baud: 19_200 });
  const parts = [Uint8Array.of(1, 1, 1, 0), Uint8Array.of(0x51, 0x88)];
  let isAnswered = true;
  pipe.onWritten(() => {
    clock.after(10, () => pipe.send(parts[0] as Uint8Array));
    if (isAnswered) clock.after(15, () => pipe.send(parts[1] as Uint8Array));
  });
  const line = new RtuLine({ transport: pipe, baud: 19_200, clock });
  await line.open();
  const request = { function: 0x01, unit: 1, address: 0, count: 8 } as const;
  const ask = (options: JobOptions = {}) => line.run((session) => session.read(request), options);
  // Two good replies: what a process before this one may be owed does not count any more.
  await stepUntil(clock, ask());
  await clock.advance(20_000);
  await stepUntil(clock, ask());
  isAnswered = isCompleted;
  const giveUp = new AbortController();
  const asked = ask({ signal: giveUp.signal }).catch(() => {});
  await clock.advance(2 + afterMs);
  giveUp.abort();
  await stepUntil(clock, asked);
  await clock.advance(200);
  isAnswered = true;
  await stepUntil(clock, ask());
  const strays = await line.run(async (session) => session.strayReplies(request));
  await line.close();
  return strays;
}

test('DEV-049 a reply that comes in parts behind its given-up question is no fault: the next reading counts at once', async () => {
  for (const afterMs of [6, 12]) assert.is(await givenUp({ afterMs, isCompleted: true }), 0);
});

test('DEV-049 a reply whose second part never comes is a fault: it may come, and a copy of it', async () => {
  for (const afterMs of [6, 12]) assert.is(await givenUp({ afterMs, isCompleted: false }), 2);
});

test.run();
