import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { failure } from '../failure.ts';
import { MOVE, opened, ticInMemory } from './in-memory.ts';

const test = suite('tic driver: silent, gone, back');

test('DEV-043 an answer that never comes: nothing is left behind, the handle is opened anew and made safe', async () => {
  const { twin, tic, clock, step, pipe, events, isSafe } = await opened();
  twin.faultOnce({ silent: true });
  const beganMs = clock.monotonic();
  const error = await step(failure(tic.status()));
  assert.is(error.code, 'device_timeout');
  assert.ok(clock.monotonic() - beganMs <= 1610);
  assert.is(pipe.owed, 0);
  events.length = 0;
  await clock.advance(250);
  assert.equal([tic.state, pipe.opens], ['open', 2]);
  const packets = events.flatMap((event) => (event.kind === 'in' ? [event.bytes[1]] : []));
  assert.equal(packets, [0x89, 0x86, 0x8f, 0xa1, 0xa8]);
  assert.ok(isSafe());
  await step(tic.status());
  await step(tic.close());
  assert.is(clock.pending, 0);
});

test('DEV-043 a late answer is not taken for the next one', async () => {
  const { twin, tic, step } = await opened();
  twin.faultOnce({ late_ms: 1700 });
  const lost = failure(tic.status());
  assert.is((await step(lost)).code, 'device_timeout');
  twin.knobs.patch({ vin_mv: 11_000 });
  assert.is((await step(tic.status())).vinMv, 11_000);
});

test('DEV-043 a time-out during motion ends it, makes safe by the re-opening, and the motion is not repeated', async () => {
  const { twin, tic, clock, step, sent, isSafe } = await opened();
  const motion = await step(tic.move(MOVE));
  await clock.advance(300);
  twin.faultOnce({ silent: true });
  const end = await step(motion.released);
  assert.is(end.reason, 'failed');
  assert.ok(isSafe());
  await clock.advance(20_000);
  assert.is(sent(0xe0), 1);
});

test('a start that is answered too late is not confirmed', async () => {
  const { twin, tic, step, isSafe, sent } = await opened();
  // Status, 85, 83, E6 and EA in time, then E0 late.
  twin.faultOnce({}, {}, {}, {}, {}, { late_ms: 1200 });
  const error = await step(failure(tic.move(MOVE)));
  assert.ok(['device_timeout', 'lung_start_failed'].includes(error.code), error.code);
  assert.ok(isSafe());
  assert.is(sent(0xe0), 1);
});

test('an odd, short or refused block is read again; three of them are an error and no reading', async () => {
  const { twin, tic, step } = await opened();
  for (const fault of [
    { corrupt: 'zeros' },
    { corrupt: 'ones' },
    { corrupt: 'noise' },
    { short: 40 },
    { stall: true },
  ] as const) {
    twin.faultOnce(fault, fault);
    assert.is((await step(tic.status())).vinMv, 24_000);
    twin.faultOnce(fault, fault, fault);
    const { code } = await step(failure(tic.status()));
    assert.is(code, 'stall' in fault ? 'device_error' : 'corrupt_response');
  }
});

test('DEV-042 unplugged: absent, an error at once, and back within 5 s of the return, made safe, without a restart', async () => {
  const { twin, tic, clock, step, isSafe, sent } = await opened();
  const motion = await step(tic.move({ ...MOVE, steps: 100_000 }));
  await clock.advance(400);
  twin.knobs.patch({ unplug: true });
  assert.is(tic.state, 'absent');
  const end = await step(motion.released);
  assert.equal([end.reason, end.error?.code], ['failed', 'device_unavailable']);
  assert.is((await step(failure(tic.status()))).code, 'device_unavailable');
  const stop = await step(failure(tic.stop()));
  assert.is(stop.code, 'device_unavailable');
  await clock.advance(60_000);
  assert.is(twin.motion.velocity, 0);
  for (let round = 0; round < 5; round += 1) {
    twin.knobs.patch({ unplug: false });
    const plugMs = clock.monotonic();
    while (tic.state !== 'open') await clock.advance(10);
    assert.ok(clock.monotonic() - plugMs <= 5000);
    assert.ok(isSafe());
    await step(tic.status());
    twin.knobs.patch({ unplug: true });
    await clock.advance(1000 * (round + 7));
  }
  assert.is(sent(0xe0), 1);
  await tic.close().catch(() => {});
  assert.is(clock.pending, 0);
});

