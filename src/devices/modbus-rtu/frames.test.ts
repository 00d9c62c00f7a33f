import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { backOff } from '../back-off.ts';
import { DeviceError } from '../device-error.ts';
import { appendCrc, crc16, hasValidCrc } from './crc.ts';
import { meanMs, noDurations, record } from './durations.ts';
import { checkReply, expectedLength } from './reply.ts';
import { encodeRequest, type ModbusRequest, packBits, unpackBits } from './request.ts';
import { replyTiming, rtuTiming } from './timing.ts';

const test = suite('modbus rtu frames');

const readCoils: ModbusRequest = { function: 0x01, unit: 1, address: 0, count: 8 };
const coilOn: ModbusRequest = { function: 0x05, unit: 1, address: 0, on: true };
const readWords: ModbusRequest = { function: 0x03, unit: 0x32, address: 6, count: 3 };
const writeWord: ModbusRequest = { function: 0x06, unit: 0x32, address: 6, value: 51 };

test('the CRC of "123456789" is 4B37 and goes low byte first', () => {
  assert.is(crc16(Buffer.from('123456789')), 0x4b37);
  assert.is(hexOf(appendCrc([0x01, 0x05, 0x00, 0x00, 0xff, 0x00])), '01 05 00 00 FF 00 8C 3A');
  assert.ok(hasValidCrc(bytesOf('01 05 00 00 FF 00 8C 3A')));
  assert.not.ok(hasValidCrc(bytesOf('01 05 00 00 FF 00 3A 8C')));
});

test('every function is encoded, and its reply has the length that follows from it', () => {
  const rows: [ModbusRequest, string, number][] = [
    [readCoils, '01 01 00 00 00 08 3D CC', 6],
    [{ ...readCoils, function: 0x02 }, '01 02 00 00 00 08 79 CC', 6],
    [readWords, '32 03 00 06 00 03 E0 09', 11],
    [coilOn, '01 05 00 00 FF 00 8C 3A', 8],
    [writeWord, '32 06 00 06 00 33 2C 1D', 8],
    [
      { function: 0x0f, unit: 1, address: 0, bits: unpackBits(Uint8Array.of(5), 8) },
      '01 0F 00 00 00 08 01 05 3E 96',
      8,
    ],
    [
      { function: 0x10, unit: 1, address: 0x1000, registers: [0, 1] },
      hexOf(appendCrc(bytesOf('01 10 10 00 00 02 04 00 00 00 01'))),
      8,
    ],
  ];
  for (const [request, frame, length] of rows) {
    assert.is(hexOf(encodeRequest(request)), frame);
    assert.is(expectedLength(request), length);
  }
});

test('DEV-033 broadcast and values the protocol cannot carry are refused', () => {
  const bad: ModbusRequest[] = [
    { ...coilOn, unit: 0 },
    { ...readCoils, count: 0 },
    { ...readCoils, count: 2001 },
    { ...readCoils, address: 65_536 },
    { ...writeWord, value: -1 },
    { ...writeWord, value: 1.5 },
    { ...readWords, count: 126 },
  ];
  for (const request of bad)
    assert.throws(
      () => encodeRequest(request),
      (error: unknown) => error instanceof DeviceError,
    );
});

test('a reply is complete only at its full length', () => {
  const frame = bytesOf('01 01 01 05 91 8B');
  for (let length = 0; length < frame.length; length++) {
    assert.equal(checkReply(readCoils, frame.subarray(0, length)), { state: 'incomplete' });
  }
  assert.equal(checkReply(readCoils, frame), { state: 'reply', data: Uint8Array.of(5) });
});

test('an exception is an answer of five bytes', () => {
  assert.equal(checkReply(coilOn, bytesOf('01 85 03 02 91')), { state: 'exception', exception: 3 });
  assert.equal(checkReply(coilOn, bytesOf('01 85 03 02 92')), { state: 'corrupt', reason: 'crc' });
});

const wrong: [string, ModbusRequest, string, string][] = [
  ['CRC', readCoils, '01 01 01 05 91 8C', 'crc'],
  ['unit id', readCoils, hexOf(appendCrc([0x02, 0x01, 0x01, 0x05])), 'unit'],
  ['function', readCoils, hexOf(appendCrc([0x01, 0x02, 0x01, 0x05])), 'function'],
  ['exception of another function', readCoils, '01 85 02 C3 51', 'function'],
  ['byte count', readCoils, hexOf(appendCrc([0x01, 0x01, 0x02, 0x05])), 'length'],
  ['coil in the echo', coilOn, '01 05 00 01 FF 00 DD FA', 'echo'],
  ['value in the echo', coilOn, '01 05 00 00 00 00 CD CA', 'echo'],
  ['register value in the echo', writeWord, '32 06 00 06 00 1A ED C3', 'echo'],
  ['doubled', readCoils, '01 01 01 05 91 8B 01 01 01 05 91 8B', 'extra_bytes'],
  ['one byte too many', coilOn, '01 05 00 00 FF 00 8C 3A 00', 'extra_bytes'],
];

