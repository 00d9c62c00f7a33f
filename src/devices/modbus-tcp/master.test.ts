import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { BytePipe } from '../../transports/memory/byte-pipe.ts';
import { stepUntil } from '../../transports/memory/stepping.ts';
import type { DeviceError } from '../device-error.ts';
import type { ModbusRequest } from '../modbus-rtu/request.ts';
import { ModbusException, Responder } from '../modbus-rtu/responder.ts';
import type { RtuTraceEvent } from '../modbus-rtu/trace.ts';
import { ModbusUnit } from '../modbus-rtu/unit.ts';
import { encodeFrame, FrameReader } from './frame.ts';
import { TcpSlave } from './slave.ts';
import { ModbusTcpMaster } from './tcp-master.ts';

const test = suite('modbus tcp master');

const readWord: ModbusRequest = { function: 0x03, unit: 1, address: 0, count: 1 };
const writeWord = (value: number): ModbusRequest => ({ function: 0x06, unit: 1, address: 0, value });

/** A master whose requests are seen, to a server with one register; `answer: false` leaves answering to the test. */
async function bench(options: { answer?: boolean; attempts?: number } = {}) {
  const clock = new SteppedClock();
  const pipe = new BytePipe({ address: 'tcp:memory:502' });
  const trace: RtuTraceEvent[] = [];
  const requests: string[] = [];
  let register = 0;
  const responder = new Responder({
    unit: () => 1,
    handle: (functionCode, data) => {
      if (data[1] !== 0) throw new ModbusException(2);
      if (functionCode === 0x03) return [2, register >> 8, register & 0xff];
      register = ((data[2] ?? 0) << 8) | (data[3] ?? 0);
      return [...data];
    },
    lasting: () => ({}),
  });
  const slave = new TcpSlave({
    clock,
    responder,
    listener: () => {},
    send: (bytes) => pipe.send(bytes),
    hangUp: () => pipe.unplug(),
  });
  pipe.onWritten((bytes) => {
    requests.push(hexOf(bytes));
    if (options.answer !== false) slave.receive(bytes);
  });
  const master = new ModbusTcpMaster({
    transport: pipe,
    clock,
    attempts: options.attempts ?? 2,
    trace: (event) => trace.push(event),
  });
  await master.open();
  const step = <T>(promise: Promise<T>) => stepUntil(clock, promise);
  const read = (o = {}) => master.run((session) => session.read(readWord), o).then(hexOf);
  const write = (value: number, o = {}) => master.run((session) => session.write(writeWord(value)), o);
  const code = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'resolved',
      (error: DeviceError) => (error.code === 'corrupt_response' ? `corrupt ${error.reason}` : error.code),
    );
  const send = (hex: string) => pipe.send(bytesOf(hex));
  return {
    clock,
    pipe,
    responder,
    master,
    trace,
    requests,
    step,
    read,
    write,
    code,
    send,
    register: () => register,
  };
}

test('a request is transaction, protocol 0, length, unit and body; each has a number of its own', async () => {
  const { step, read, write, requests, register } = await bench();
  await step(write(0x1234));
  assert.is(await step(read()), '12 34');
  assert.equal(requests, ['00 01 00 00 00 06 01 06 00 00 12 34', '00 02 00 00 00 06 01 03 00 00 00 01']);
  assert.is(register(), 0x1234);
});

test('a frame that comes in pieces, or two in one piece, are taken apart alike', () => {
  const two = Buffer.concat([encodeFrame(7, 1, [3, 2, 0, 5]), encodeFrame(8, 2, [0x83, 2])]);
  for (let cut = 0; cut <= two.length; cut++) {
    const reader = new FrameReader();
    const frames = [...reader.push(two.subarray(0, cut)).frames, ...reader.push(two.subarray(cut)).frames];
    assert.equal(
      frames.map(({ transaction, unit, body }) => [transaction, unit, hexOf(body)]),
      [
        [7, 1, '03 02 00 05'],
        [8, 2, '83 02'],
      ],
    );
    assert.is(reader.held, 0);
  }
});

