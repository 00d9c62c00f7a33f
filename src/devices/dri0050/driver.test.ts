import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { ScriptedPort } from '../../transports/memory/scripted-port.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { DeviceError } from '../device-error.ts';
import { failure } from '../failure.ts';
import { appendCrc } from '../modbus-rtu/crc.ts';
import { RtuLine } from '../modbus-rtu/line.ts';
import type { TwinEvent } from '../twin-event.ts';
import { Dri0050 } from './driver.ts';
import { Dri0050Twin } from './twin.ts';

const test = suite('dri0050 driver');

async function inMemory(options: { before?: (twin: Dri0050Twin) => void } = {}) {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ baud: 9600 });
  const events: TwinEvent[] = [];
  const twin = new Dri0050Twin({
    clock,
    random: seededRandom(1),
    turnaroundMs: 4,
    listener: (event) => events.push(event),
  });
  twin.slave.connect((bytes) => pipe.send(bytes));
  pipe.onWritten((bytes) => twin.slave.receive(bytes));
  options.before?.(twin);
  const line = new RtuLine({ transport: pipe, baud: 9600, clock });
  await line.open();
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  const written = () =>
    events.flatMap((event) => (event.kind === 'in' && event.bytes[1] === 6 ? [hexOf(event.bytes)] : []));
  return { clock, line, twin, pump: new Dri0050(line), events, step, written };
}

const same = (frame: string): [string, string] => [frame, frame];
const PID: [string, string] = ['32 03 00 00 00 01 81 C9', '32 03 02 C0 32 6D 95'];
const VID: [string, string] = ['32 03 00 01 00 01 D0 09', '32 03 02 33 43 E9 41'];
const DUTY_0 = same('32 06 00 06 00 00 6C 08');
const DISABLE = same('32 06 00 08 00 00 0D CB');
const PRESCALER_45 = same('32 06 00 07 00 2D FD D5');
const READ = '32 03 00 06 00 03 E0 09';
const VERSION = '32 03 00 05 00 01 91 C8';
/** Exchanges of a start before the version is asked. */
const STARTING = [PID, VID, DUTY_0, DISABLE, READ, PRESCALER_45, READ];

async function scripted(script: [string, string][], work: (pump: Dri0050) => Promise<unknown>) {
  const clock = new SteppedClock();
  const port = new ScriptedPort(script);
  const line = new RtuLine({ transport: port, baud: 9600, clock });
  await line.open();
  const result = await stepUntil(
    clock,
    work(new Dri0050(line)).catch((error: DeviceError) => error.code),
  );
  await line.close();
  assert.equal(port.deviations, []);
  return result;
}

const SHOWS_STOPPED: [string, string] = [READ, hexOf(appendCrc(bytesOf('32 03 06 00 00 00 2D 00 00')))];

test('DEV-034 DEV-035 stop identifies, writes duty 0 and disable, and reads them back', async () => {
  const state = await scripted([PID, VID, DUTY_0, DISABLE, SHOWS_STOPPED], (pump) => pump.stop());
  assert.equal(
    { ...(state as object), frequencyHz: 0, observedAt: 0 },
    { powerPercent: 0, duty: 0, enabled: false, prescaler: 45, frequencyHz: 0, observedAt: 0 },
  );
});

test('DEV-035 a write that is refused with a Modbus exception is not repeated; a stop goes on to disable', async () => {
  const refused: [string, string] = [DUTY_0[0], hexOf(appendCrc(bytesOf('32 86 04')))];
  const end = await scripted([PID, VID, refused, DISABLE, SHOWS_STOPPED], (pump) => pump.stop());
  assert.is(end, 'modbus_exception');
});

test('DEV-034 with another PID nothing is ever written', async () => {
  const { pump, twin, step, written } = await inMemory();
  twin.knobs.patch({ wrong_pid: true });
  for (const work of [() => pump.start(), () => pump.setPower(20), () => pump.stop({ priority: 'safe' })]) {
    const error = await step(failure(work()));
    assert.is(error.code, 'wrong_device');
    assert.match(error.message, /PID C031.*check that the address is the port of the pump/);
  }
  assert.equal(written(), []);
});