for (const [name, request, received, reason] of wrong) {
  test(`DEV-029 a reply with another ${name} is rejected`, () => {
    assert.equal(checkReply(request, bytesOf(received)), { state: 'corrupt', reason });
  });
}

test('DEV-029 no single wrong bit of any reply is let through', () => {
  const rows: [ModbusRequest, string][] = [
    [readCoils, '01 01 01 05 91 8B'],
    [coilOn, '01 05 00 00 FF 00 8C 3A'],
    [readWords, '32 03 06 00 33 00 2D 00 01 34 49'],
    [writeWord, '32 06 00 06 00 33 2C 1D'],
    [coilOn, '01 85 03 02 91'],
  ];
  for (const [request, frame] of rows) {
    for (let bit = 0; bit < bytesOf(frame).length * 8; bit++) {
      const bytes = bytesOf(frame);
      bytes[bit >> 3] = (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const { state } = checkReply(request, bytes);
      assert.ok(state === 'corrupt' || state === 'incomplete', `bit ${bit} of ${frame} gave ${state}`);
    }
  }
});

test('bits travel with the lowest address in bit 0', () => {
  assert.equal(packBits([true, false, true, false, false, false, false, false, true]), [0x05, 0x01]);
  assert.equal(unpackBits(Uint8Array.of(0x05, 0x01), 9), [
    true,
    false,
    true,
    false,
    false,
    false,
    false,
    false,
    true,
  ]);
});

test('silence is 3.5 characters, never under 2 ms; a character with parity has 11 bits', () => {
  const near = (value: number, wanted: number) => assert.ok(Math.abs(value - wanted) < 0.001, `${value}`);
  assert.is(rtuTiming({ baud: 19200 }).silenceMs, 2);
  near(rtuTiming({ baud: 9600 }).silenceMs, 3.646);
  near(rtuTiming({ baud: 9600, characterBits: 11 }).silenceMs, 4.01);
  near(rtuTiming({ baud: 19200, characterBits: 11 }).characterMs, 0.573);
  near(rtuTiming({ baud: 19200, minimumSilenceMs: 0 }).silenceMs, 1.823);
});

test('times of a reply are 500 ms, 2 attempts and 2 s, and can be set', () => {
  const { replyTimeoutMs, attempts, totalMs } = rtuTiming({ baud: 9600 });
  assert.equal([replyTimeoutMs, attempts, totalMs], [500, 2, 2000]);
  assert.is(replyTiming({ replyTimeoutMs: 3000 }).totalMs, 3000);
});

test('settings that a line cannot work with are refused by name and value', () => {
  const bad: [object, RegExp][] = [
    [{ baud: 0 }, /baud 0 is refused; set 300 to/],
    [{ baud: Number.NaN }, /baud NaN/],
    [{ baud: 9600, replyTimeoutMs: 0 }, /reply timeout 0/],
    [{ baud: 9600, attempts: 0 }, /number of attempts 0 is refused; set 1 to 10/],
    [{ baud: 9600, attempts: 1.5 }, /number of attempts 1.5/],
    [{ baud: 9600, replyTimeoutMs: 500, totalMs: 400 }, /total time 400 is refused; set 500 to/],
    [{ baud: 9600, turnaroundMs: -1 }, /turnaround limit -1/],
    [{ baud: 9600, characterBits: 20 }, /character 20/],
  ];
  for (const [options, message] of bad) {
    assert.throws(
      () => rtuTiming(options as { baud: number }),
      (error: unknown) =>
        error instanceof DeviceError && error.code === 'setting_refused' && message.test(error.message),
    );
  }
});

test('durations are counted in classes, with least, middle and greatest', () => {
  const durations = noDurations();
  assert.is(meanMs(durations), null);
  for (const ms of [0.5, 1, 1.1, 11, 2000]) record(durations, ms);
  assert.equal([durations.count, durations.minMs, durations.maxMs], [5, 0.5, 2000]);
  assert.ok(Math.abs((meanMs(durations) ?? 0) - 402.72) < 1e-9);
  assert.equal(durations.counts, [2, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1]);
});

test('ports are opened again after 0.2 s, doubling to 5 s', () => {
  const waits = backOff();
  assert.equal(
    Array.from({ length: 8 }, () => waits.next().value),
    [200, 400, 800, 1600, 3200, 4500, 4500, 4500],
  );
});

test.run();