test('DEV-030 a reply with an older transaction number is thrown away, counted and traced', async () => {
  const { responder, step, read, write, master, trace } = await bench();
  await step(write(1));
  responder.faultOnce({ late_ms: 650 });
  assert.is(await step(read()), '00 01');
  assert.is(master.statistics.timeouts, 1);
  assert.is(master.statistics.lateFrames, 1);
  assert.ok(trace.some(({ kind, note }) => kind === 'discarded' && note === 'late reply thrown away'));
});

test('DEV-030 the late echo of one write never confirms the next, also when both are the same', async () => {
  const { clock, code, write, send, master } = await bench({ answer: false });
  const first = code(write(5));
  await clock.advance(600);
  assert.is(await first, 'device_timeout');
  await clock.advance(1000);
  const second = code(write(5));
  await clock.advance(10);
  send('00 01 00 00 00 06 01 06 00 00 00 05');
  await clock.advance(600);
  assert.is(await second, 'device_timeout');
  assert.is(master.statistics.lateFrames, 1);
});

const wrong: [string, string, string][] = [
  ['unit id', '00 01 00 00 00 05 02 03 02 00 00', 'corrupt unit'],
  ['function', '00 01 00 00 00 05 01 04 02 00 00', 'corrupt function'],
  ['length', '00 01 00 00 00 07 01 03 04 00 00 00 00', 'corrupt length'],
  ['byte count', '00 01 00 00 00 05 01 03 03 00 00', 'corrupt length'],
  ['exception length', '00 01 00 00 00 04 01 83 02 00', 'corrupt length'],
  ['protocol', '00 01 00 01 00 05 01 03 02 00 00', 'corrupt framing'],
  ['length field', '00 01 00 00 01 05 01 03 02 00 00', 'corrupt framing'],
  ['transaction number', '00 09 00 00 00 05 01 03 02 00 00', 'device_timeout'],
];

for (const [what, exception] of [
  ['says nothing', undefined],
  ['says that its device did not respond', 0x0b],
] as const)
  test(`DEV-048 a gateway that ${what} and gives the late reply the next number: the reading is not the old one`, async () => {
    const { clock, pipe, master, step } = await bench({ answer: false, attempts: 1 });
    const reader = new FrameReader();
    let register = 0;
    let late: number[] | undefined;
    let isSlow = false;
    pipe.onWritten((bytes) => {
      for (const { transaction, unit, body } of reader.push(bytes).frames) {
        const reply = (answer: number[]) => pipe.send(encodeFrame(transaction, unit, answer));
        if (body[0] !== 0x03) reply([0x80 | (body[0] ?? 0), 0x01]);
        else if (isSlow) {
          late = [0x03, 2, 0, register];
          if (exception !== undefined) reply([0x83, exception]);
        } else {
          reply(late ?? [0x03, 2, 0, register]);
          late = undefined;
        }
      }
    });
    const syncRequest: ModbusRequest = { function: 0x01, unit: 1, address: 0, count: 1 };
    const unit = new ModbusUnit(master, 'pump', 1);
    const read = () => step(unit.run((session) => unit.read(session, readWord, syncRequest), {}));
    assert.is(hexOf((await read()).data), '00 00');
    isSlow = true;
    await read().then(
      () => assert.unreachable(),
      () => {},
    );
    isSlow = false;
    register = 5;
    await clock.advance(2000);
    assert.is(hexOf((await read()).data), '00 05');
  });

for (const [name, answer, end] of wrong) {
  test(`DEV-029 an answer with another ${name} is rejected`, async () => {
    const { clock, code, read, send } = await bench({ answer: false, attempts: 1 });
    const reading = code(read());
    await clock.advance(10);
    send(answer);
    await clock.advance(600);
    assert.is(await reading, end);
  });
}

test('DEV-029 an echo with another value or register is rejected', async () => {
  for (const answer of ['00 01 00 00 00 06 01 06 00 00 00 06', '00 01 00 00 00 06 01 06 00 01 00 05']) {
    const { clock, code, write, send } = await bench({ answer: false });
    const writing = code(write(5));
    await clock.advance(10);
    send(answer);
    await clock.advance(10);
    assert.is(await writing, 'corrupt echo');
  }
});