for (const exception of [1, 2, 3])
  test(`DEV-034 Modbus exception ${exception} to its PID is another device: nothing is ever written`, async () => {
    const { pump, twin, step, written } = await inMemory();
    twin.knobs.patch({ exception });
    for (const work of [() => pump.start(), () => pump.setPower(20), () => pump.stop({ priority: 'safe' })]) {
      const error = await step(failure(work()));
      assert.equal([error.code, error.exception, error.device], ['wrong_device', exception, 'pump-motor']);
      assert.match(error.message, new RegExp(`on memory: .*exception ${exception} .*port of the pump`));
    }
    assert.equal(written(), []);
  });

test('DEV-034 trouble of the pump itself (exception 4) is reported as such', async () => {
  const { pump, twin, step, written } = await inMemory();
  twin.knobs.patch({ exception: 4 });
  assert.is((await step(failure(pump.start()))).code, 'modbus_exception');
  assert.equal(written(), []);
});

for (const [owed, frame] of [
  ['the PID', PID[0]],
  ['the VID', VID[0]],
  ['the state', READ],
  ['a write', DUTY_0[0]],
] as const)
  test(`DEV-030 DEV-034 an answer owed to a killed process (${owed}) does not make it another device`, async () => {
    const { pump, twin, step } = await inMemory({
      before: (twin) => {
        twin.slave.faultOnce({ late_ms: 40 });
        twin.slave.receive(Buffer.from(frame.replaceAll(' ', ''), 'hex'));
      },
    });
    assert.is((await step(pump.stop({ priority: 'safe' }))).enabled, false);
    assert.is((await step(pump.setPower(20))).duty, 51);
    assert.is(twin.output.fraction, 0.2);
  });

test('start stops the pump before it sets the prescaler', async () => {
  const { pump, step, written, twin } = await inMemory();
  await step(pump.start());
  assert.equal(written(), [DUTY_0[0], DISABLE[0], PRESCALER_45[0]]);
  assert.is(twin.output.fraction, 0);
});

const asksVersion = (events: readonly TwinEvent[]) =>
  events.filter((event) => event.kind === 'in' && hexOf(event.bytes) === VERSION).length;

test('the version is register 5 as it stands, asked of a pump that stands, once', async () => {
  const { pump, step, events } = await inMemory();
  await step(pump.stop());
  assert.is(pump.version, null, 'nothing is made up before it is asked');
  await step(pump.start());
  assert.is(pump.version, '0x0100');
  await step(pump.setPower(20));
  await step(pump.readState());
  assert.is(asksVersion(events), 1);
});

test('a pump without a version register is started all the same, and its version is not known', async () => {
  const start = [PID, VID, DUTY_0, DISABLE, SHOWS_STOPPED, PRESCALER_45, SHOWS_STOPPED];
  const version = await scripted([...start, [VERSION, '32 83 02 30 FE']], async (pump) => {
    await pump.start();
    return pump.version;
  });
  assert.is(version, null);
});

for (const fault of [{ silent: true }, { bad_crc: true }, { foreign: true }])
  test(`a version answered with ${Object.keys(fault)} is not known, and the pump runs all the same`, async () => {
    const { pump, step, twin } = await inMemory();
    twin.slave.faultOnce(...STARTING.map(() => ({})), fault, fault);
    await step(pump.start());
    assert.is(pump.version, null);
    assert.is((await step(pump.setPower(20))).duty, 51);
    assert.is(twin.output.fraction, 0.2);
  });

test('DEV-044 a stop does not wait for the version, and the pump counts as started', async () => {
  const { pump, step, twin, written, events, clock } = await inMemory();
  twin.slave.faultOnce(...STARTING.map(() => ({})), { silent: true });
  const start = pump.start();
  while (!asksVersion(events)) await clock.advance(1);
  assert.is((await step(pump.stop({ priority: 'safe' }))).enabled, false);
  await step(start);
  assert.is(pump.version, null);
  assert.is((await step(pump.setPower(20))).duty, 51);
  assert.is(written().filter((frame) => frame === PRESCALER_45[0]).length, 1);
});

