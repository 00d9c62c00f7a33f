import * as assert from 'uvu/assert';
import { ticInMemory } from '../../devices/tic/in-memory.ts';
import { MetricRegistry } from '../../lib/http/metrics.ts';
import type { Logger } from '../../lib/log/logger.ts';
import type { LungMotion } from '../../rig/hardware/ports.ts';
import { TicLung } from '../../rig/hardware/real/tic-lung.ts';
import { LungRecord } from '../../rig/hardware/real/tic-lung-record.ts';
import { DEFAULT_LUNG_SETTINGS } from '../../rig/hardware/real/tic-lung-settings.ts';
import type { RigError } from '../../rig/hardware/rig-error.ts';
import { suite } from '../../test-kit/suite.ts';
import { HeldLung } from './held-lung.ts';
import { simulatedLung } from './mock-lung.ts';
import type { OwnedLung } from './owned-lung.ts';

const test = suite('lung under its hold');

/** About 3.7 s. */
const SHORT: LungMotion = { steps: 500, speed: 10_000_000, cycles: 1, pauseS: 0 };
const LONG: LungMotion = { ...SHORT, steps: 1_000_000 };

/** The rules on a Tic in memory, on a clock that is stepped. */
async function opened() {
  const rig = ticInMemory();
  const { clock, twin, tic, step } = rig;
  await step(tic.open());
  const record = new LungRecord();
  const lines: string[] = [];
  const log = (line: string) => lines.push(line);
  const logger: Logger = { debug: log, info: log, warn: log, error: log };
  const lung = new TicLung(tic, { clock, record, onLost: () => held.hold.stopInBackground('lost') });
  const owned: OwnedLung = {
    ...simulatedLung(clock, DEFAULT_LUNG_SETTINGS),
    port: {
      origin: { mock: false, bench: true },
      start: (motion, signal) => lung.start(motion, signal),
      stop: (signal) => lung.stop(signal),
      disable: (signal) => lung.disable(signal),
      read: (signal) => lung.read(signal),
    },
    get isUnderWay() {
      return lung.isUnderWay;
    },
    get mayHaveCurrent() {
      return record.mayHaveCurrent;
    },
    plannedMs: (motion) => lung.plannedMs(motion),
    energize: (signal) => lung.energize(signal),
    home: (direction, signal) => lung.home(direction, signal),
  };
  const held = new HeldLung(owned, { clock, logger, metrics: new MetricRegistry() });
  const { signal } = new AbortController();
  const codeOf = (promise: Promise<unknown>) =>
    step(
      promise.then(
        () => 'done',
        (error: RigError) => error.code,
      ),
    );
  const start = (motion: LungMotion, holdS?: number) => codeOf(held.start(motion, holdS, signal));
  const isSafe = () => !twin.motion.energized && twin.motion.velocity === 0;
  return { ...rig, held, start, codeOf, isSafe, lines, signal };
}

test('SVC-028 a motion ends with its hold, and one that is renewed goes on', async () => {
  const { start, held, clock, isSafe, twin, step } = await opened();
  assert.is(await start(LONG, 5), 'done');
  await clock.advance(4500);
  assert.ok((held.hold.remainingS ?? 0) > 0);
  assert.is((await step(held.renew(5))).moving, true);
  await clock.advance(4500);
  assert.ok(twin.motion.velocity > 0);
  await clock.advance(1000);
  assert.ok(isSafe());
  assert.is(held.hold.remainingS, null);
});

test('SVC-028 a hold that ends while the Tic is unplugged: stopped when it is back, and proven; no start before', async () => {
  const { start, held, codeOf, clock, isSafe, twin, lines } = await opened();
  await start(LONG, 2);
  twin.knobs.patch({ unplug: true });
  await clock.advance(20_000);
  assert.ok(held.hold.pending !== undefined);
  assert.is(await start(LONG), 'device_unavailable', 'what is in the way of the stop');
  assert.is(await codeOf(held.renew(100)), 'device_unavailable');
  assert.is(held.hold.remainingS, null, 'a hold that is over is not brought back');
  twin.knobs.patch({ unplug: false });
  await clock.advance(10_000);
  assert.ok(isSafe());
  assert.is(held.hold.pending, undefined);
  assert.match(lines.at(-1) ?? '', /^stopped \(.*\): halted and de-energized$/);
  assert.is(await start(SHORT), 'done');
});

test('what is left of the hold of a motion that ended does not end the one that is being started', async () => {
  const { start, held, clock, twin } = await opened();
  await start(SHORT, 30);
  await clock.advance(1000 * (held.hold.remainingS ?? 0) - 1);
  twin.faultEach(() => ({ late_ms: 2 }));
  assert.is(await start(LONG, 60), 'done');
  await clock.advance(10_000);
  assert.ok(twin.motion.velocity > 0);
});