test('a stream that is not a Modbus TCP is left: the connection is made anew', async () => {
  const { clock, code, read, send, master, pipe } = await bench({ answer: false, attempts: 1 });
  const reading = code(read());
  await clock.advance(10);
  send('48 54 54 50 2F 31 2E 31 20 34 30 30');
  assert.is(await reading, 'corrupt framing');
  assert.is(master.state, 'opening');
  await clock.advance(300);
  assert.is(master.state, 'open');
  assert.is(pipe.opens, 2);
});

test('an exception is an answer and is not repeated', async () => {
  const { step, master, requests } = await bench();
  const illegal: ModbusRequest = { function: 0x03, unit: 1, address: 9, count: 1 };
  const refused = master.run((session) => session.read(illegal)).catch((error: DeviceError) => error);
  const error = (await step(refused)) as DeviceError;
  assert.equal([error.code, error.exception, requests.length], ['modbus_exception', 2, 1]);
  assert.match(error.message, /function 3 at 0009 of unit 1 on tcp:memory:502/);
});

test('DEV-019 two callers never interleave: a write and its reading are one', async () => {
  const { master, step } = await bench();
  const pair = (value: number) =>
    master.run(async (session) => {
      await session.write(writeWord(value));
      return hexOf(await session.read(readWord));
    });
  assert.equal(await step(Promise.all([pair(1), pair(2), pair(3)])), ['00 01', '00 02', '00 03']);
});

test('DEV-043 a time-out leaves nothing pending and the connection is made anew', async () => {
  const { clock, responder, step, code, read, master, pipe } = await bench();
  responder.faultOnce({ silent: true }, { deaf: true });
  assert.is(await step(code(read())), 'device_timeout');
  await clock.advance(300);
  assert.equal([master.state, pipe.opens, clock.pending], ['open', 2, 0]);
  assert.is(await step(read()), '00 00');
});

test('DEV-042 a lost connection fails what runs at once; its return is noticed within 5 s', async () => {
  const { clock, pipe, responder, step, code, read, master } = await bench();
  responder.faultOnce({ silent: true });
  const reading = code(read());
  await clock.advance(50);
  pipe.unplug();
  await clock.advance(0);
  assert.is(await reading, 'device_unavailable');
  await clock.advance(60_000);
  assert.is(master.state, 'absent');
  pipe.plug();
  await clock.advance(5000);
  assert.is(await step(read()), '00 00');
});

test('DEV-044 a safe job waits for no time-out and no quiet time', async () => {
  const { clock, responder, write, code, register } = await bench();
  responder.faultOnce({ deaf: true });
  const opening = code(write(1, { actuates: true }));
  const waiting = code(write(2, { actuates: true }));
  await clock.advance(50);
  const safe = code(write(9, { priority: 'safe' }));
  await clock.advance(0);
  assert.equal(await Promise.all([opening, waiting, safe]), ['superseded', 'superseded', 'resolved']);
  assert.is(register(), 9);
});

test('an exchange that is given up as its answer comes was answered', async () => {
  const { master, trace, step, code, read } = await bench();
  const stop = new AbortController();
  const reading = code(read({ signal: stop.signal }));
  const untilAnswered = () => {
    if (trace.some(({ kind }) => kind === 'received')) stop.abort();
    else if (!stop.signal.aborted) queueMicrotask(untilAnswered);
  };
  untilAnswered();
  await step(reading);
  assert.equal([master.statistics.replies, master.statistics.abandoned], [1, 0]);
  await master.close();
});

test('close ends all work and leaves no timer', async () => {
  const { clock, responder, read, code, master } = await bench();
  responder.faultOnce({ deaf: true });
  const ends = Promise.all([code(read()), code(read())]);
  await clock.advance(10);
  await master.close();
  assert.equal(await ends, ['device_unavailable', 'device_unavailable']);
  await clock.advance(0);
  assert.is(clock.pending, 0);
});

test.run();
