import { DEFAULT_ADDRESS } from '../../devices/ads1115/protocol.ts';
import { hidFaultSchema } from '../../devices/mcp2221a/fault.ts';
import { Mcp2221aTwin } from '../../devices/mcp2221a/twin.ts';
import type { I2cTwin } from '../../devices/twin.ts';
import { HidSocket } from '../hid/hid-socket.ts';
import { PacedPort } from '../hid/paced-port.ts';
import { HidHub } from '../usbip/hid-hub.ts';
import { SocketPort } from './socket-port.ts';
import { inputsOf, lineClock, newStation, placeOf, type Surroundings } from './surroundings.ts';

/**
 * The USB ADC chip. It lives on USB power: pulled out it forgets what it was told.
 *
 * @param sensorAdc the twin at 0x48 of the chip's I2C bus
 */
export function usbhidStation(around: Surroundings, sensorAdc: I2cTwin) {
  const { station, twinOptions } = newStation(around, 'usbhid');
  const volts = inputsOf(around, 'usbhid');
  const twin = new Mcp2221aTwin({
    ...twinOptions,
    volts: (input) => volts(input - 1),
    i2c: new Map([[DEFAULT_ADDRESS, sensorAdc]]),
    turnaroundMs: 0,
  });
  const hub = new HidHub(twin);
  const socket = new HidSocket({
    path: placeOf(around, 'usbhid.sock'),
    twin: hub.asTwin(),
    clock: lineClock,
  });
  station.equip({
    twin,
    ports: [
      new SocketPort({
        name: 'usbhid',
        socket,
        address: () => `bench:${socket.path}`,
        path: () => socket.path,
      }),
    ],
    faults: { schema: hidFaultSchema, apply: (faults) => twin.faultOnce(...faults) },
    unpowered: () => twin.powerUp(),
  });
  return { station, twin, usbPort: new PacedPort(hub, { clock: lineClock }) };
}