test('SVC-031 a refused second start leaves the motion and its hold as they were', async () => {
  const { start, held, clock, twin } = await opened();
  const [first, second] = await Promise.all([start(LONG, 20), start(LONG, 1)]);
  assert.equal([first, second].sort(), ['done', 'lung_moving']);
  const remainingS = held.hold.remainingS ?? 0;
  assert.ok(remainingS > 15);
  assert.is(await start(LONG, 1), 'lung_moving');
  await clock.advance(5000);
  assert.ok(twin.motion.velocity > 0);
  await clock.advance(20_000);
  assert.is(twin.motion.velocity, 0);
});

test('a start that fails on a motor that was energized leaves it without current', async () => {
  const { start, held, codeOf, clock, twin, isSafe, signal } = await opened();
  assert.is(await codeOf(held.energize(100, signal)), 'done');
  twin.knobs.patch({ forward_limit: true, reverse_limit: true });
  assert.is(await start(LONG), 'lung_limits_blocked');
  await clock.advance(1000);
  assert.ok(isSafe());
  assert.is(await codeOf(held.energize(100, signal)), 'done', 'switches do not forbid current');
  await clock.advance(101_000);
  assert.ok(isSafe());
});

test('a start that is refused before the Tic is asked leaves no current without a hold', async () => {
  const { start, held, tic, codeOf, clock, twin, isSafe, signal } = await opened();
  assert.is(await codeOf(held.energize(100, signal)), 'done');
  for (let caller = 0; caller < 17; caller += 1) void tic.status().catch(() => {});
  assert.is(await start(LONG), 'device_busy');
  assert.is(twin.motion.energized, false);
  await clock.advance(1000);
  assert.ok(isSafe());
});

test('the hold of a start without one is its plan and 10 s; a plan beyond a day must name it', async () => {
  const { start, held, events } = await opened();
  const strokeS = 2 * Math.sqrt(500 / 400);
  assert.is(await start(SHORT), 'done');
  assert.ok(Math.abs((held.hold.remainingS ?? 0) - (2 * strokeS + 10)) < 0.5);
  await held.stop('test');
  events.length = 0;
  assert.is(await start({ ...LONG, speed: 100 }), 'invalid_parameter');
  assert.equal(events, []);
  assert.is(await start({ ...SHORT, speed: 100_000, cycles: 10_000 }, 86_400), 'done');
});

test('whenever a stop comes while it is being energized, it is not: no current, no hold, and the caller is informed', async () => {
  const answers = new Set<string>();
  for (let stopAtMs = 0; stopAtMs < 40; stopAtMs += 1) {
    const { held, codeOf, clock, twin, step, isSafe, signal } = await opened();
    twin.faultEach(() => ({ late_ms: 2 }));
    let isAnswered = false;
    const order = held.energize(100, signal).finally(() => {
      isAnswered = true;
    });
    order.catch(() => {});
    await clock.advance(stopAtMs);
    const wasAnswered = isAnswered;
    const stopped = held.stop('test');
    const answer = await codeOf(order);
    await step(stopped);
    assert.is(answer, wasAnswered ? 'done' : 'superseded', `stopped after ${stopAtMs} ms`);
    assert.equal([isSafe(), held.hold.remainingS], [true, null]);
    answers.add(answer);
  }
  assert.equal([...answers].sort(), ['done', 'superseded']);
});

test('what has come to its end already needs no hold', async () => {
  const { clock } = ticInMemory();
  const silent: Logger = { debug() {}, info() {}, warn() {}, error() {} };
  const lung = simulatedLung(clock, DEFAULT_LUNG_SETTINGS);
  const held = new HeldLung(lung, { clock, logger: silent, metrics: new MetricRegistry() });
  const { moving } = await held.home('reverse', 100, new AbortController().signal);
  assert.equal([moving, held.hold.remainingS], [false, null]);
});

test('SVC-040 the end: stopped, proven, and nothing is begun any more', async () => {
  const { start, held, clock, step, isSafe } = await opened();
  await start(LONG);
  const ended = held.shutDown('SIGTERM');
  assert.is(await start(SHORT), 'safe_state_in_progress');
  assert.is(await step(ended), true);
  assert.ok(isSafe());
  await clock.advance(60_000);
  assert.ok(isSafe());
});

test('SVC-040 the end of a lung that cannot be reached is safe only when it had no current', async () => {
  for (const moved of [true, false]) {
    const { start, held, clock, step, twin } = await opened();
    if (moved) await start(LONG);
    twin.knobs.patch({ unplug: true });
    await clock.advance(100);
    const beganMs = clock.monotonic();
    assert.is(await step(held.shutDown('SIGTERM')), !moved);
    assert.ok(clock.monotonic() - beganMs <= 5000);
  }
});

test.run();
