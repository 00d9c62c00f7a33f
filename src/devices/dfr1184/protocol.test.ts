import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { seededRandom } from '../../lib/random/seeded-random.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import * as protocol from './protocol.ts';
import { textLines } from './text-lines.ts';
import { Dfr1184Twin } from './twin.ts';

const test = suite('dfr1184 protocol');

const requests: [name: string, Uint8Array, string][] = [
  ['probe', protocol.PROBE, '41 54 0D 0A'],
  ['the answer to it', protocol.PROBE_ANSWER, '4F 4B 0D 0A'],
  ['select AIN1', protocol.selectInput(1), 'CC 20 01 01'],
  ['select AIN2', protocol.selectInput(2), 'CC 20 01 02'],
  ['read sample', protocol.READ_SAMPLE, 'BB 31 03'],
  ['text of AIN1', protocol.textRequest(1), hexOf(Buffer.from('AT+AIN1=?\r\n'))],
  ['text of AIN2', protocol.textRequest(2), hexOf(Buffer.from('AT+AIN2=?\r\n'))],
];
for (const [name, bytes, frame] of requests) {
  test(`DEV-012 DEV-013 ${name} is ${frame}`, () => assert.is(hexOf(bytes), frame));
}

const voltages: [volts: number, raw: number, bytes: string][] = [
  [0.635, 63500, '00 F8 0C'],
  [0.755, 75500, '01 26 EC'],
  [0.885, 88500, '01 59 B4'],
  [2.5, 250000, '03 D0 90'],
  [3.3, 330000, '05 09 10'],
  [10, 1000000, '0F 42 40'],
  [11, 1100000, '10 C8 E0'],
  [167.77215, 16777215, 'FF FF FF'],
];
for (const [volts, raw, bytes] of voltages) {
  test(`DEV-013 ${volts} V is ${raw}, big-endian ${bytes}`, () => {
    assert.is(protocol.rawOf(bytesOf(bytes)), raw);
    assert.is(protocol.voltsOf(raw), volts);
    assert.is(protocol.millivoltsOf(raw), raw / 100);
    assert.is(protocol.rawOfVolts(volts), raw);
    assert.is(hexOf(protocol.sampleBytes(raw)), bytes);
  });
}

test('DEV-014 raw 0 and 1100000 are possible, 1100001, 16777215 and -1 are not', () => {
  const verdicts = [0, 1_100_000, 1_100_001, 16_777_215, -1, Number.NaN, 0.5].map(protocol.isPossible);
  assert.equal(verdicts, [true, true, false, false, false, false, false]);
});

test('DEV-015 fewer or more than three bytes are not values', () => {
  for (const bytes of ['', '00', '00 F8', '00 F8 0C 00'])
    assert.is(protocol.rawOf(bytesOf(bytes)), undefined);
});

const texts: [line: string, answer: protocol.TextAnswer | undefined][] = [
  ['AT+AIN1=755.00', { kind: 'reading', input: 1, raw: 75_500 }],
  ['AT+AIN2=885.07', { kind: 'reading', input: 2, raw: 88_507 }],
  ['AT+AIN1=0.00', { kind: 'reading', input: 1, raw: 0 }],
  ['AT+AIN1=11000.00', { kind: 'reading', input: 1, raw: 1_100_000 }],
  ['ERROR', { kind: 'error' }],
  ['AT+AIN3=755.00', undefined],
  ['AT+AIN1=755.0', undefined],
  ['AT+AIN1=755', undefined],
  ['AT+AIN1=', undefined],
  ['AT+AIN1=-1.00', undefined],
  ['AT+AIN1=755.00 ', undefined],
  ['at+ain1=755.00', undefined],
  ['OK', undefined],
  ['', undefined],
];
for (const [line, answer] of texts) {
  test(`the text "${line}" is ${answer ? JSON.stringify(answer) : 'no answer'}`, () => {
    assert.equal(protocol.textAnswerOf(line), answer);
  });
}

