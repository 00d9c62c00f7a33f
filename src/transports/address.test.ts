import * as assert from 'uvu/assert';
import { suite } from '../test-kit/suite.ts';
import { parseAddress } from './address.ts';
import { isBench } from './is-bench.ts';
import { openByteTransport, openI2cBus } from './open.ts';
import { TransportError } from './transport-error.ts';

const test = suite('device addresses');

const good: [string, object][] = [
  ['/dev/ttyACM1', { scheme: 'serial', path: '/dev/ttyACM1' }],
  ['./pump', { scheme: 'serial', path: './pump' }],
  [
    'serial:/dev/serial/by-id/usb-1a86?baud=19200',
    { scheme: 'serial', path: '/dev/serial/by-id/usb-1a86', baud: 19200 },
  ],
  [
    'serial:/dev/ttyACM1?baud=19200&parity=E&bits=7',
    { scheme: 'serial', path: '/dev/ttyACM1', baud: 19200, parity: 'even', dataBits: 7 },
  ],
  ['serial:/dev/pts/5?pacing=none', { scheme: 'serial', path: '/dev/pts/5', isPaced: false }],
  ['serial:/dev/ttyACM1?pacing=line', { scheme: 'serial', path: '/dev/ttyACM1' }],
  ['serial:/dev/ttyACM1?parity=odd', { scheme: 'serial', path: '/dev/ttyACM1', parity: 'odd' }],
  ['i2c:/dev/i2c-1#0x48', { scheme: 'i2c', path: '/dev/i2c-1', device: 0x48 }],
  ['/dev/i2c-1#0x49', { scheme: 'i2c', path: '/dev/i2c-1', device: 0x49 }],
  ['i2c:/dev/i2c-0', { scheme: 'i2c', path: '/dev/i2c-0' }],
  ['bench:/run/svc/bench/ads1115.sock', { scheme: 'bench', path: '/run/svc/bench/ads1115.sock' }],
  ['hid:04d8:00dd', { scheme: 'hid', vendorId: 0x04d8, productId: 0x00dd }],
  ['USB:1ffb:00C9', { scheme: 'usb', vendorId: 0x1ffb, productId: 0x00c9 }],
];

for (const [text, wanted] of good) {
  test(`${text} is understood`, () => {
    assert.equal(parseAddress(text), { text, ...wanted });
  });
}

const bad = [
  '',
  'ttyACM1',
  'tcp:host:502',
  'serial:?baud=9600',
  'serial:/dev/ttyACM1?baud=fast',
  'serial:/dev/ttyACM1?baud=9600&parity=mark',
  'serial:/dev/ttyACM1?baud=9600&baud=19200',
  'serial:/dev/ttyACM1?bits=9',
  'serial:/dev/ttyACM1?stop=2',
  'serial:/dev/pts/5?pacing=slow',
  'i2c:/dev/i2c-1#0x90',
  'i2c:/dev/spi-1#0x48',
  'hid:04d8',
  'usb:4d8:c9',
];

for (const text of bad) {
  test(`"${text}" is refused, naming it and the known forms`, () => {
    try {
      parseAddress(text);
      assert.unreachable();
    } catch (error) {
      assert.instance(error, TransportError);
      assert.is((error as TransportError).code, 'address_invalid');
      assert.ok((error as TransportError).message.includes(`"${text}"`));
      assert.ok((error as TransportError).message.includes('bench:<socket path>'));
    }
  });
}

test('an address of the wrong kind is refused before anything is opened', () => {
  assert.throws(() => openByteTransport('i2c:/dev/i2c-1', { baud: 9600 }), /does not lead to a serial line/);
  assert.throws(() => openI2cBus('/dev/ttyACM0'), /does not lead to an I2C bus/);
});

test('the baud of the address wins', () => {
  assert.is(openByteTransport('serial:/dev/ttyACM0?baud=38400', { baud: 9600 }).baud, 38400);
  assert.is(openByteTransport('/dev/ttyACM0', { baud: 9600 }).baud, 9600);
});

test('DEV-046 only a bench socket or a pseudo-terminal is a bench', () => {
  assert.is(isBench('bench:/tmp/none.sock'), true);
  assert.is(isBench('/dev/null'), false);
  assert.is(isBench('/dev/not-there'), false);
  assert.is(isBench('i2c:/dev/i2c-77#0x48'), false);
  assert.is(isBench('hid:04d8:00dd'), false);
});

test('a port that is not there says so with its path and a remedy', async () => {
  const port = openByteTransport('/dev/not-there', { baud: 9600 });
  try {
    await port.open();
    assert.unreachable();
  } catch (error) {
    assert.is((error as TransportError).code, 'port_absent');
    assert.match((error as TransportError).message, /\/dev\/not-there.*plug the device in/);
  }
});

test('a file that is not a port is refused', async () => {
  const port = openByteTransport('/dev/null', { baud: 9600 });
  await port.open().then(
    () => assert.unreachable(),
    (error: TransportError) => assert.is(error.code, 'port_failed'),
  );
});

test('an I2C bus that is not there is port_absent, also over the bench', async () => {
  const codes: string[] = [];
  for (const address of ['bench:/tmp/svc-no-such.sock', 'i2c:/dev/i2c-77#0x48']) {
    await openI2cBus(address)
      .transfer(0x48, new Uint8Array(), 1)
      .catch((error: TransportError) => codes.push(error.code));
  }
  assert.is(codes[0], 'port_absent');
  assert.ok(codes[1] === 'port_absent' || codes[1] === 'driver_missing', codes[1]);
});

test.run();
