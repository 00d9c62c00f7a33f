import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import type { DeviceError } from '../device-error.ts';
import { failure } from '../failure.ts';
import { MOVE, opened, ticInMemory } from './in-memory.ts';

const test = suite('tic driver against twin');

test('open finds the motor holding and leaves it without current', async () => {
  const { twin, tic, isSafe } = await opened();
  assert.ok(isSafe());
  assert.is(tic.report?.firmware, '1.06');
  assert.is(twin.motion.position, 0);
});

test('a move arrives, to the microstep, is kept alive longer than the command timeout, and lets go', async () => {
  const { twin, tic, step, isSafe, clock } = await opened();
  const motion = await step(tic.move(MOVE));
  assert.ok(twin.motion.velocity > 0);
  assert.is(tic.isBusy, true);
  const end = await step(motion.released);
  assert.equal([end.reason, end.position, twin.motion.position], ['arrived', 5000, 5000]);
  assert.ok(isSafe());
  assert.is((await step(tic.status())).lastMotionError, null);
  await step(tic.close());
  assert.is(clock.pending, 0);
});

test('DEV-022 during motion 8C is heard at least every 500 ms', async () => {
  const { tic, step, clock, events } = await opened();
  let lastMs = 0;
  let longestMs = 0;
  const motion = await step(tic.move({ ...MOVE, steps: 20_000 }));
  lastMs = clock.monotonic();
  events.length = 0;
  let ended = false;
  void motion.ended.then(() => {
    ended = true;
  });
  while (!ended) {
    await clock.advance(1);
    if (events.some((event) => event.kind === 'in' && event.bytes[1] === 0x8c)) lastMs = clock.monotonic();
    events.length = 0;
    longestMs = Math.max(longestMs, clock.monotonic() - lastMs);
  }
  assert.ok(longestMs <= 500, `${longestMs}`);
});

test('DEV-022 busy callers do not starve the keep-alive', async () => {
  const { twin, tic, step, clock } = await opened();
  // Each transfer takes 5 ms, so that the queue is always full when the keep-alive wants its turn.
  twin.faultEach(() => ({ late_ms: 5 }));
  const motion = await step(tic.move({ ...MOVE, steps: 500 }));
  let refused = 0;
  let ended = false;
  void motion.ended.then(() => {
    ended = true;
  });
  while (!ended) {
    for (let caller = 0; caller < 17; caller += 1)
      void tic.status().catch((error: DeviceError) => {
        assert.is(error.code, 'device_busy');
        refused += 1;
      });
    await clock.advance(2);
  }
  assert.is((await motion.ended).reason, 'arrived');
  assert.ok(refused > 100);
});

test('a driver that dies: the device stops by itself within its command timeout', async () => {
  const { twin, tic, step, clock, pipe, events } = await opened();
  await step(tic.velocity({ speed: 2_000_000, direction: 'forward' }));
  await clock.advance(3000);
  assert.ok(twin.motion.velocity > 0);
  // Nothing more is sent, as after a SIGKILL: the packets go nowhere and come from nowhere.
  pipe.controlOut = () => new Promise(() => {});
  pipe.controlIn = () => new Promise(() => {});
  pipe.open = () => new Promise(() => {});
  events.length = 0;
  const silentMs = clock.monotonic();
  while (twin.motion.velocity !== 0) await clock.advance(1);
  // Up to 1000 ms of command timeout and 500 ms of slowing down at 400 step/s2.
  assert.ok(clock.monotonic() - silentMs <= 1500, `${clock.monotonic() - silentMs} ms`);
  const motion = events.find((event) => event.kind === 'motion');
  assert.ok(motion?.kind === 'motion' && motion.velocity === 0);
});

test('DEV-025 DEV-045 no_motion: the start fails within its time, everything is de-energized, E0 was sent once', async () => {
  const { twin, tic, step, clock, sent, isSafe } = await opened();
  twin.knobs.patch({ no_motion: true });
  const beganMs = clock.monotonic();
  const error = await step(failure(tic.move(MOVE)));
  assert.is(error.code, 'lung_start_failed');
  assert.ok(clock.monotonic() - beganMs < 700);
  assert.ok(isSafe());
  twin.knobs.patch({ no_motion: false });
  await clock.advance(30_000);
  assert.equal([sent(0xe0), twin.motion.position], [1, 0]);
  const status = await step(tic.status());
  assert.is(status.lastMotionError?.code, 'lung_start_failed');
});