test('text is cut at CR LF; an end without it is no line', async () => {
  const ascii = (text: string) => protocol.asciiOf(text);
  assert.equal(await textLines(ascii('AT+AIN1=1.00\r\n')), ['AT+AIN1=1.00']);
  assert.equal(await textLines(ascii('a\r\nb\r\n')), ['a', 'b']);
  assert.equal(await textLines(ascii('a\r\nb')), undefined);
  assert.equal(await textLines(ascii('a\n')), undefined);
  assert.equal(await textLines(new Uint8Array()), []);
});

/** What the twin answers, in an order that makes each answer the right one. 0.755 V at AIN1, 0.885 V at AIN2. */
const dialogue: [sent: string, answer: string][] = [
  ['41 54 0D 0A', '4F 4B 0D 0A'],
  // Nothing selected yet, and an input that does not exist: zero.
  ['BB 31 03', '00 00 00'],
  ['CC 20 01 01', ''],
  ['BB 31 03', '01 26 EC'],
  ['CC 20 01 02', ''],
  ['BB 31 03', '01 59 B4'],
  ['CC 20 01 03', ''],
  ['BB 31 03', '00 00 00'],
  ['CC 20 01 00', ''],
  ['BB 31 03', '00 00 00'],
  // Data width in bits; a register that was written; one that never was; fewer bytes of a sample.
  ['BB 30 01', '18'],
  ['CC 40 02 12 34', ''],
  ['BB 40 02', '12 34'],
  ['BB 50 03', '00 00 00'],
  ['CC 20 01 01', ''],
  ['BB 31 02', '01 26'],
  // Text.
  [hexOf(protocol.textRequest(1)), hexOf(protocol.asciiOf('AT+AIN1=755.00\r\n'))],
  [hexOf(protocol.textRequest(2)), hexOf(protocol.asciiOf('AT+AIN2=885.00\r\n'))],
  [hexOf(protocol.asciiOf('AT+AIN3=?\r\n')), hexOf(protocol.asciiOf('ERROR\r\n'))],
  [hexOf(protocol.asciiOf('HELLO\r\n')), hexOf(protocol.asciiOf('ERROR\r\n'))],
  // Half a command is forgotten after a gap and does not swallow the next one.
  ['BB 31', ''],
  ['41 54 0D 0A', '4F 4B 0D 0A'],
];

test('DEV-045 the twin answers the documented bytes', async () => {
  const { clock, twin, sent } = twinAlone();
  for (const [request, answer] of dialogue) {
    sent.length = 0;
    twin.receive(bytesOf(request));
    await clock.advance(100);
    assert.is(hexOf(Uint8Array.from(sent)), answer, `answer to ${request}`);
  }
  assert.is(clock.pending, 0);
});

test('the twin takes commands in pieces and in a row, and answers them in order', async () => {
  const { clock, twin, sent } = twinAlone();
  for (const byte of bytesOf('CC 20 01 02 BB 31 03')) twin.receive(Uint8Array.of(byte));
  twin.receive(bytesOf('CC 20 01 01 BB 31 03 41 54 0D 0A'));
  await clock.advance(100);
  assert.is(hexOf(Uint8Array.from(sent)), '01 59 B4 01 26 EC 4F 4B 0D 0A');
});

test('a late answer of the twin holds up everything behind it', async () => {
  const { clock, twin, sent } = twinAlone();
  twin.faultOnce({ late_ms: 500 });
  twin.receive(bytesOf('CC 20 01 01 BB 31 03'));
  twin.receive(protocol.PROBE);
  await clock.advance(510);
  assert.is(sent.length, 0);
  await clock.advance(20);
  assert.is(hexOf(Uint8Array.from(sent)), '01 26 EC 4F 4B 0D 0A');
});

function twinAlone() {
  const clock = new SteppedClock();
  const sent: number[] = [];
  const twin = new Dfr1184Twin({
    clock,
    random: seededRandom(1),
    volts: (input) => (input === 1 ? 0.755 : 0.885),
  });
  twin.connect((bytes) => sent.push(...bytes));
  return { clock, twin, sent };
}

test.run();
