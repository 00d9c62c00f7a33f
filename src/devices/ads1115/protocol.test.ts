import * as assert from 'uvu/assert';
import { SteppedClock } from '../../lib/clock/stepped-clock.ts';
import { suite } from '../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../transports/hex.ts';
import * as protocol from './protocol.ts';
import { Ads1115Twin } from './twin.ts';

const test = suite('ads1115 protocol');

const starts: [protocol.AdcInput, string][] = [
  [0, 'C3 83'],
  [1, 'D3 83'],
  [2, 'E3 83'],
  [3, 'F3 83'],
];
for (const [input, word] of starts) {
  test(`DEV-027 the start of AIN${input} is ${word}, high byte first`, () => {
    assert.is(hexOf(Uint8Array.from(protocol.wordBytes(protocol.startConfig(input)))), word);
  });
}

test('DEV-027 a start config says: single shot, this input against ground, 4.096 V, 128 samples/s, comparator off', () => {
  for (const [input] of starts) {
    const config = protocol.startConfig(input);
    assert.is(config & protocol.OS_BIT, 0x8000);
    assert.is((config >> 12) & 7, 0b100 | input);
    assert.is(protocol.FULL_SCALE_VOLTS[(config >> 9) & 7], 4.096);
    assert.is(config & protocol.SINGLE_SHOT_BIT, 0x0100);
    assert.is(protocol.RATES[(config >> 5) & 7], 128);
    assert.is(config & 0x1f, 0b00011);
  }
});

const values: [bytes: string, raw: number, volts: number][] = [
  ['13 D8', 5080, 0.635],
  ['17 98', 6040, 0.755],
  ['1B A8', 7080, 0.885],
  ['00 00', 0, 0],
  ['00 01', 1, 0.000125],
  ['01 00', 256, 0.032],
  ['7F FE', 32766, 4.09575],
  ['7F FF', 32767, 4.095875],
  ['80 00', -32768, -4.096],
  ['FF FF', -1, -0.000125],
  ['FF FE', -2, -0.00025],
];
for (const [bytes, raw, volts] of values) {
  test(`DEV-027 ${bytes} is ${raw}, ${volts} V`, () => {
    assert.is(protocol.signedOf(bytesOf(bytes)), raw);
    assert.is(protocol.voltsOf(raw), volts);
  });
}

const gains: [code: number, fullScale: number, microvolts: number][] = [
  [0b000, 6.144, 187.5],
  [0b001, 4.096, 125],
  [0b010, 2.048, 62.5],
  [0b011, 1.024, 31.25],
  [0b100, 0.512, 15.625],
  [0b101, 0.256, 7.8125],
  [0b110, 0.256, 7.8125],
  [0b111, 0.256, 7.8125],
];
for (const [code, fullScale, microvolts] of gains) {
  test(`DEV-045 gain ${code} is ${fullScale} V: the twin counts ${microvolts} uV`, async () => {
    assert.is(protocol.FULL_SCALE_VOLTS[code], fullScale);
    const { clock, twin } = twinAlone(0.1);
    start(twin, (0xc383 & ~0x0e00) | (code << 9));
    await clock.advance(8);
    assert.is(read(twin, 0), Math.round(100_000 / microvolts));
  });
}

for (const [code, rate] of [8, 16, 32, 64, 128, 250, 475, 860].entries()) {
  test(`DEV-045 rate ${code} is ${rate}/s: the twin is busy for 1/${rate} s`, async () => {
    assert.is(protocol.RATES[code], rate);
    const { clock, twin } = twinAlone(0.635);
    start(twin, (0xc383 & ~0xe0) | (code << 5));
    await clock.advance(1000 / rate - 0.01);
    assert.is(read(twin, 1) & protocol.OS_BIT, 0);
    await clock.advance(0.02);
    assert.is(read(twin, 1) & protocol.OS_BIT, protocol.OS_BIT);
  });
}

test('DEV-045 the registers of the twin after power-up, and its thresholds', () => {
  const { twin } = twinAlone(0);
  assert.equal(
    [0, 1, 2, 3].map((pointer) => read(twin, pointer)),
    [0, 0x8583, 0x8000, 0x7fff],
  );
  twin.transfer(bytesOf('02 12 34'), 0);
  assert.is(read(twin, 2), 0x1234);
  // The conversion register cannot be written.
  twin.transfer(bytesOf('00 12 34'), 0);
  assert.is(read(twin, 0), 0);
});

test('DEV-045 the twin ends at 7FFF and 8000, and knows inputs against each other', async () => {
  const inputs = [5, 1, 0.25, 0];
  const { clock, twin } = twinAlone((input) => inputs[input] ?? 0);
  const rows: [config: number, raw: number][] = [
    [0xc383, 0x7fff],
    [0xd383, 8000],
    [0xe383, 2000],
    [0xf383, 0],
    // AIN1 - AIN3, AIN2 - AIN3, AIN0 - AIN1 beyond the range.
    [0xa383, 8000],
    [0xb383, 2000],
    [0x8383, 32_000],
  ];
  for (const [config, raw] of rows) {
    start(twin, config);
    await clock.advance(8);
    assert.is(read(twin, 0), raw, config.toString(16));
  }
  inputs[1] = 9;
  start(twin, 0x8383);
  await clock.advance(8);
  assert.is(read(twin, 0), -32_000 & 0xffff);
});

test('DEV-045 a start during a conversion has no effect on the twin, as the data sheet says', async () => {
  const { clock, twin } = twinAlone((input) => 1 + input);
  start(twin, 0xc383);
  await clock.advance(4);
  start(twin, 0xf383);
  await clock.advance(4);
  assert.is(read(twin, 1), 0xf383, 'idle, with the later config');
  assert.is(read(twin, 0), 8000, 'the value of AIN0');
});

test('DEV-045 in continuous mode the twin never says that it is idle', async () => {
  const { clock, twin } = twinAlone(0.635);
  twin.transfer(bytesOf('01 42 83'), 0);
  await clock.advance(100);
  assert.is(read(twin, 1), 0x4283);
  assert.is(read(twin, 0), 5080);
  twin.transfer(bytesOf('01 43 83'), 0);
  assert.is(read(twin, 1), 0xc383);
});

function twinAlone(volts: number | ((input: number) => number)) {
  const clock = new SteppedClock();
  const twin = new Ads1115Twin({ clock, volts: typeof volts === 'number' ? () => volts : volts });
  return { clock, twin };
}

function start(twin: Ads1115Twin, config: number): void {
  twin.transfer(Uint8Array.of(1, ...protocol.wordBytes(config)), 0);
}

function read(twin: Ads1115Twin, pointer: number): number {
  const answer = twin.transfer(Uint8Array.of(pointer), 2);
  if (!answer.ok) throw new Error(answer.error);
  return protocol.wordOf(answer.bytes);
}

test.run();
