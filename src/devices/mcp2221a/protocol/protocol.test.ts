import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../../transports/hex.ts';
import { AnswerFault } from './answer.ts';
import { decodeChipSettings, decodeFactorySerial, decodeFlashString, FLASH, readFlash } from './flash.ts';
import { decodeGpio, getGpio } from './gpio.ts';
import { decodeFetch, decodeTransferStart, fetchI2c, readI2c, writeI2c } from './i2c.ts';
import { COMMAND, type Command, Request } from './request.ts';
import {
  configurationFaults,
  decodeSetSram,
  decodeSram,
  getSram,
  reloadReference,
  setUpAdc,
} from './sram.ts';
import { cancelTransfer, decodeStatus, dividerOf, setI2cSpeed, status } from './status.ts';

const test = suite('mcp2221a protocol');

/** The idle answer of a real chip. */
const IDLE =
  '10 00 00 00 00 00 00 00 00 03 00 03 00 03 14 00 40 00 10 28 00 60 01 01 00 00 F1 79 F0 00 00 00 ' +
  '30 30 0B 30 14 23 17 7D 06 00 00 26 94 14 41 36 31 32 FB 03 00 00 FA 03 76 03 5B 02 00 00 00 00';

/** 64 bytes beginning with `hex`; what it leaves out is `filler`. */
function report(hex: string, filler = 0): Uint8Array {
  const bytes = new Uint8Array(64).fill(filler);
  bytes.set(bytesOf(hex));
  return bytes;
}

/** `hex` with single bytes replaced. */
function changed(hex: string, changes: Record<number, number>): Uint8Array {
  const bytes = report(hex);
  for (const [index, byte] of Object.entries(changes)) bytes[Number(index)] = byte;
  return bytes;
}

