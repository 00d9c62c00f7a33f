import * as assert from 'uvu/assert';
import { suite } from '../../test-kit/suite.ts';
import { withAnswering } from './answering-chips.ts';

const test = suite('chips on the I2C buses');

const chip = (bus: number, address: string) => ({ bus, address, name: 'ADS1115' });

test('SVC-035 a chip that answered its driver is listed on its bus, once, beside what the kernel lists', () => {
  const clock = { address: '0x68', name: 'rtc' };
  const buses = [
    { bus: 1, path: '/dev/i2c-1', chips: [clock] },
    { bus: 3, path: '/dev/i2c-3', chips: [{ address: '0x49', name: 'ads1115' }] },
  ];
  assert.equal(withAnswering(buses, [chip(1, '0x48'), chip(3, '0x49'), chip(7, '0x48')]), [
    { bus: 1, path: '/dev/i2c-1', chips: [clock, { address: '0x48', name: 'ADS1115' }] },
    { bus: 3, path: '/dev/i2c-3', chips: [{ address: '0x49', name: 'ads1115' }] },
  ]);
  assert.equal(withAnswering([], [chip(1, '0x48')]), [], 'a bus that is not there is not made up');
});

test.run();
