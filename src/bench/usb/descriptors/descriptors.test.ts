import * as assert from 'uvu/assert';
import { suite } from '../../../test-kit/suite.ts';
import { usbTwins } from '../../../test-kit/usbip/twins.ts';
import { bytesOf, hexOf } from '../../../transports/hex.ts';
import { HidHub } from '../hid-hub.ts';
import { mcp2221aUsbDevice } from '../mcp2221a.ts';
import { ticUsbDevice } from '../tic.ts';
import { stringDescriptor } from './standard.ts';
import { descriptorOf, interfacesOf } from './usb-descriptors.ts';

const test = suite('USB descriptors');

const twins = usbTwins();
const identity = { vendorId: 0x1ffb, productId: 0x00c9, serial: '00123456', bcdDevice: 0x0106 };
const mcp2221a = mcp2221aUsbDevice(new HidHub(twins.adc)).descriptors;
const tic = ticUsbDevice(twins.tic, () => identity).descriptors;
const hex = (bytes: Uint8Array | undefined): string => (bytes ? hexOf(bytes) : 'none');

test('DEV-001 the MCP2221A is 04D8:00DD, class EF/02/01, without a serial number', () => {
  assert.is(hex(mcp2221a.device), '12 01 00 02 EF 02 01 08 D8 04 DD 00 00 01 01 02 00 01');
});

test('the MCP2221A has a serial port on interfaces 0 and 1 and HID on interface 2', () => {
  const parts = [
    '09 02 6B 00 03 01 00 80 32', // configuration: 107 bytes, 3 interfaces, bus powered, 100 mA
    '08 0B 00 02 02 02 01 00', // interfaces 0 and 1 belong together
    '09 04 00 00 01 02 02 01 00', // 0: CDC control
    '05 24 00 10 01',
    '04 24 02 02',
    '05 24 06 00 01',
    '05 24 01 00 01',
    '07 05 81 03 08 00 02',
    '09 04 01 00 02 0A 00 00 00', // 1: CDC data
    '07 05 82 02 40 00 00',
    '07 05 02 02 40 00 00',
    '09 04 02 00 02 03 00 00 00', // 2: HID
    '09 21 11 01 00 01 22 1D 00',
    '07 05 83 03 40 00 01', // EP 3 IN, interrupt, 64 bytes, 1 ms
    '07 05 03 03 40 00 01', // EP 3 OUT
  ];
  assert.is(hex(mcp2221a.configuration), parts.join(' '));
  assert.is(mcp2221a.configuration.length, 107);
});

test('the HID reports have 64 bytes in each direction and no report ids', () => {
  const [, report] = mcp2221a.ofInterfaces;
  const items = '06 00 FF 09 01 A1 01 19 01 29 40 15 00 26 FF 00 75 08 95 40 81 00 19 01 29 40 91 00 C0';
  assert.is(hex(report?.bytes), items);
  assert.is(bytesOf(items).length, 0x1d);
});

test('the Tic is 1FFB:00C9, its release is its firmware, its serial is string 3', () => {
  assert.is(hex(tic.device), '12 01 00 02 FF 00 00 08 FB 1F C9 00 06 01 01 02 03 01');
  assert.is(hex(tic.configuration), '09 02 12 00 01 01 00 80 32 09 04 00 00 00 FF 00 00 00');
  assert.is(hex(descriptorOf(tic, 3, 3)), '12 03 30 00 30 00 31 00 32 00 33 00 34 00 35 00 36 00');
});

test('a Tic without a serial number has no string 3', () => {
  const { descriptors } = ticUsbDevice(twins.tic, () => ({ ...identity, serial: null }));
  assert.is(descriptors.device[16], 0);
  assert.is(descriptorOf(descriptors, 3, 3), undefined);
});

test('another firmware of the twin shows at the next look', () => {
  const usb = ticUsbDevice(twins.tic, () => twins.tic.identity);
  assert.is(hex(usb.descriptors.device.slice(12, 14)), '06 01');
  twins.tic.knobs.patch({ firmware: '1.04' });
  assert.is(hex(usb.descriptors.device.slice(12, 14)), '04 01');
});

test('strings: languages, manufacturer, product, and no more', () => {
  const text = (number: number) =>
    Buffer.from(descriptorOf(mcp2221a, 3, number) ?? []).toString('utf16le', 2);
  assert.is(hex(descriptorOf(mcp2221a, 3, 0)), '04 03 09 04');
  assert.is(text(1), 'Microchip Technology Inc.');
  assert.is(text(2), 'MCP2221 USB-I2C/UART Combo');
  assert.is(descriptorOf(mcp2221a, 3, 3), undefined);
  assert.is(descriptorOf(mcp2221a, 3, 0xee), undefined);
});

test('there is no second configuration, and no descriptor of another speed', () => {
  assert.is(descriptorOf(mcp2221a, 2, 1), undefined);
  assert.is(descriptorOf(mcp2221a, 6, 0), undefined);
  assert.is(descriptorOf(mcp2221a, 15, 0), undefined);
});

test('classes of the interfaces come out of the configuration', () => {
  const classes = interfacesOf(mcp2221a).map((entry) => Object.values(entry));
  assert.equal(classes, [
    [2, 2, 1],
    [10, 0, 0],
    [3, 0, 0],
  ]);
});

test('a string that does not fit into 255 bytes is refused', () => {
  assert.is(stringDescriptor('x'.repeat(126)).length, 254);
  assert.throws(() => stringDescriptor('x'.repeat(127)), /too long/);
});

test.run();