test('DEV-042 a stop right after the return does not wait for the back-off', async () => {
  const { twin, tic, clock, step, isSafe } = await opened();
  twin.knobs.patch({ unplug: true });
  await clock.advance(30_000);
  twin.knobs.patch({ unplug: false });
  const beganMs = clock.monotonic();
  await step(tic.stop());
  assert.ok(clock.monotonic() - beganMs < 100);
  assert.ok(isSafe());
});

test('another Tic in its place after a re-plug is not driven', async () => {
  const { twin, tic, clock, step, events } = await opened();
  twin.knobs.patch({ unplug: true });
  twin.knobs.patch({ product_id: 0x00b3, unplug: false });
  events.length = 0;
  await clock.advance(10_000);
  assert.is((await step(failure(tic.move(MOVE)))).code, 'wrong_device');
  assert.equal(events, []);
});

test('a device that is absent at the start is an error, and nothing goes on in the background', async () => {
  const { twin, tic, clock, step } = ticInMemory();
  twin.knobs.patch({ unplug: true });
  const error = await step(failure(tic.open()));
  assert.equal([error.code, error.reason], ['device_unavailable', 'port_absent']);
  assert.equal([tic.state, clock.pending], ['closed', 0]);
  twin.knobs.patch({ unplug: false });
  await step(tic.open());
});

test('a stop that failed is not the end of it: the handle is opened anew until the motor is safe', async () => {
  const { twin, tic, clock, step, isSafe } = await opened();
  await step(tic.velocity({ speed: 5_000_000, direction: 'forward' }));
  twin.faultEach(() => ({ stall: true }));
  assert.is((await step(failure(tic.stop()))).code, 'device_error');
  await clock.advance(3000);
  assert.is((await step(failure(tic.status()))).code, 'device_error');
  assert.is(twin.motion.energized, true);
  twin.faultEach(undefined);
  await clock.advance(5000);
  assert.ok(isSafe());
  await step(tic.status());
});

test('a transfer that was given up and fails later does not close the handle of today', async () => {
  const { twin, tic, clock, step, pipe } = await opened();
  let failLate = (_cause: Error) => {};
  const { controlIn } = pipe;
  pipe.controlIn = () =>
    new Promise((_, reject) => {
      failLate = reject;
    });
  assert.is((await step(failure(tic.status()))).code, 'device_timeout');
  pipe.controlIn = controlIn;
  await clock.advance(1000);
  failLate(new Error('LIBUSB_TRANSFER_CANCELLED'));
  await clock.advance(0);
  assert.equal([tic.state, pipe.opens], ['open', 2]);
  await step(tic.status());
  void twin;
});

test('close makes safe first; a motor that was not proven safe is reported', async () => {
  const { twin, tic, step, clock, isSafe } = await opened();
  const motion = await step(tic.velocity({ speed: 5_000_000, direction: 'forward' }));
  await step(tic.close());
  assert.ok(isSafe());
  assert.is((await motion.released).reason, 'stopped');
  assert.is((await step(failure(tic.status()))).code, 'device_unavailable');
  assert.is(clock.pending, 0);
  const other = await opened();
  other.twin.faultEach(() => ({ stall: true }));
  assert.is((await other.step(failure(other.tic.close()))).code, 'device_error');
  assert.is(other.clock.pending, 0);
  void twin;
});

test('DEV-026 none of all this wrote a setting', async () => {
  const { tic, step, events } = await opened();
  const motion = await step(tic.move(MOVE));
  await step(motion.ended);
  await step(tic.close());
  const codes = events.flatMap((event) => (event.kind === 'in' ? [event.bytes[1] ?? 0] : []));
  assert.not.ok(codes.some((code) => [0x13, 0x10, 0xff].includes(code)));
});

test.run();