test('DEV-045 kill_switch: a start under it fails and says so', async () => {
  const { twin, tic, step, isSafe } = await opened();
  twin.knobs.patch({ kill_switch: true });
  const error = await step(failure(tic.move(MOVE)));
  assert.is(error.code, 'lung_start_failed');
  assert.match(error.message, /kill_switch/);
  assert.ok(isSafe());
});

const duringMotion: [string, Record<string, unknown>, string, RegExp][] = [
  ['vin_mv 5000', { vin_mv: 5000 }, 'lung_low_vin', /^Motor supply voltage is too low$/],
  ['vin_mv 9999', { vin_mv: 9999 }, 'lung_low_vin', /^Motor supply voltage is too low$/],
  ['driver_error', { driver_error: 'over_temperature' }, 'device_error', /over-temperature/],
  ['kill_switch', { kill_switch: true }, 'device_error', /kill_switch/],
  ['command_timeout_ms 50', { command_timeout_ms: 50 }, 'device_error', /command_timeout/],
];
for (const [name, patch, code, says] of duringMotion) {
  test(`DEV-045 ${name} during motion ends it with the reason and de-energizes`, async () => {
    const { twin, tic, step, clock, sent, isSafe } = await opened();
    const motion = await step(tic.move(MOVE));
    await clock.advance(500);
    twin.knobs.patch(patch);
    const end = await step(motion.released);
    assert.equal([end.reason, end.error?.code], ['failed', code]);
    assert.match(end.error?.message ?? '', says);
    assert.ok(isSafe());
    twin.knobs.reset();
    await clock.advance(5000);
    assert.ok(isSafe());
    assert.is(sent(0xe0), 1);
    assert.is((await step(tic.status())).lastMotionError?.code, code);
    assert.is((await step((await step(tic.move(MOVE))).ended)).reason, 'arrived');
  });
}

test('a kill switch that was down for 30 ms only ends the motion too', async () => {
  for (const safeStart of [true, false]) {
    const { twin, tic, clock, step, isSafe } = await opened();
    twin.knobs.patch({ safe_start: safeStart });
    const motion = await step(tic.move(MOVE));
    await clock.advance(510);
    twin.knobs.patch({ kill_switch: true });
    await clock.advance(30);
    twin.knobs.patch({ kill_switch: false });
    const end = await step(motion.released);
    assert.match(end.error?.message ?? '', /kill_switch/);
    assert.ok(isSafe());
  }
});

test('a motor that stalls on the way ends the motion', async () => {
  const { twin, tic, clock, step, isSafe } = await opened();
  const motion = await step(tic.move(MOVE));
  await clock.advance(800);
  twin.knobs.patch({ no_motion: true });
  const end = await step(motion.released);
  assert.is(end.error?.reason, 'stalled');
  assert.ok(isSafe());
});

test('a controller that restarts on the way ends the motion', async () => {
  const { twin, tic, clock, step, isSafe } = await opened();
  const motion = await step(tic.move(MOVE));
  await clock.advance(800);
  twin.reset();
  const end = await step(motion.released);
  assert.is(end.error?.reason, 'restarted');
  assert.ok(isSafe());
});

test('another program that sends the motor elsewhere is found out', async () => {
  const { twin, tic, clock, step, isSafe } = await opened();
  const motion = await step(tic.move(MOVE));
  await clock.advance(500);
  twin.control({ requestType: 0x40, request: 0xe0, value: 9, index: 0, length: 0 });
  const end = await step(motion.released);
  assert.is(end.error?.reason, 'stray');
  assert.ok(isSafe());
});

test('DEV-045 forward_limit during motion ends it at the switch; then only reverse is allowed', async () => {
  const { twin, tic, step, isSafe } = await opened();
  twin.knobs.patch({ forward_limit_at: 1234 });
  const motion = await step(tic.move(MOVE));
  const end = await step(motion.released);
  assert.equal([end.reason, end.limit, end.position, twin.motion.position], ['limit', 'forward', 1234, 1234]);
  assert.ok(isSafe());
  assert.is((await step(failure(tic.move(MOVE)))).code, 'lung_limits_blocked');
  const back = await step(tic.move({ ...MOVE, direction: 'reverse', steps: 1000 }));
  assert.is((await step(back.ended)).reason, 'arrived');
});

