import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { SteppedClock } from '../../../lib/clock/stepped-clock.ts';
import { CodedError } from '../../../lib/errors/coded-error.ts';
import { acquireLock } from '../../../lib/lock/lock.ts';
import { suite } from '../../../test-kit/suite.ts';
import { ManagedDevice } from './managed-device.ts';

const test = suite('device slot');
const identity = () => ({
  service: 'svc-test',
  pid: process.pid,
  port: null,
  since: '2025-01-15T10:00:00.000Z',
});
const slots: ManagedDevice<string>[] = [];
let keys = 0;

test.after(async () => {
  await Promise.all(slots.map((slot) => slot.close()));
});

/** A port and a device behind it that are there or not, as the test says. */
function setUp() {
  const clock = new SteppedClock();
  const log: string[] = [];
  const world = { port: true, answers: true, lose: () => {} };
  const key = `test-slot-${process.pid}-${keys++}`;
  const slot = new ManagedDevice<string>({
    device: 'modbus-io',
    lockKeys: () => [key],
    identity,
    clock,
    open: async (onLost) => {
      log.push(`open ${clock.monotonic()}`);
      if (!world.port) throw new CodedError('port_absent', 'no such port');
      world.lose = () => onLost(new CodedError('port_gone', 'unplugged'));
      return {
        driver: 'driver',
        start: async () => {
          log.push(`start ${clock.monotonic()}`);
          if (!world.answers) throw new CodedError('device_timeout', 'no answer');
        },
        probe: async () => {
          log.push(`probe ${clock.monotonic()}`);
        },
        close: async () => {
          log.push('close');
        },
      };
    },
    onReturn: () => log.push('return'),
  });
  slots.push(slot);
  /** Moves time on; lock traffic runs on real sockets. */
  const advance = async (ms: number) => {
    await clock.advance(ms);
    await systemClock.sleep(15);
    await clock.advance(0);
  };
  return { clock, log, slot, key, world, advance };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: CodedError) => error.code,
  );

test('DEV-042 an absent port is tried again with a back-off of 0.2 s doubling to 5 s', async () => {
  const { log, slot, world, advance } = setUp();
  world.port = false;
  await slot.start();
  assert.is(slot.state, 'absent');
  assert.is(await codeOf(slot.use(async () => 'x')), 'device_unavailable');
  for (const ms of [200, 400, 800, 1600, 3200, 5000, 5000]) await advance(ms);
  assert.equal(
    log,
    [0, 200, 600, 1400, 3000, 6200, 11_200, 16_200].map((at) => `open ${at}`),
  );
});

test('DEV-042 a port lost while idle is opened again, the device identified and its return told', async () => {
  const { log, slot, world, advance } = setUp();
  await slot.start();
  world.lose();
  assert.is(slot.state, 'absent');
  await advance(200);
  assert.is(slot.state, 'ready');
  assert.is(await slot.use(async (driver) => driver), 'driver');
  assert.equal(log, ['open 0', 'start 0', 'close', 'open 200', 'start 200', 'return']);
});

test('a port lost in use is closed and opened again', async () => {
  const { log, slot, advance } = setUp();
  await slot.start();
  const unplugged = slot.use(() => Promise.reject(new CodedError('port_gone', 'unplugged')));
  assert.is(await codeOf(unplugged), 'device_unavailable');
  await advance(200);
  assert.equal(log, ['open 0', 'start 0', 'close', 'open 200', 'start 200', 'return']);
});

test('a silent device keeps its port, is asked again with back-off, and its return is reported', async () => {
  const { log, slot, world, advance } = setUp();
  world.answers = false;
  await slot.start();
  assert.is(slot.state, 'silent');
  await advance(200);
  world.answers = true;
  await advance(400);
  assert.is(slot.state, 'ready');
  assert.equal(log, ['open 0', 'start 0', 'start 200', 'start 600', 'return']);
});

test('a started device that fell silent is only probed: starting it again would stop what runs', async () => {
  const { log, slot, advance } = setUp();
  await slot.start();
  const silent = slot.use(() => Promise.reject(new CodedError('device_timeout', 'no answer')));
  assert.is(await codeOf(silent), 'device_timeout');
  assert.is(slot.state, 'silent');
  await advance(200);
  assert.equal(log, ['open 0', 'start 0', 'probe 200', 'return']);
});

test('a superseded or refused command says nothing about the device', async () => {
  const { slot } = setUp();
  await slot.start();
  for (const code of ['superseded', 'device_busy', 'valve_mode_not_normal']) {
    assert.is(await codeOf(slot.use(() => Promise.reject(new CodedError(code, 'x')))), code);
  }
  assert.is(slot.state, 'ready');
});

test('a held device names its holder, opens nothing, and is tried every 5 s', async () => {
  const { log, slot, key, advance } = setUp();
  const other = await acquireLock({ key, identity: () => ({ ...identity(), service: 'svc-other' }) });
  await slot.start();
  assert.is(slot.state, 'held');
  assert.equal(log, []);
  assert.is(await codeOf(slot.use(async () => 'x')), 'held_by_other');
  assert.match((slot.error as Error).message, 'svc-other');
  await other.release();
  await advance(4999);
  assert.is(slot.state, 'held');
  await advance(1);
  assert.is(slot.state, 'ready');
  assert.is(await codeOf(acquireLock({ key, identity })), 'held_by_other', 'the slot holds the lock now');
});

test('the lock is kept while the device is absent and freed at close, which leaves no timer', async () => {
  const { clock, slot, key, world } = setUp();
  world.port = false;
  await slot.start();
  assert.is(await codeOf(acquireLock({ key, identity })), 'held_by_other');
  await slot.close();
  await (await acquireLock({ key, identity })).release();
  assert.is(clock.pending, 0);
});

test('the safe state opens at once without waiting for the back-off', async () => {
  const { slot, world } = setUp();
  world.port = false;
  await slot.start();
  world.port = true;
  assert.is(await slot.useNow(async (driver) => driver), 'driver');
});

test.run();
