import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { hexOf } from '../../transports/hex.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { DeviceError } from '../device-error.ts';
import { RtuLine, type RtuLineOptions } from './line.ts';
import type { ModbusRequest } from './request.ts';
import { ModbusException, Responder } from './responder.ts';
import { RtuSlave } from './slave.ts';
import type { RtuTraceEvent } from './trace.ts';

const test = suite('modbus rtu line');

const readWord: ModbusRequest = { function: 0x03, unit: 1, address: 0, count: 1 };
const writeWord = (value: number): ModbusRequest => ({ function: 0x06, unit: 1, address: 0, value });

/** A line to a device with one register, which counts how often it was read. */
async function bench(options: { turnaroundMs?: number; line?: Partial<RtuLineOptions> } = {}) {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ baud: 19200 });
  const trace: RtuTraceEvent[] = [];
  let register = 0;
  const heard: { atMs: number; functionCode: number }[] = [];
  const responder = new Responder({
    unit: () => 1,
    handle: (functionCode, data) => {
      heard.push({ atMs: clock.monotonic(), functionCode });
      if (data[1] !== 0) throw new ModbusException(2);
      if (functionCode === 0x03) return [2, register >> 8, register & 0xff];
      register = ((data[2] ?? 0) << 8) | (data[3] ?? 0);
      return [...data];
    },
    lasting: () => ({}),
  });
  const slave = new RtuSlave({
    clock,
    random: seededRandom(7),
    responder,
    listener: () => {},
    turnaroundMs: options.turnaroundMs ?? 3,
  });
  slave.connect((bytes) => pipe.send(bytes));
  pipe.onWritten((bytes) => slave.receive(bytes));
  const line = new RtuLine({
    transport: pipe,
    baud: 19200,
    clock,
    trace: (event) => trace.push(event),
    ...options.line,
  });
  await line.open();
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  const read = (o = {}) => line.run((session) => session.read(readWord), o).then(hexOf);
  const write = (value: number, o = {}) => line.run((session) => session.write(writeWord(value)), o);
  const code = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'resolved',
      (error: DeviceError) => error.code,
    );
  return { clock, pipe, slave, line, trace, heard, step, read, write, code, register: () => register };
}

test('a request is preceded by silence: 2 ms at 19200 after the last byte', async () => {
  const { clock, heard, step, read, line } = await bench();
  await step(Promise.all([read(), read(), read()]));
  const gaps = heard.slice(1).map(({ atMs }, index) => atMs - (heard[index]?.atMs ?? 0) - 3);
  assert.ok(
    gaps.every((gap) => gap >= 2 && gap < 3),
    String(gaps),
  );
  await line.close();
  assert.is(clock.pending, 0);
});

test('DEV-030 a late reply is thrown away and never taken for the next one', async () => {
  const { slave, step, read, write, trace, line, heard } = await bench();
  await step(write(1));
  slave.faultOnce({ late_ms: 650 }, {});
  // The first attempt times out at 500 ms, its answer comes at 650 ms, the second attempt waits until it is gone.
  assert.is(await step(read()), '00 01');
  assert.is(line.statistics.lateFrames, 1);
  assert.is(line.statistics.timeouts, 1);
  assert.ok(trace.some(({ note }) => note === 'late reply thrown away'));
  const [, first, second] = heard;
  assert.ok((second?.atMs ?? 0) - (first?.atMs ?? 0) >= 500 + 700);
});

test('DEV-030 the late echo of one write never confirms the next', async () => {
  const { slave, step, write, code, register } = await bench();
  slave.faultOnce({ late_ms: 900 });
  assert.is(await step(code(write(10))), 'device_timeout');
  assert.is(await step(code(write(20))), 'resolved');
  assert.is(register(), 20);
});

test('quiet time begins again while bytes still trickle in', async () => {
  const { clock, pipe, slave, step, read, heard } = await bench();
  slave.faultOnce({ silent: true });
  const reading = read();
  await clock.advance(750);
  pipe.send(Uint8Array.of(0x55));
  await step(reading);
  assert.ok((heard[1]?.atMs ?? 0) >= 750 + 700, `second request at ${heard[1]?.atMs}`);
});

test('a line that never becomes quiet fails within 2 s and nothing is sent meanwhile', async () => {
  const { clock, pipe, code, read, heard } = await bench();
  const noise = Uint8Array.of(0, 1, 2, 3, 4);
  pipe.send(noise);
  let ended = '';
  void code(read()).then((end) => {
    ended = end;
  });
  for (let ms = 0; ms < 2000; ms += 100) {
    await clock.advance(100);
    pipe.send(noise);
  }
  await clock.advance(800);
  assert.is(ended, 'device_timeout');
  assert.is(heard.length, 0);
});

test('a doubled reply is refused when it comes in one piece', async () => {
  const { slave, step, code, write, line } = await bench();
  slave.faultOnce({ doubled: true });
  assert.is(await step(code(write(5))), 'corrupt_response');
  assert.is(line.statistics.corrupt, 1);
});

