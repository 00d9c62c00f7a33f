import * as assert from 'uvu/assert';
import type { DeviceError } from '../../devices/device-error.ts';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import { DeviceTurns } from './turns.ts';

const test = suite('turns at a device');
const forever = () => ({ signal: new AbortController().signal, limitMs: 600_000 });

function atDevice() {
  const clock = new SteppedClock();
  const turns = new DeviceTurns({ clock, device: 'usb-adc-uart', endpoint: () => '/dev/serial0' });
  const log: string[] = [];
  let atOnce = 0;
  /** One exchange of `ms` that notes when it began. */
  const exchange = (name: string, ms: number) => async () => {
    atOnce += 1;
    assert.is(atOnce, 1, 'two callers at one device');
    log.push(name);
    await clock.sleep(ms);
    atOnce -= 1;
    return name;
  };
  /** A job of `count` turns. */
  const series = (name: string, count: number, limits = forever()) =>
    turns.job(limits, async (job) => {
      for (let i = 0; i < count; i++) await job.turn(exchange(name, 50));
      return name;
    });
  let singles = 0;
  const single = (name: string) => turns.shared(`${name} ${singles++}`, forever(), exchange(name, 50));
  return {
    clock,
    turns,
    log,
    exchange,
    series,
    single,
    step: <T>(work: Promise<T>) => stepUntil(clock, work),
  };
}

const failure = (work: Promise<unknown>): Promise<DeviceError> =>
  work.then(
    () => {
      throw new Error('it resolved');
    },
    (error: DeviceError) => error,
  );

test('a long job gives way between its samples: a single sample waits for one turn, not for all', async () => {
  const { clock, log, series, single, step } = atDevice();
  const long = series('long', 600);
  await clock.advance(120);
  await step(single('single'));
  assert.equal(log.slice(0, 4), ['long', 'long', 'long', 'single']);
  await step(long);
  assert.is(log.length, 601);
});

test('many single samples and a series alternate, so that neither waits for all of the others', async () => {
  const { log, series, single, step } = atDevice();
  await step(Promise.all([series('L', 4), single('s'), single('s'), single('s')]));
  assert.is(log.join(''), 'LsLsLsL');
});

test('of two series the older one comes to its end first', async () => {
  const { log, series, step } = atDevice();
  await step(Promise.all([series('a', 3), series('b', 3)]));
  assert.is(log.join(''), 'aaabbb');
});

test('a series that pauses lets the next one go on', async () => {
  const { turns, log, exchange, series, step } = atDevice();
  const paused = turns.job(forever(), async (job) => {
    await job.turn(exchange('a', 50));
    await job.pause(100);
    await job.turn(exchange('a', 50));
  });
  await step(Promise.all([paused, series('b', 4)]));
  assert.is(log.join(''), 'abbabb');
});

test('16 jobs wait, the 17th is refused at once with device_busy, and later there is room again', async () => {
  const { series, step } = atDevice();
  const running = series('running', 1);
  const waiting = Array.from({ length: 16 }, (_, index) => series(`waiting ${index}`, 1));
  const refused = await failure(series('too many', 1));
  assert.is(refused.code, 'device_busy');
  assert.match(refused.message, 'usb-adc-uart on /dev/serial0: 16 jobs wait already; ask again later');
  await step(Promise.all([running, ...waiting]));
  assert.is(await step(series('again', 1)), 'again');
});

test('a long job that is admitted is never refused between two of its samples', async () => {
  const { series, step } = atDevice();
  const all = Array.from({ length: 17 }, (_, index) => series(`job ${index}`, 3));
  assert.is((await step(Promise.all(all))).length, 17);
});

test('requests for the same before it has begun share one sample; a later request gets a newer one', async () => {
  const { clock, turns, log, exchange, step, series } = atDevice();
  const before = series('before', 1);
  await clock.advance(10);
  const read = () => turns.shared('read', forever(), exchange('sample', 50));
  const burst = Promise.all([read(), read(), read()]);
  await clock.advance(60);
  assert.equal(log, ['before', 'sample'], 'the shared sample is being taken');
  const late = read();
  await step(Promise.all([before, burst, late]));
  assert.equal(log, ['before', 'sample', 'sample']);
});

test('requests for something else are never shared', async () => {
  const { turns, log, exchange, step } = atDevice();
  const results = await step(
    Promise.all(['a', 'b'].map((name) => turns.shared(name, forever(), exchange(name, 5)))),
  );
  assert.equal(results, ['a', 'b']);
  assert.equal(log, ['a', 'b']);
});

test('a shared failure reaches each caller, and the next request asks anew', async () => {
  const { turns, step } = atDevice();
  let asked = 0;
  const read = () =>
    turns.shared('read', forever(), async () => {
      asked += 1;
      throw new Error(`failure ${asked}`);
    });
  const errors = await step(Promise.all([failure(read()), failure(read())]));
  assert.equal(
    errors.map(({ message }) => message),
    ['failure 1', 'failure 1'],
  );
  assert.is((await step(failure(read()))).message, 'failure 2');
});

test('a caller that goes away leaves the queue; shared work ends only with the last caller', async () => {
  const { clock, turns, log, exchange, series, step } = atDevice();
  const running = series('running', 1);
  const [first, second] = [new AbortController(), new AbortController()];
  const join = (signal: AbortSignal) => turns.shared('read', { ...forever(), signal }, exchange('sample', 5));
  const left = failure(join(first.signal));
  const stays = join(second.signal);
  first.abort(new Error('gone'));
  assert.is((await left).message, 'gone');
  await step(Promise.all([running, stays]));
  assert.equal(log, ['running', 'sample']);

  const again = series('again', 1);
  const alone = new AbortController();
  const cancelled = failure(join(alone.signal));
  alone.abort(new Error('gone too'));
  assert.is((await cancelled).message, 'gone too');
  const fresh = join(forever().signal);
  await step(Promise.all([again, fresh]));
  assert.equal(log, ['running', 'sample', 'again', 'sample'], 'no caller joins work that was cancelled');
  assert.is(clock.pending, 0);
});

test('a turn that does not come in time is device_busy; a series that runs out of time is device_timeout', async () => {
  const { clock, series, step, turns, exchange } = atDevice();
  const blocking = turns.job(forever(), (job) => job.turn(exchange('blocking', 3000)));
  const late = failure(series('late', 1, { ...forever(), limitMs: 2500 }));
  const error = await step(late);
  assert.is(error.code, 'device_busy');
  assert.is(clock.monotonic(), 2500);
  await step(blocking);
  const slow = await step(failure(series('slow', 100, { ...forever(), limitMs: 2500 })));
  assert.is(slow.code, 'device_timeout');
  assert.match(slow.message, '50 turns were not enough');
});

test('the exchange gets what is left of the limit', async () => {
  const { clock, turns, step } = atDevice();
  const deadlines: (number | undefined)[] = [];
  await step(
    turns.job({ ...forever(), limitMs: 2500 }, async (job) => {
      for (let i = 0; i < 2; i++)
        await job.turn(async ({ deadlineMs }) => {
          deadlines.push(deadlineMs);
          await clock.sleep(100);
        });
    }),
  );
  assert.equal(deadlines, [2500, 2400]);
});

test('closed, it refuses who waits and who comes', async () => {
  const { turns, series, step } = atDevice();
  const running = series('running', 1);
  const waiting = failure(series('waiting', 1));
  turns.close();
  assert.is((await waiting).code, 'device_unavailable');
  assert.match((await failure(series('new', 1))).message, 'shutting down');
  await step(running);
});

test.run();
