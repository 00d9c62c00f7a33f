import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { systemClock } from '../../../lib/clock/clock.ts';
import { SteppedClock } from '../../../lib/clock/stepped-clock.ts';
import { CodedError } from '../../../lib/errors/coded-error.ts';
import { acquireLock } from '../../../lib/lock/lock.ts';
import { DeviceSlot } from './device-slot.ts';

const test = suite('device slot');
const identity = () => ({
  service: 'svc-test',
  pid: process.pid,
  port: null,
  since: '2025-01-15T10:00:00.000Z',
});
let keys = 0;

function setUp(opens: (() => Promise<string>)[]) {
  const clock = new SteppedClock();
  const log: string[] = [];
  const key = `test-slot-${process.pid}-${keys++}`;
  const slot = new DeviceSlot<string>({
    device: 'modbus-io',
    lockKeys: () => [key],
    identity,
    clock,
    open: async () => {
      log.push(`open ${clock.monotonic()}`);
      const driver = await (
        opens.shift() ?? (() => Promise.reject(new CodedError('port_absent', 'no such port')))
      )();
      return {
        driver,
        close: async () => {
          log.push(`close ${driver}`);
        },
      };
    },
    onReturn: () => log.push('return'),
  });
  return { clock, log, slot, key };
}

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: CodedError) => error.code,
  );
/** Lock traffic runs on real sockets. */
const settle = () => systemClock.sleep(20);

test('DEV-042 an absent device is tried again with a back-off of 0.2 s doubling to 5 s, and its return is told', async () => {
  const { clock, log, slot } = setUp([]);
  await slot.start();
  assert.is(slot.state, 'absent');
  assert.is(await codeOf(slot.use(async () => 'x')), 'device_unavailable');
  for (const ms of [200, 400, 800, 1600, 3200, 5000, 5000]) {
    await settle();
    await clock.advance(ms);
  }
  await settle();
  assert.equal(
    log,
    [0, 200, 600, 1400, 3000, 6200, 11_200, 16_200].map((at) => `open ${at}`),
  );
  await slot.close();
  assert.is(clock.pending, 0);
});

test('DEV-042 a device lost in use is closed, opened again and reported as returned', async () => {
  const { clock, log, slot } = setUp([async () => 'one', async () => 'two']);
  await slot.start();
  assert.is(await slot.use(async (driver) => driver), 'one');
  assert.is(
    await codeOf(slot.use(() => Promise.reject(new CodedError('port_gone', 'unplugged')))),
    'device_unavailable',
  );
  assert.is(slot.state, 'absent');
  await clock.advance(200);
  await settle();
  assert.is(await slot.use(async (driver) => driver), 'two');
  assert.equal(log, ['open 0', 'close one', 'open 200', 'return']);
  await slot.close();
});

test('a timeout does not close the device', async () => {
  const { log, slot } = setUp([async () => 'one']);
  await slot.start();
  assert.is(
    await codeOf(slot.use(() => Promise.reject(new CodedError('device_timeout', 'late')))),
    'device_timeout',
  );
  assert.equal([slot.state, log], ['ready', ['open 0']]);
  await slot.close();
});

test('a held device names its holder, opens nothing, and is tried every 5 s', async () => {
  const { clock, log, slot, key } = setUp([async () => 'one']);
  const other = await acquireLock({ key, identity: () => ({ ...identity(), service: 'svc-other' }) });
  await slot.start();
  assert.is(slot.state, 'held');
  assert.equal(log, []);
  assert.is(await codeOf(slot.use(async () => 'x')), 'held_by_other');
  assert.match((slot.error as Error).message, 'svc-other');
  await other.release();
  await clock.advance(4999);
  await settle();
  assert.is(slot.state, 'held');
  await clock.advance(1);
  await settle();
  assert.is(slot.state, 'ready');
  assert.is(await codeOf(acquireLock({ key, identity })), 'held_by_other', 'the slot holds the lock now');
  await slot.close();
});

test('the lock is kept while the device is absent and freed at close', async () => {
  const { slot, key } = setUp([]);
  await slot.start();
  assert.is(await codeOf(acquireLock({ key, identity })), 'held_by_other');
  await slot.close();
  await (await acquireLock({ key, identity })).release();
});

test('useNow opens at once without waiting for the back-off', async () => {
  const { log, slot } = setUp([() => Promise.reject(new CodedError('port_absent', 'no')), async () => 'one']);
  await slot.start();
  assert.is(await slot.useNow(async (driver) => driver), 'one');
  assert.equal(log, ['open 0', 'open 0', 'return']);
  await slot.close();
});

test.run();
