import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { bytesOf, hexOf } from '../../../transports/hex.ts';
import {
  type DeviceSummary,
  decodeOperation,
  encodeDeviceList,
  encodeImported,
  encodeImportRefused,
  operationLength,
} from './operations.ts';

const test = suite('USB/IP operations, byte by byte as in Documentation/usb/usbip_protocol.rst');

const zeros = (count: number): string => ' 00'.repeat(count);
const request = (hex: string): Buffer => Buffer.from(bytesOf(hex));

const DEVICE: DeviceSummary = {
  path: '/sys/1-1',
  busId: '1-1',
  busNumber: 1,
  deviceNumber: 2,
  speed: 2,
  vendorId: 0x04d8,
  productId: 0x00dd,
  bcdDevice: 0x0100,
  deviceClass: 0xef,
  deviceSubClass: 2,
  deviceProtocol: 1,
  configurationValue: 1,
  configurations: 1,
  interfaces: [
    { interfaceClass: 2, interfaceSubClass: 2, interfaceProtocol: 1 },
    { interfaceClass: 3, interfaceSubClass: 0, interfaceProtocol: 0 },
  ],
};
const DEVICE_HEX =
  `2F 73 79 73 2F 31 2D 31${zeros(248)} 31 2D 31${zeros(29)} ` +
  '00 00 00 01 00 00 00 02 00 00 00 02 04 D8 00 DD 01 00 EF 02 01 01 01 02';

test('OP_REQ_DEVLIST has 8 bytes', () => {
  assert.equal(decodeOperation(request('01 11 80 05 00 00 00 00')), { kind: 'list' });
});

test('OP_REQ_IMPORT has 40 bytes; the bus id ends with the first zero', () => {
  const hex = `01 11 80 03 00 00 00 00 31 2D 31${zeros(29)}`;
  assert.is(operationLength(request(hex).subarray(0, 8)), 40);
  assert.equal(decodeOperation(request(hex)), { kind: 'import', busId: '1-1' });
});

test('OP_REP_DEVLIST of no device', () => {
  assert.is(hexOf(encodeDeviceList([])), '01 11 00 05 00 00 00 00 00 00 00 00');
});

test('OP_REP_DEVLIST describes each device in 312 bytes and each interface in 4', () => {
  const interfaces = '02 02 01 00 03 00 00 00';
  assert.is(
    hexOf(encodeDeviceList([DEVICE])),
    `01 11 00 05 00 00 00 00 00 00 00 01 ${DEVICE_HEX} ${interfaces}`,
  );
  assert.is(encodeDeviceList([DEVICE, DEVICE]).length, 12 + 2 * (312 + 8));
});

test('OP_REP_IMPORT has the device without its interfaces', () => {
  assert.is(hexOf(encodeImported(DEVICE)), `01 11 00 03 00 00 00 00 ${DEVICE_HEX}`);
});

test('OP_REP_IMPORT of a refusal ends after the status', () => {
  assert.is(hexOf(encodeImportRefused(2)), '01 11 00 03 00 00 00 02');
});

test('a path or bus id that is too long keeps its closing zero', () => {
  const bytes = encodeImported({ ...DEVICE, path: 'p'.repeat(400), busId: '1'.repeat(40) });
  assert.is(bytes.length, 320);
  assert.is(bytes[8 + 255], 0);
  assert.is(bytes[8 + 256 + 31], 0);
});

const FOREIGN: [fault: string, hex: string, message: RegExp][] = [
  ['another version', '01 06 80 05 00 00 00 00', /version 106/],
  ['an unknown operation', '01 11 80 04 00 00 00 00', /operation 8004/],
  ['a reply', '01 11 00 05 00 00 00 00', /operation 5 /],
  ['HTTP', '47 45 54 20 2F 20 48 54', /version 4745/],
  ['a bus id without end', `01 11 80 03 00 00 00 00${' 31'.repeat(32)}`, /not closed/],
];
for (const [fault, hex, message] of FOREIGN)
  test(`${fault} is not USB/IP`, () => {
    assert.throws(
      () => decodeOperation(request(hex)),
      (error: unknown) => error instanceof RangeError && message.test(error.message),
    );
  });

test.run();