test('a second copy that trails a good reply keeps the line quiet and is never used', async () => {
  const { clock, pipe, step, read, write, heard, line } = await bench();
  await step(write(1));
  const first = read();
  await clock.advance(5);
  assert.is(await first, '00 01');
  pipe.send(Uint8Array.of(0x01, 0x03, 0x02, 0x00, 0x01, 0x79, 0x84));
  const sentAt = clock.monotonic();
  assert.is(await step(read()), '00 01');
  assert.ok((heard[2]?.atMs ?? 0) - sentAt >= 700);
  assert.is(line.statistics.discardedBytes, 7);
});

test('the click of an RS-485 driver after a reply costs 3.5 characters only', async () => {
  const { clock, pipe, step, read, heard } = await bench();
  await step(read());
  pipe.send(Uint8Array.of(0x00));
  const at = clock.monotonic();
  await step(read());
  assert.ok((heard[1]?.atMs ?? 0) - at < 10);
});

test('DEV-019 two callers never interleave: a write and its reading are one', async () => {
  const { line, step, heard } = await bench();
  const pair = (value: number) =>
    line.run(async (session) => {
      await session.write(writeWord(value));
      return hexOf(await session.read(readWord));
    });
  assert.equal(await step(Promise.all([pair(1), pair(2), pair(3)])), ['00 01', '00 02', '00 03']);
  assert.equal(
    heard.map(({ functionCode }) => functionCode),
    [6, 3, 6, 3, 6, 3],
  );
});

test('DEV-043 a time-out leaves nothing pending and the port is opened anew', async () => {
  const { clock, slave, pipe, step, code, read, line } = await bench();
  slave.faultOnce({ silent: true }, { silent: true });
  assert.is(await step(code(read())), 'device_timeout');
  assert.is(line.state, 'opening');
  await clock.advance(300);
  assert.is(line.state, 'open');
  assert.is(pipe.opens, 2);
  assert.is(line.generation, 2);
  assert.is(clock.pending, 0);
  assert.is(await step(read()), '00 00');
});

test('DEV-042 unplugging fails what runs at once; plugging in is noticed within 5 s', async () => {
  const { clock, pipe, slave, step, code, read, line } = await bench();
  slave.faultOnce({ silent: true });
  const reading = code(read());
  await clock.advance(50);
  pipe.unplug();
  await clock.advance(0);
  assert.is(await reading, 'device_unavailable');
  await clock.advance(60_000);
  assert.is(line.state, 'absent');
  assert.is(await step(code(read())), 'device_unavailable');
  pipe.plug();
  await clock.advance(5000);
  assert.is(line.state, 'open');
  assert.is(await step(read()), '00 00');
  assert.is(line.statistics.losses, 1);
});

test('DEV-030 a reply owed from before the plug was pulled is not taken behind the new opening', async () => {
  const { clock, pipe, slave, step, code, read, write, heard, line } = await bench();
  await step(write(1));
  slave.faultOnce({ late_ms: 600 });
  const reading = code(read());
  await clock.advance(10);
  pipe.unplug();
  await clock.advance(0);
  assert.is(await reading, 'device_unavailable');
  pipe.plug();
  await clock.advance(250);
  assert.is(line.state, 'open');
  await step(write(2));
  assert.is(await step(read()), '00 02');
  assert.is(line.statistics.lateFrames, 1);
  assert.ok((heard[2]?.atMs ?? 0) - (heard[1]?.atMs ?? 0) >= 700);
  assert.is(slave.collisions, 0);
});

test('DEV-034 what a job learnt about the device is void when the port was opened anew meanwhile', async () => {
  const { clock, pipe, line, heard } = await bench();
  const job = line.run(async (session) => {
    await session.read(readWord);
    pipe.unplug();
    pipe.plug();
    await clock.sleep(1000);
    assert.is(line.state, 'open');
    await session.write(writeWord(1));
  });
  const end = job.catch((error: DeviceError) => `${error.code} ${error.reason}`);
  await clock.advance(3000);
  assert.is(await end, 'device_unavailable reopened');
  assert.equal(
    heard.map(({ functionCode }) => functionCode),
    [3],
  );
});

test('DEV-044 a safe job waits for no time-out: it starts when the old reply has come', async () => {
  const { clock, slave, heard, write, code, line } = await bench();
  slave.faultOnce({ late_ms: 200 });
  const opening = code(write(1, { actuates: true }));
  const waiting = code(write(2, { actuates: true }));
  await clock.advance(50);
  const safe = code(write(0, { priority: 'safe' }));
  await clock.advance(0);
  assert.is(await opening, 'superseded');
  assert.is(await waiting, 'superseded');
  await clock.advance(170);
  assert.is(await safe, 'resolved');
  assert.ok((heard[1]?.atMs ?? 0) < 215, `sent at ${heard[1]?.atMs}`);
  assert.is(heard.length, 2);
  assert.is(slave.collisions, 0);
  assert.is(line.statistics.abandoned, 1);
});

