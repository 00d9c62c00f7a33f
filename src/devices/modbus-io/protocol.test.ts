import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import { appendCrc, hasValidCrc } from '../modbus-rtu/crc.ts';
import { checkReply } from '../modbus-rtu/reply.ts';
import { encodeRequest, type ModbusRequest, unpackBits } from '../modbus-rtu/request.ts';
import * as protocol from './protocol.ts';
import { ModbusIoTwin } from './twin.ts';

const test = suite('modbus-io frames');

/** The requests a service sends. */
const requests: [string, ModbusRequest, string][] = [
  ['read DO0', protocol.readCoils(1, 0, 1), '01 01 00 00 00 01 FD CA'],
  ['read DO0-7', protocol.readCoils(1), '01 01 00 00 00 08 3D CC'],
  ['read DI0-7', protocol.readInputs(1), '01 02 00 00 00 08 79 CC'],
  ['DO0 on', protocol.writeCoil(1, 0, true), '01 05 00 00 FF 00 8C 3A'],
  ['DO0 off', protocol.writeCoil(1, 0, false), '01 05 00 00 00 00 CD CA'],
  ['DO1 on', protocol.writeCoil(1, 1, true), '01 05 00 01 FF 00 DD FA'],
  ['DO1 off', protocol.writeCoil(1, 1, false), '01 05 00 01 00 00 9C 0A'],
  ['DO2 on', protocol.writeCoil(1, 2, true), '01 05 00 02 FF 00 2D FA'],
  ['DO2 off', protocol.writeCoil(1, 2, false), '01 05 00 02 00 00 6C 0A'],
  ['DO3 on', protocol.writeCoil(1, 3, true), '01 05 00 03 FF 00 7C 3A'],
  ['DO3 off', protocol.writeCoil(1, 3, false), '01 05 00 03 00 00 3D CA'],
  ['DO4 on', protocol.writeCoil(1, 4, true), '01 05 00 04 FF 00 CD FB'],
  ['DO4 off', protocol.writeCoil(1, 4, false), '01 05 00 04 00 00 8C 0B'],
  ['DO5 on', protocol.writeCoil(1, 5, true), '01 05 00 05 FF 00 9C 3B'],
  ['DO5 off', protocol.writeCoil(1, 5, false), '01 05 00 05 00 00 DD CB'],
  ['DO6 on', protocol.writeCoil(1, 6, true), '01 05 00 06 FF 00 6C 3B'],
  ['DO6 off', protocol.writeCoil(1, 6, false), '01 05 00 06 00 00 2D CB'],
  ['DO7 on', protocol.writeCoil(1, 7, true), '01 05 00 07 FF 00 3D FB'],
  ['DO7 off', protocol.writeCoil(1, 7, false), '01 05 00 07 00 00 7C 0B'],
  ['all on', protocol.writeCoil(1, protocol.ALL_COILS, true), '01 05 00 FF FF 00 BC 0A'],
  ['all off', protocol.allCoilsOff(1), '01 05 00 FF 00 00 FD FA'],
  [
    'all off (0F)',
    { function: 0x0f, unit: 1, address: 0, bits: bits(0x00) },
    '01 0F 00 00 00 08 01 00 FE 95',
  ],
  ['all on (0F)', { function: 0x0f, unit: 1, address: 0, bits: bits(0xff) }, '01 0F 00 00 00 08 01 FF BE D5'],
  [
    'DO0+DO2 (0F)',
    { function: 0x0f, unit: 1, address: 0, bits: bits(0x05) },
    '01 0F 00 00 00 08 01 05 3E 96',
  ],
  ['modes', protocol.readModes(1), '01 03 10 00 00 08 40 CC'],
  ['version', protocol.readVersion(1), '01 03 80 00 00 01 AD CA'],
  ['uart read', { function: 0x03, unit: 1, address: 0x2000, count: 1 }, '01 03 20 00 00 01 8F CA'],
  ['id 2: read DO0', protocol.readCoils(2, 0, 1), '02 01 00 00 00 01 FD F9'],
  ['id 2: DO0 on', protocol.writeCoil(2, 0, true), '02 05 00 00 FF 00 8C 09'],
  ['id 2: DO0 off', protocol.writeCoil(2, 0, false), '02 05 00 00 00 00 CD F9'],
];

for (const [name, request, frame] of requests) {
  test(`DEV-028 ${name} is ${frame}`, () => assert.is(hexOf(encodeRequest(request)), frame));
}

/** Frames a service never sends (toggle, flash, settings, broadcast) and answers: their CRC is the protocol's. */
const others = [
  '01 05 00 00 55 00 F2 9A',
  '01 05 02 00 00 07 8D B0',
  '01 06 10 00 00 01 4C CA',
  '01 06 20 00 00 02 03 CB',
  '00 06 20 00 00 02 02 1A',
  '00 06 20 00 00 05 43 D8',
  '00 03 40 00 00 01 90 1B',
  '00 03 02 00 01 44 44',
  '00 06 40 00 00 01 5C 1B',
  '01 0F 00 00 00 08 54 0D',
  '01 03 02 00 01 79 84',
  '01 03 02 00 02 39 85',
  '01 03 02 00 C8 B9 D2',
  '01 81 01 81 90',
  '01 81 02 C1 91',
  '01 82 02 C1 61',
  '01 83 02 C0 F1',
  '01 85 01 83 50',
  '01 85 02 C3 51',
  '01 85 03 02 91',
  '01 85 04 43 53',
  '01 86 02 C3 A1',
  '01 8F 02 C5 F1',
  '01 90 02 CD C1',
];

