import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { hasValidCrc } from '../modbus-rtu/crc.ts';
import { checkReply } from '../modbus-rtu/reply.ts';
import { encodeRequest, type ModbusRequest } from '../modbus-rtu/request.ts';
import * as protocol from './protocol.ts';
import { Dri0050Twin } from './twin.ts';

const test = suite('dri0050 frames');
const UNIT = protocol.DEFAULT_UNIT;

const requests: [string, ModbusRequest, string][] = [
  ['PID', protocol.readRegister(UNIT, 'pid'), '32 03 00 00 00 01 81 C9'],
  ['VID', protocol.readRegister(UNIT, 'vid'), '32 03 00 01 00 01 D0 09'],
  ['duty 0', protocol.writeRegister(UNIT, 'duty', 0), '32 06 00 06 00 00 6C 08'],
  ['10 %', protocol.writeRegister(UNIT, 'duty', protocol.dutyOf(10)), '32 06 00 06 00 1A ED C3'],
  ['20 %', protocol.writeRegister(UNIT, 'duty', protocol.dutyOf(20)), '32 06 00 06 00 33 2C 1D'],
  ['duty 128', protocol.writeRegister(UNIT, 'duty', 128), '32 06 00 06 00 80 6D A8'],
  ['100 %', protocol.writeRegister(UNIT, 'duty', protocol.dutyOf(100)), '32 06 00 06 00 FF 2C 48'],
  ['prescaler 45', protocol.writeRegister(UNIT, 'prescaler', 45), '32 06 00 07 00 2D FD D5'],
  ['enable', protocol.writeRegister(UNIT, 'enable', 1), '32 06 00 08 00 01 CC 0B'],
  ['disable', protocol.writeRegister(UNIT, 'enable', 0), '32 06 00 08 00 00 0D CB'],
  ['read 6-8', protocol.readState(UNIT), '32 03 00 06 00 03 E0 09'],
];

for (const [name, request, frame] of requests) {
  test(`DEV-028 ${name} is ${frame}`, () => assert.is(hexOf(encodeRequest(request)), frame));
}

test('DEV-028 the answers are understood', () => {
  const rows: [ModbusRequest, string, number[]][] = [
    [protocol.readRegister(UNIT, 'pid'), '32 03 02 C0 32 6D 95', [0xc0, 0x32]],
    [protocol.readRegister(UNIT, 'vid'), '32 03 02 33 43 E9 41', [0x33, 0x43]],
    [protocol.readState(UNIT), '32 03 06 00 33 00 2D 00 01 34 49', [0, 51, 0, 45, 0, 1]],
  ];
  for (const [request, frame, data] of rows) {
    assert.equal(checkReply(request, bytesOf(frame)), { state: 'reply', data: Uint8Array.from(data) });
  }
  assert.ok(hasValidCrc(bytesOf('32 83 02 30 FE')));
  assert.ok(hasValidCrc(bytesOf('32 86 03 F2 6E')));
});

test('duty is round(percent x 255 / 100), frequency 46875 / (n + 1)', () => {
  assert.equal([0, 10, 20, 50, 100].map(protocol.dutyOf), [0, 26, 51, 128, 255]);
  assert.is(Math.round(protocol.frequencyOf(45)), 1019);
  assert.is(Math.round(protocol.frequencyOf(255)), 183);
});

test('DEV-045 the twin answers the documented bytes', async () => {
  const clock = new SteppedClock();
  const twin = new Dri0050Twin({ clock, random: seededRandom(1) });
  let answer = '';
  twin.slave.connect((bytes) => {
    answer = hexOf(bytes);
  });
  const dialogue: [string, string][] = [
    ['32 03 00 00 00 01 81 C9', '32 03 02 C0 32 6D 95'],
    ['32 03 00 01 00 01 D0 09', '32 03 02 33 43 E9 41'],
    ['32 06 00 07 00 2D FD D5', '32 06 00 07 00 2D FD D5'],
    ['32 06 00 06 00 33 2C 1D', '32 06 00 06 00 33 2C 1D'],
    ['32 06 00 08 00 01 CC 0B', '32 06 00 08 00 01 CC 0B'],
    ['32 03 00 06 00 03 E0 09', '32 03 06 00 33 00 2D 00 01 34 49'],
    [hexOf(encodeRequest({ function: 0x03, unit: UNIT, address: 9, count: 1 })), '32 83 02 30 FE'],
    [hexOf(encodeRequest({ function: 0x06, unit: UNIT, address: 6, value: 256 })), '32 86 03 F2 6E'],
  ];
  for (const [request, wanted] of dialogue) {
    answer = '';
    twin.slave.receive(bytesOf(request));
    await clock.advance(60);
    assert.is(answer, wanted, `answer to ${request}`);
  }
  assert.equal(twin.output, { duty: 51, enabled: true, prescaler: 45, fraction: 0.2 });
});

test.run();