test('set power: duty, enable, compare; the state is what was read', async () => {
  const { pump, step, twin, clock, line } = await inMemory();
  const state = await step(pump.setPower(20));
  assert.equal([state.duty, state.enabled, state.powerPercent], [51, true, 20]);
  assert.equal(twin.output.fraction, 0.2);
  assert.is((await step(pump.setPower(10))).powerPercent, (26 * 100) / 255);
  assert.is((await step(pump.setPower(0))).enabled, false);
  assert.is(twin.output.enabled, false);
  await line.close();
  assert.is(clock.pending, 0);
});

test('a state has the time at which it was read', async () => {
  const { pump, step, clock } = await inMemory();
  await step(pump.start());
  const askedAt = clock.now();
  const { observedAt } = await step(pump.readState());
  assert.ok(observedAt >= askedAt && observedAt <= clock.now(), `${observedAt - askedAt}`);
});

test('a negative, too large or non-finite power is refused and nothing is sent', async () => {
  const { pump, step, events } = await inMemory();
  for (const percent of [-1, -0.001, 100.1, Number.NaN, Number.POSITIVE_INFINITY]) {
    assert.is((await step(failure(pump.setPower(percent)))).code, 'value_out_of_range');
  }
  assert.is(events.length, 0);
});

test('DEV-035 a duty that reads one step beside the commanded one is not confirmed', async () => {
  const shows = (words: string): [string, string] => [READ, hexOf(appendCrc(bytesOf(`32 03 06 ${words}`)))];
  const start = [PID, VID, DUTY_0, DISABLE, SHOWS_STOPPED, PRESCALER_45, SHOWS_STOPPED];
  const on = [same('32 06 00 06 00 80 6D A8'), same('32 06 00 08 00 01 CC 0B')];
  const setTo50 = (words: string) => scripted([...start, ...on, shows(words)], (pump) => pump.setPower(50));
  assert.is(await setTo50('00 7F 00 2D 00 01'), 'pump_unverified');
  assert.is(await setTo50('00 81 00 2D 00 01'), 'pump_unverified');
  assert.is(((await setTo50('00 80 00 2D 00 01')) as { duty: number }).duty, 128);
});

test('a duty that does not follow is not confirmed, neither when starting nor when stopping', async () => {
  const { pump, step, twin } = await inMemory();
  await step(pump.setPower(50));
  twin.knobs.patch({ duty_stuck: true });
  assert.match((await step(failure(pump.setPower(20)))).message, /duty reads 128 where 51 was set/);
  const error = await step(failure(pump.stop()));
  assert.is(error.code, 'pump_unverified');
  // Disabled all the same: the second half of a stop is sent whatever became of the first.
  assert.is(twin.output.fraction, 0);
});

test('DEV-035 a stop whose first write is lost still disables, and is repeated after a read-back', async () => {
  const { pump, step, twin } = await inMemory();
  await step(pump.setPower(50));
  twin.slave.faultOnce({ silent: true }, {}, {}, {});
  const state = await step(pump.stop());
  assert.equal([state.duty, state.enabled], [0, false]);
  assert.is(twin.output.fraction, 0);
});

test('DEV-044 a stop overtakes waiting power and none of it comes after', async () => {
  const { pump, step, twin, written } = await inMemory();
  await step(pump.start());
  const powers = [30, 60, 90].map((percent) =>
    pump.setPower(percent).catch((error: DeviceError) => error.code),
  );
  await step(pump.stop({ priority: 'safe' }));
  assert.equal(await step(Promise.all(powers)), ['superseded', 'superseded', 'superseded']);
  assert.is(twin.output.fraction, 0);
  assert.is(written().at(-1), DISABLE[0]);
});

test('DEV-043 after a time-out the pump is identified and stopped before it runs again', async () => {
  const { pump, step, twin, written } = await inMemory();
  await step(pump.setPower(50));
  twin.slave.faultOnce({ silent: true }, { silent: true });
  assert.is((await step(failure(pump.readState()))).code, 'device_timeout');
  const before = written().length;
  await step(pump.setPower(20));
  assert.is(written()[before], DUTY_0[0]);
  assert.is(twin.output.fraction, 0.2);
});

