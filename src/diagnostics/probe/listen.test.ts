import * as assert from 'uvu/assert';
import { appendCrc } from '../../devices/modbus-rtu/crc.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { sweepOrder } from './combinations.ts';
import { findFrames } from './frames.ts';
import { judge } from './listen.ts';

const test = suite('bytes on a line without a request');

test('DIAG-041 frames of another master, 00 bytes and a talker at another rate are distinguished', () => {
  const kinds = [
    [],
    [...appendCrc([7, 3, 0, 0, 0, 2]), ...appendCrc([7, 3, 4, 0, 1, 0, 2])],
    new Array<number>(12).fill(0),
    [0x06, 0x18, 0x1e, 0x60, 0x66, 0x78, 0x7e, 0x80, 0x86],
    [0x78, 0x80, 0xf8, 0x00, 0x78, 0x80, 0xf8, 0x00],
    [0x55, 0xa1, 0x13],
  ].map((bytes) => judge(Uint8Array.from(bytes)));
  assert.equal(
    kinds.map(({ kind }) => kind),
    ['silence', 'foreign_traffic', 'garbage', 'garbage', 'garbage', 'garbage'],
  );
  const words = [
    [2, 'A and B'],
    [3, 'half'],
    [4, 'a quarter'],
    [5, 'another bit rate'],
  ] as const;
  for (const [index, word] of words) assert.match(kinds[index]?.meaning ?? '', word);
});

test('DIAG-041 noise is no frame: one in 2,000 bytes of chance at most', () => {
  const random = seededRandom(1);
  const noise = Uint8Array.from({ length: 4000 }, () => Math.floor(random() * 256));
  assert.ok(findFrames(noise).length <= 2, `${findFrames(noise).length}`);
});

test('DIAG-009 DIAG-041 the sweep: parity none, even, odd; in each the usual rates; rare rates at the end', () => {
  const order = sweepOrder({ baudrate: 19_200, parity: 'N', device_id: 7 });
  const text = order.map(({ baudrate, parity, device_id }) => `${parity}${baudrate}/${device_id}`);
  assert.equal(text.slice(0, 4), ['N19200/1', 'N19200/2', 'N9600/7', 'N9600/1']);
  assert.ok(text.indexOf('N115200/2') < text.indexOf('E19200/7'));
  assert.ok(text.indexOf('O115200/2') < text.indexOf('N57600/7'));
  assert.is(new Set(text).size, text.length, 'nothing twice');
  assert.not.ok(text.includes('N19200/7'), 'the configured one was asked before');
});

test.run();