test('DEV-045 reverse_limit blocks reverse, both block everything', async () => {
  const { twin, tic, step, sent } = await opened();
  twin.knobs.patch({ reverse_limit: true });
  const error = await step(failure(tic.move({ ...MOVE, direction: 'reverse' })));
  assert.is(error.code, 'lung_limits_blocked');
  twin.knobs.patch({ forward_limit: true });
  const both = await step(failure(tic.move(MOVE)));
  assert.is(both.message, 'Both limit switches are active; movement is blocked');
  assert.is((await step(failure(tic.home({ direction: 'reverse' })))).message, both.message);
  assert.is(sent(0x85), 0);
});

test("DEV-045 vin_mv under the rig's own minimum blocks, whatever the chip says", async () => {
  const { twin, tic, step } = await opened({ driver: { minVinV: 20 } });
  twin.knobs.patch({ vin_mv: 19_999 });
  assert.is((await step(failure(tic.move(MOVE)))).code, 'lung_low_vin');
  assert.is((await step(tic.status())).lowVin, true);
  twin.knobs.patch({ vin_mv: 20_000 });
  await step(tic.move(MOVE));
});

test('DEV-045 firmware 1.05 is reported, and homing is refused', async () => {
  const rig = ticInMemory();
  rig.twin.knobs.patch({ firmware: '1.05' });
  const report = await rig.step(rig.tic.open());
  assert.is(report.firmware, '1.05');
  assert.is(report.differences[0]?.setting, 'firmware');
  const error = await rig.step(failure(rig.tic.home({ direction: 'reverse' })));
  assert.equal([error.code, error.reason], ['device_error', 'firmware']);
});

test('homing ends at the switch, with the place called 0', async () => {
  const { twin, tic, step, isSafe } = await opened();
  twin.knobs.patch({ reverse_limit_at: -300 });
  const motion = await step(tic.home({ direction: 'reverse', hold: true }));
  const end = await step(motion.ended);
  assert.equal([end.reason, end.position], ['arrived', 0]);
  assert.is((await step(tic.status())).positionUncertain, false);
  await step(tic.stop());
  assert.ok(isSafe());
});

test('homing may begin at its switch, which it leaves', async () => {
  const { twin, tic, step } = await opened();
  twin.knobs.patch({ reverse_limit_at: 20 });
  const motion = await step(tic.home({ direction: 'reverse' }));
  assert.is((await step(motion.released)).reason, 'arrived');
  assert.is(twin.motion.position, 21);
});

test('DEV-026 homing without a switch ends after its time limit', async () => {
  const { tic, step, clock, isSafe } = await opened({ driver: { homingLimitMs: 3000 } });
  const motion = await step(tic.home({ direction: 'forward' }));
  const beganMs = clock.monotonic();
  const end = await step(motion.released);
  assert.equal([end.reason, end.error?.reason], ['failed', 'homing_limit']);
  assert.ok(clock.monotonic() - beganMs < 3300);
  assert.ok(isSafe());
});

test('energize holds for longer than the command timeout, and a stop lets go', async () => {
  const { twin, tic, step, clock, isSafe } = await opened();
  const motion = await step(tic.energize());
  await clock.advance(10_000);
  assert.equal(twin.motion, { position: 0, velocity: 0, energized: true });
  assert.equal((await step(tic.status())).errors, []);
  await step(tic.stop());
  assert.is((await motion.released).reason, 'stopped');
  assert.ok(isSafe());
});

test('limit switches keep nobody from holding', async () => {
  const { twin, tic, step } = await opened();
  twin.knobs.patch({ reverse_limit: true, forward_limit: true });
  await step(tic.energize());
  assert.ok(twin.motion.energized);
});

test('after energize a motion may follow', async () => {
  const { tic, step, isSafe } = await opened();
  const held = await step(tic.energize());
  const motion = await step(tic.move(MOVE));
  assert.is((await step(held.released)).reason, 'handed_on');
  assert.is((await step(motion.released)).reason, 'arrived');
  assert.ok(isSafe());
});