function fault(work: () => unknown): AnswerFault {
  try {
    work();
  } catch (error) {
    if (error instanceof AnswerFault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

const REQUESTS: [title: string, request: Request | undefined, hex: string][] = [
  ['status', status(), '10'],
  ['cancel', cancelTransfer(), '10 00 10'],
  ['100 kHz', setI2cSpeed(100_000), '10 00 00 20 76'],
  ['400 kHz', setI2cSpeed(400_000), '10 00 00 20 1C'],
  ['read settings', getSram(), '61'],
  ['set-up, VDD, GP0 = 02', setUpAdc('vdd', 0x02), '60 00 00 00 00 80 00 80 02 02 02 02'],
  ['set-up, VDD, GP0 = 18', setUpAdc('vdd', 0x18), '60 00 00 00 00 80 00 80 18 02 02 02'],
  ['set-up, 1.024 V', setUpAdc('1.024', 0x02), '60 00 00 00 00 83 00 80 02 02 02 02'],
  ['set-up, 2.048 V', setUpAdc('2.048', 0x02), '60 00 00 00 00 85 00 80 02 02 02 02'],
  ['set-up, 4.096 V', setUpAdc('4.096', 0x02), '60 00 00 00 00 87 00 80 02 02 02 02'],
  ['reload 1.024 V', reloadReference('1.024'), '60 00 00 00 00 83'],
  ['reload 2.048 V', reloadReference('2.048'), '60 00 00 00 00 85'],
  ['reload 4.096 V', reloadReference('4.096'), '60 00 00 00 00 87'],
  ['GPIO', getGpio(), '51'],
  ['chip settings', readFlash(FLASH.chipSettings), 'B0 00'],
  ['GP settings', readFlash(FLASH.gpioSettings), 'B0 01'],
  ['manufacturer', readFlash(FLASH.manufacturer), 'B0 02'],
  ['product', readFlash(FLASH.product), 'B0 03'],
  ['USB serial', readFlash(FLASH.usbSerial), 'B0 04'],
  ['factory serial', readFlash(FLASH.factorySerial), 'B0 05'],
  ['read one byte of 0x48', readI2c(0x48, 1), '91 01 00 91'],
  ['repeated start read', readI2c(0x48, 300, COMMAND.readI2cRepeated), '93 2C 01 91'],
  ['fetch', fetchI2c(), '40'],
  ['write to 0x48', writeI2c(0x48, [0x01, 0xc3, 0x83])[0], '90 03 00 90 01 C3 83'],
  ['write without stop', writeI2c(0x48, [0x00], COMMAND.writeI2cNoStop)[0], '94 01 00 90 00'],
  ['repeated start write', writeI2c(0x48, [0x00], COMMAND.writeI2cRepeated)[0], '92 01 00 90 00'],
];

for (const [title, request, hex] of REQUESTS) {
  test(`DEV-002 request ${title} is ${hex} in 64 bytes, 65 with the report id`, () => {
    assert.is(hexOf(request?.bytes ?? new Uint8Array()), hexOf(report(hex)));
    assert.is(hexOf(request?.report ?? new Uint8Array()), `00 ${hexOf(report(hex))}`);
  });
}

test('DEV-004 reset, flash write, password and GPIO set cannot be encoded', () => {
  for (const command of [0x70, 0xb1, 0xb2, 0x50])
    assert.throws(() => new Request(command as Command), /not one that a service may send/);
  assert.not.ok(Object.values(COMMAND).some((command) => [0x70, 0xb1, 0xb2].includes(command)));
});

test('DEV-005 the real idle answer is read as documented', () => {
  assert.equal(decodeStatus(report(IDLE)), {
    cancel: 0,
    speed: 0,
    engineState: 0,
    requestedLength: 3,
    transferredLength: 3,
    divider: 0x14,
    addressNotAcknowledged: false,
    engineUsed: true,
    sclHigh: true,
    sdaHigh: true,
    hardwareRevision: 'A6',
    firmwareRevision: '12',
    adc: [0x3fb, 0, 0x3fa],
  });
});

test('DEV-005 C5 00 is raw 197, 1023 is whole, a word above ten bits is corrupt on any channel', () => {
  assert.equal(decodeStatus(changed(IDLE, { 50: 0xc5, 51: 0 })).adc[0], 197);
  assert.equal(decodeStatus(changed(IDLE, { 50: 0xff, 51: 3 })).adc[0], 1023);
  for (const index of [51, 53, 55]) {
    const found = fault(() => decodeStatus(changed(IDLE, { [index]: 4 })));
    assert.equal([found.code, found.reason], ['corrupt_response', 'word']);
  }
});

test('DEV-002 another echo, another result and another length are refused', () => {
  assert.is(fault(() => decodeStatus(changed(IDLE, { 0: 0x61 }))).reason, 'echo');
  const refused = fault(() => decodeStatus(changed(IDLE, { 1: 1 })));
  assert.equal([refused.code, refused.reason], ['device_error', 'result']);
  for (const length of [0, 1, 55, 63])
    assert.is(fault(() => decodeStatus(report(IDLE).slice(0, length))).reason, 'length');
  const long = Uint8Array.from([...report(IDLE), 0]);
  assert.is(fault(() => decodeStatus(long)).reason, 'length');
});

test('DEV-003 no byte that a command does not define changes what is read', () => {
  const defined: [(bytes: Uint8Array) => unknown, string, (index: number) => boolean][] = [
    [
      decodeStatus,
      IDLE,
      (index) =>
        index <= 4 ||
        (index >= 8 && index <= 17) ||
        (index >= 20 && index <= 25) ||
        (index >= 46 && index <= 55),
    ],
    [decodeSram, SRAM, (index) => index <= 25],
    [decodeSetSram, '60 00', (index) => index <= 1],
    [decodeGpio, '51 00 EE EF 01 00 00 01 EE EF', (index) => index <= 9],
    [decodeFactorySerial, 'B0 00 08 00 30 31 32 33 34 35 36 37', (index) => index <= 11],
    [decodeFetch, '40 00 55 01 A5', (index) => index <= 4],
    [decodeFetch, '40 41 25 7F', (index) => index <= 3],
  ];
  for (const [decode, hex, isDefined] of defined) {
    for (const filler of [0x00, 0x5a, 0xff]) {
      const bytes = report(hex).map((byte, index) => (isDefined(index) ? byte : filler));
      assert.equal(decode(bytes), decode(report(hex)), `${hex} with ${filler}`);
    }
  }
});

const SRAM = '61 00 12 04 7C 12 88 68 D8 04 DD 00 80 32 00 00 00 00 00 00 00 00 02 02 02 02';

test('DEV-007 the settings are read from [7] and [22..25]', () => {
  assert.equal(decodeSram(report(SRAM)), {
    vendorId: 0x04d8,
    productId: 0x00dd,
    referenceBits: 0b010,
    gpio: [2, 2, 2, 2],
  });
  assert.is(fault(() => decodeSram(changed(SRAM, { 2: 0x11 }))).reason, 'structure');
  assert.is(fault(() => decodeSram(changed(SRAM, { 3: 0x05 }))).reason, 'structure');
  assert.is(fault(() => decodeSetSram(report('60 01'))).reason, 'result');
});

test('DEV-007 a read-back is judged by pin function and reference, and by nothing else', () => {
  const faults = (changes: Record<number, number>, source: '1.024' | '2.048' | '4.096' | 'vdd') => {
    const { reference, pins } = configurationFaults(decodeSram(changed(SRAM, changes)), source);
    return [reference !== undefined, ...pins.map((pin) => pin !== undefined)];
  };
  const [good, bad] = [false, true];
  // VDD: only bit 2 counts. Vrm: bit 2 and bits 4:3.
  assert.equal(faults({}, 'vdd'), [good, good, good, good]);
  assert.equal(faults({ 7: 0x6c }, 'vdd'), [bad, good, good, good]);
  assert.equal(faults({ 7: 0x0c }, '1.024'), [good, good, good, good]);
  assert.equal(faults({ 7: 0x14 }, '2.048'), [good, good, good, good]);
  assert.equal(faults({ 7: 0x1c }, '4.096'), [good, good, good, good]);
  assert.equal(faults({ 7: 0x04 }, '2.048'), [bad, good, good, good]);
  assert.equal(faults({ 7: 0x10 }, '2.048'), [bad, good, good, good]);
  // Output and direction bits mean nothing to an ADC pin; the function does.
  assert.equal(faults({ 22: 0, 23: 0x1a, 24: 0x03, 25: 0x00 }, 'vdd'), [good, good, bad, bad]);
});

test('strings and serial numbers of the flash', () => {
  const text = (hex: string) => decodeFlashString(report(hex));
  const utf16 = (value: string) => hexOf(Buffer.from(value, 'utf16le'));
  assert.is(text(`B0 00 34 03 ${utf16('Microchip Technology Inc.')}`), 'Microchip Technology Inc.');
  assert.is(text(`B0 00 36 03 ${utf16('MCP2221 USB-I2C/UART Combo')}`), 'MCP2221 USB-I2C/UART Combo');
  assert.is(text(`B0 00 16 03 ${utf16('0123456789')}`), '0123456789');
  assert.is(text('B0 00 02 03'), '');
  assert.is(decodeFactorySerial(report('B0 00 08 00 30 31 32 33 34 35 36 37')), '01234567');
  assert.equal(decodeChipSettings(report('B0 00 0A 00 7C 12 88 6F D8 04 DD 00 80 32')), {
    vendorId: 0x04d8,
    productId: 0x00dd,
  });
  for (const hex of ['B0 00 34 02', 'B0 00 35 03', 'B0 00 40 03', 'B0 00 01 03'])
    assert.is(fault(() => text(hex)).reason, 'structure');
  for (const hex of ['B0 00 00 00', 'B0 00 08 00 30 31 07', 'B0 00 FF 00 30'])
    assert.is(fault(() => decodeFactorySerial(report(hex))).reason, 'structure');
  assert.is(fault(() => decodeChipSettings(report('B0 00 0B 00'))).reason, 'structure');
});

test('GPIO pairs, EE and EF for a pin that is none', () => {
  assert.equal(decodeGpio(report('51 00 EE EF 01 00 00 01 EE EF')), [
    null,
    { high: true, input: false },
    { high: false, input: true },
    null,
  ]);
});

test('DEV-011 answers of the I2C engine', () => {
  assert.equal(decodeTransferStart(report('91 00'), COMMAND.readI2c), { accepted: true });
  assert.equal(decodeTransferStart(report('91 01 62'), COMMAND.readI2c), { accepted: false, state: 0x62 });
  assert.is(fault(() => decodeTransferStart(report('90 00'), COMMAND.readI2c)).reason, 'echo');
  assert.equal(decodeFetch(report('40 00 55 01 A5')), {
    kind: 'data',
    state: 0x55,
    data: Uint8Array.of(0xa5),
  });
  assert.equal(decodeFetch(report('40 41 25 7F')), { kind: 'not_ready', state: 0x25 });
  assert.equal(decodeFetch(report('40 00 55 7F')), { kind: 'failed', state: 0x55 });
  assert.is(fault(() => decodeFetch(report('40 00 55 3D'))).reason, 'structure');
  assert.is(decodeStatus(changed(IDLE, { 2: 0x10 })).cancel, 0x10);
  assert.is(decodeStatus(changed(IDLE, { 2: 0x11 })).cancel, 0x11);
  assert.is(decodeStatus(changed(IDLE, { 3: 0x21 })).speed, 0x21);
  assert.is(decodeStatus(changed(IDLE, { 21: 0 })).engineUsed, false);
  assert.is(decodeStatus(changed(IDLE, { 20: 0x40 })).addressNotAcknowledged, true);
});

test('DEV-011 a read of nothing cannot be encoded, nor an address or speed out of range', () => {
  for (const length of [0, -1, 1.5, 65_536]) assert.throws(() => readI2c(0x48, length), RangeError);
  for (const address of [-1, 0x80, 1.5]) assert.throws(() => readI2c(address, 1), RangeError);
  assert.throws(() => writeI2c(0x48, []), RangeError);
  for (const hertz of [0, 46_000, 400_001, Number.NaN]) assert.throws(() => dividerOf(hertz), RangeError);
});

test('a long write goes in reports of 60 bytes with the same header', () => {
  const data = Array.from({ length: 130 }, (_, index) => index);
  const reports = writeI2c(0x50, data).map(({ bytes }) => bytes);
  assert.equal(
    reports.map((bytes) => hexOf(bytes.subarray(0, 5))),
    ['90 82 00 A0 00', '90 82 00 A0 3C', '90 82 00 A0 78'],
  );
});

test.run();