test('DEV-045 a deaf pump does nothing, a silent one does it and says nothing', async () => {
  for (const [knob, duty] of [
    ['deaf', 0],
    ['silent', 51],
  ] as const) {
    const { pump, step, twin } = await inMemory();
    await step(pump.start());
    twin.knobs.patch({ [knob]: true });
    assert.is((await step(failure(pump.setPower(20)))).code, 'device_timeout');
    assert.is(twin.output.duty, duty, knob);
  }
});

for (const [knob, patch, code] of [
  ['silent', { silent: true }, 'device_timeout'],
  ['deaf', { deaf: true }, 'device_timeout'],
  ['late_ms', { late_ms: 5000 }, 'device_timeout'],
  ['bad_crc', { bad_crc: true }, 'corrupt_response'],
  ['truncate', { truncate: 4 }, 'corrupt_response'],
  ['exception', { exception: 3 }, 'modbus_exception'],
] as const) {
  test(`DEV-045 with the knob ${knob} a reading is ${code}, never a value`, async () => {
    const { pump, step, twin } = await inMemory();
    await step(pump.start());
    twin.knobs.patch(patch);
    const error = await step(failure(pump.readState()));
    assert.is(error.code, code);
    assert.is(error.device, 'pump-motor');
  });
}

test('DEV-050 a stop behind a lost reply is on the line at once, and is confirmed after the quiet time', async () => {
  for (const lost of [{ silent: true }, { deaf: true }]) {
    const { clock, line, pump, twin, step } = await inMemory();
    await step(pump.start());
    await step(pump.setPower(40));
    twin.slave.faultOnce(lost);
    const reading = pump.readState().catch(() => undefined);
    await clock.advance(520);
    const askedAt = clock.monotonic();
    const stopped = pump.stop({ priority: 'safe' });
    await clock.advance(60);
    assert.is(twin.output.duty, 0, JSON.stringify(lost));
    await clock.advance(150);
    assert.is(twin.output.enabled, false);
    const state = await step(stopped);
    assert.equal([state.duty, state.enabled], [0, false]);
    assert.ok(clock.monotonic() - askedAt >= 600, 'not confirmed before the line was quiet');
    assert.ok(line.statistics.sentAhead > 0);
    await step(reading);
  }
});

test('DEV-050 DEV-034 nothing is sent ahead to a device that has never shown that it is the pump', async () => {
  const { clock, pump, twin, step, written, line } = await inMemory({
    before: (twin) => twin.knobs.patch({ wrong_pid: true }),
  });
  assert.is((await step(failure(pump.start()))).code, 'wrong_device');
  twin.slave.faultOnce({ silent: true });
  const reading = pump.readState().catch(() => undefined);
  await clock.advance(520);
  assert.is((await step(failure(pump.stop({ priority: 'safe' })))).code, 'wrong_device');
  await step(reading);
  assert.equal([written(), line.statistics.sentAhead], [[], 0]);
});

test('DEV-050 a slow answer that is on its way is waited for: nothing is sent ahead of it', async () => {
  const { clock, pump, twin, step, line } = await inMemory();
  await step(pump.start());
  twin.knobs.patch({ late_ms: 200 });
  const power = failure(pump.setPower(40));
  await clock.advance(100);
  const askedAt = clock.monotonic();
  const { duty, enabled } = await step(pump.stop({ priority: 'safe' }));
  assert.equal([duty, enabled, line.statistics.sentAhead], [0, false, 0]);
  assert.ok(clock.monotonic() - askedAt < 800, 'within the time of the step pump_zero');
  assert.is((await step(power)).code, 'superseded');
});

test('DEV-050 on a sound line a stop is sent once', async () => {
  const { pump, step, written, line } = await inMemory();
  await step(pump.start());
  await step(pump.setPower(40));
  const before = written().length;
  await step(pump.stop({ priority: 'safe' }));
  assert.equal([written().length - before, line.statistics.sentAhead], [2, 0]);
});

test.run();