test('one motion at a time: a second start is refused and the first goes on', async () => {
  const { twin, tic, step } = await opened();
  const motion = await step(tic.move(MOVE));
  const error = await step(failure(tic.move({ ...MOVE, direction: 'reverse' })));
  assert.equal([error.code, error.reason], ['device_busy', 'moving']);
  assert.is((await step(motion.ended)).reason, 'arrived');
  assert.is(twin.motion.position, 5000);
});

test('DEV-019 callers at the same time each get an answer of their own', async () => {
  const { tic, step, pipe } = await opened();
  let running = 0;
  let most = 0;
  const { controlIn } = pipe;
  pipe.controlIn = async (...request) => {
    running += 1;
    most = Math.max(most, running);
    try {
      await Promise.resolve();
      return await controlIn.apply(pipe, request);
    } finally {
      running -= 1;
    }
  };
  await step(Promise.all(Array.from({ length: 10 }, () => tic.status())));
  assert.is(most, 1);
});

test('DEV-044 a stop goes ahead of all that waits; starts that wait are never made', async () => {
  const { twin, tic, step, clock, sent, isSafe } = await opened();
  const order: string[] = [];
  twin.faultOnce({ late_ms: 300 });
  const slow = tic.status().then(
    () => order.push('slow'),
    (error: DeviceError) => order.push(error.code),
  );
  const reads = [1, 2, 3].map((number) => tic.status().then(() => order.push(`read ${number}`)));
  const start = tic.move(MOVE).catch((error: DeviceError) => order.push(error.code));
  await clock.advance(10);
  const stop = tic.stop().then(() => order.push('stop'));
  await step(Promise.all([slow, ...reads, start, stop]));
  assert.is(order[0], 'superseded');
  assert.equal(order.slice(2), ['stop', 'read 1', 'read 2', 'read 3']);
  assert.ok(isSafe());
  assert.is(sent(0x85), 0);
});

test('DEV-044 a stop in the middle of a start: nothing of the start is sent after it, and nothing confirmed', async () => {
  for (let delayMs = 0; delayMs < 120; delayMs += 3) {
    const { twin, tic, clock, step, events, isSafe } = await opened();
    twin.faultEach(() => ({ late_ms: 9 }));
    let isStarted = false;
    const start = tic.move(MOVE).then(
      () => {
        isStarted = true;
        return 'started';
      },
      (error: DeviceError) => error.code,
    );
    await clock.advance(delayMs);
    const wanted = isStarted ? 'started' : 'superseded';
    events.length = 0;
    await step(tic.stop());
    assert.ok(isSafe(), `after ${delayMs} ms`);
    assert.is(await step(start), wanted, `after ${delayMs} ms`);
    assert.is(tic.isBusy, false);
    await clock.advance(3000);
    assert.ok(isSafe());
    const packets = events.flatMap((event) => (event.kind === 'in' ? [event.bytes[1]] : []));
    assert.equal(packets, [0x89, 0x86, 0x8f, 0xa1], `after ${delayMs} ms`);
  }
});

test('a motor that is held at a switch does not go on when the switch opens', async () => {
  const { twin, tic, clock, step } = await opened();
  const motion = await step(tic.move({ ...MOVE, hold: true }));
  await clock.advance(300);
  twin.knobs.patch({ forward_limit: true });
  assert.is((await step(motion.ended)).reason, 'limit');
  const { position } = twin.motion;
  twin.knobs.patch({ forward_limit: false });
  await clock.advance(3000);
  assert.equal(twin.motion, { position, velocity: 0, energized: true });
  await step(tic.stop());
});

test('stop may be repeated, also by several at once', async () => {
  const { tic, step, isSafe } = await opened();
  const motion = await step(tic.velocity({ speed: 5_000_000, direction: 'reverse' }));
  const stops = await step(Promise.all([tic.stop(), tic.stop(), tic.stop()]));
  assert.ok(stops.every(({ energized, moving }) => !energized && !moving));
  assert.is((await motion.released).reason, 'stopped');
  await step(tic.stop());
  assert.ok(isSafe());
});

test('a cancelled start leaves nothing energized', async () => {
  const { twin, tic, clock, step, isSafe } = await opened();
  twin.knobs.patch({ no_motion: true });
  const controller = new AbortController();
  const start = failure(tic.move({ ...MOVE, signal: controller.signal }));
  await clock.advance(200);
  assert.ok(twin.motion.energized);
  controller.abort();
  assert.is((await step(start)).code, 'aborted');
  assert.ok(isSafe());
});

test.run();