test('DEV-042 DEV-044 a safe job right after the return does not wait for the back-off', async () => {
  const { clock, pipe, step, write, read, code, line } = await bench();
  pipe.unplug();
  await clock.advance(30_000);
  assert.is(await step(code(write(0, { priority: 'safe' }))), 'device_unavailable');
  pipe.plug();
  assert.is(await step(code(read())), 'device_unavailable');
  const askedAt = clock.monotonic();
  await step(write(0, { priority: 'safe' }));
  assert.ok(clock.monotonic() - askedAt < 30, `${clock.monotonic() - askedAt} ms`);
  assert.is(line.state, 'open');
});

test('DEV-044 behind a silent device a safe job starts 700 ms and 3.5 characters after it was asked for', async () => {
  const { clock, slave, heard, write, code } = await bench();
  slave.faultOnce({ silent: true });
  const opening = code(write(1, { actuates: true }));
  await clock.advance(50);
  const asked = clock.monotonic();
  const safe = code(write(0, { priority: 'safe' }));
  await clock.advance(720);
  assert.is(await opening, 'superseded');
  assert.is(await safe, 'resolved');
  const waitedMs = (heard[1]?.atMs ?? 0) - asked;
  assert.ok(waitedMs >= 702 && waitedMs < 704, `waited ${waitedMs}`);
});

test('a caller that gives up is let go at once, and its reply is still never taken', async () => {
  const { clock, slave, step, read, write, code, line } = await bench();
  await step(write(7));
  slave.faultOnce({ late_ms: 100 });
  const cancel = new AbortController();
  const reading = code(read({ signal: cancel.signal }));
  await clock.advance(20);
  cancel.abort();
  await clock.advance(0);
  assert.is(await reading, 'aborted');
  await step(write(8));
  assert.is(await step(read()), '00 08');
  assert.is(line.statistics.lateFrames, 1);
  assert.is(slave.collisions, 0);
});

test('reads are tried twice within 2 s, writes once', async () => {
  const { clock, slave, step, read, write, code, heard } = await bench();
  slave.faultOnce({ silent: true }, { silent: true }, { silent: true });
  const started = clock.monotonic();
  assert.is(await step(code(read())), 'device_timeout');
  assert.ok(clock.monotonic() - started <= 2000);
  assert.is(heard.length, 2);
  assert.is(await step(code(write(1))), 'device_timeout');
  assert.is(heard.length, 3);
});

for (const [attempts, wanted] of [
  [1, 1],
  [3, 3],
] as const) {
  test(`with ${attempts} attempts set a read is tried as often`, async () => {
    const { slave, step, read, code, heard, line } = await bench({
      line: { attempts, totalMs: 10_000, replyTimeoutMs: 100 },
    });
    slave.faultEach(() => ({ silent: true }));
    assert.is(await step(code(read())), 'device_timeout');
    assert.is(heard.length, wanted);
    assert.is(line.statistics.repeats, wanted - 1);
  });
}

test('no attempt begins that could not end within the total time', async () => {
  const { clock, slave, step, read, code, heard } = await bench({ line: { attempts: 10 } });
  slave.faultEach(() => ({ silent: true }));
  const started = clock.monotonic();
  assert.is(await step(code(read())), 'device_timeout');
  assert.ok(clock.monotonic() - started <= 2020, String(clock.monotonic() - started));
  assert.is(heard.length, 2);
});

test('the reply timeout that is set is the one that is kept and named', async () => {
  const { slave, step, read, line } = await bench({ line: { attempts: 1, replyTimeoutMs: 80 } });
  slave.faultOnce({ silent: true });
  const error = (await step(read().catch((fault: DeviceError) => fault))) as DeviceError;
  assert.match(error.message, /not answered within 80 ms/);
  assert.is(line.statistics.timeouts, 1);
});

test('statistics have the latency of replies and the wait for the line', async () => {
  const { step, read, line } = await bench();
  await step(Promise.all([read(), read(), read()]));
  const { latency, queueWait, requests } = line.statistics;
  assert.equal([latency.count, queueWait.count, requests], [3, 3, 3]);
  assert.equal([latency.minMs, latency.maxMs], [3, 3]);
  assert.is(queueWait.minMs, 0);
  assert.ok((queueWait.maxMs ?? 0) >= 10, String(queueWait.maxMs));
});

test('an exception is an answer: not repeated, no quiet time', async () => {
  const { clock, step, line, heard } = await bench();
  const illegal: ModbusRequest = { function: 0x03, unit: 1, address: 9, count: 1 };
  const refused = line.run((session) => session.read(illegal)).catch((error: DeviceError) => error);
  const error = (await step(refused)) as DeviceError;
  assert.is(error.code, 'modbus_exception');
  assert.is(error.exception, 2);
  assert.match(error.message, /function 3 at 0009 of unit 1 on memory/);
  assert.is(heard.length, 1);
  await step(line.run((session) => session.read(readWord)));
  assert.ok(clock.monotonic() < 50);
});

test('close ends all work and leaves no timer', async () => {
  const { clock, slave, read, code, line } = await bench();
  slave.faultOnce({ silent: true });
  const ends = Promise.all([code(read()), code(read())]);
  await clock.advance(10);
  await line.close();
  assert.equal(await ends, ['device_unavailable', 'device_unavailable']);
  slave.reset();
  await clock.advance(0);
  assert.is(clock.pending, 0);
});

test.run();