for (const frame of others) {
  test(`DEV-028 ${frame} has the right CRC`, () => {
    assert.ok(hasValidCrc(bytesOf(frame)));
    assert.is(hexOf(appendCrc(bytesOf(frame).slice(0, -2))), frame);
  });
}

const replies: [string, ModbusRequest, string, number[]][] = [
  ['DO0 off', protocol.readCoils(1, 0, 1), '01 01 01 00 51 88', [0x00]],
  ['DO0 on', protocol.readCoils(1, 0, 1), '01 01 01 01 90 48', [0x01]],
  ['outputs 05', protocol.readCoils(1), '01 01 01 05 91 8B', [0x05]],
  ['outputs 07', protocol.readCoils(1), '01 01 01 07 10 4A', [0x07]],
  ['outputs FF', protocol.readCoils(1), '01 01 01 FF 11 C8', [0xff]],
  ['inputs 00', protocol.readInputs(1), '01 02 01 00 A1 88', [0x00]],
  ['modes', protocol.readModes(1), `01 03 10 ${'00 '.repeat(16)}E4 59`, new Array<number>(16).fill(0)],
  ['version 2.00', protocol.readVersion(1), '01 03 02 00 C8 B9 D2', [0x00, 0xc8]],
];

for (const [name, request, frame, data] of replies) {
  test(`DEV-028 the answer ${name} is understood`, () => {
    assert.equal(checkReply(request, bytesOf(frame)), { state: 'reply', data: Uint8Array.from(data) });
  });
}

/** What the twin answers to documented bytes, in an order that makes each answer the right one. */
const dialogue: [string, string][] = [
  ['01 01 00 00 00 01 FD CA', '01 01 01 00 51 88'],
  ['01 05 00 00 FF 00 8C 3A', '01 05 00 00 FF 00 8C 3A'],
  ['01 01 00 00 00 01 FD CA', '01 01 01 01 90 48'],
  ['01 05 00 00 55 00 F2 9A', '01 05 00 00 55 00 F2 9A'],
  ['01 01 00 00 00 01 FD CA', '01 01 01 00 51 88'],
  ['01 0F 00 00 00 08 01 05 3E 96', '01 0F 00 00 00 08 54 0D'],
  ['01 01 00 00 00 08 3D CC', '01 01 01 05 91 8B'],
  ['01 05 00 FF FF 00 BC 0A', '01 05 00 FF FF 00 BC 0A'],
  ['01 01 00 00 00 08 3D CC', '01 01 01 FF 11 C8'],
  ['01 05 00 FF 00 00 FD FA', '01 05 00 FF 00 00 FD FA'],
  ['01 02 00 00 00 08 79 CC', '01 02 01 00 A1 88'],
  ['01 03 10 00 00 08 40 CC', `01 03 10 ${'00 '.repeat(16)}E4 59`],
  ['01 06 10 00 00 01 4C CA', '01 06 10 00 00 01 4C CA'],
  ['01 03 20 00 00 01 8F CA', '01 03 02 00 02 39 85'],
  ['01 03 80 00 00 01 AD CA', '01 03 02 00 C8 B9 D2'],
  ['00 03 40 00 00 01 90 1B', '00 03 02 00 01 44 44'],
  // Not its id, a wrong CRC, a broadcast: silence.
  ['02 01 00 00 00 01 FD F9', ''],
  ['01 01 00 00 00 01 FD CB', ''],
  ['00 06 40 00 00 01 5C 1B', ''],
  ['00 06 20 00 00 02 02 1A', ''],
  ['01 06 20 00 00 02 03 CB', '01 06 20 00 00 02 03 CB'],
  // Exceptions: unknown function, coil 8, value, register.
  [hexOf(appendCrc([1, 0x2b, 0, 0])), hexOf(appendCrc([1, 0xab, 1]))],
  [hexOf(appendCrc([1, 1, 0, 8, 0, 1])), '01 81 02 C1 91'],
  [hexOf(appendCrc([1, 2, 0, 8, 0, 1])), '01 82 02 C1 61'],
  [hexOf(appendCrc([1, 5, 0, 8, 0xff, 0])), '01 85 02 C3 51'],
  [hexOf(appendCrc([1, 5, 0, 0, 0x12, 0x34])), '01 85 03 02 91'],
  [hexOf(appendCrc([1, 3, 0, 0, 0, 1])), '01 83 02 C0 F1'],
  [hexOf(appendCrc([1, 6, 0, 0, 0, 1])), '01 86 02 C3 A1'],
  [hexOf(appendCrc([1, 0x0f, 0, 4, 0, 8, 1, 0])), '01 8F 02 C5 F1'],
  [hexOf(appendCrc([1, 0x10, 0, 0, 0, 1, 2, 0, 0])), '01 90 02 CD C1'],
];

test('DEV-045 the twin answers the documented bytes', async () => {
  const clock = new SteppedClock();
  const twin = new ModbusIoTwin({ clock, random: seededRandom(1) });
  let answer = '';
  twin.slave.connect((bytes) => {
    answer += hexOf(bytes);
  });
  for (const [request, wanted] of dialogue) {
    answer = '';
    twin.slave.receive(bytesOf(request));
    await clock.advance(60);
    assert.is(answer, wanted, `answer to ${request}`);
  }
  assert.is(clock.pending, 0);
});

function bits(byte: number): boolean[] {
  return unpackBits(Uint8Array.of(byte), 8);
}

test.run();
