import { hidFaultSchema } from '../../devices/mcp2221a/fault.ts';
import { Mcp2221aTwin } from '../../devices/mcp2221a/twin.ts';
import { HidSocket } from '../hid/hid-socket.ts';
import { PacedPort } from '../hid/paced-port.ts';
import { HidHub } from '../usbip/hid-hub.ts';
import { SocketPort } from './socket-port.ts';
import { inputsOf, lineClock, newStation, placeOf, type Surroundings } from './surroundings.ts';

/** The USB ADC chip. It lives on USB power: pulled out it forgets what it was told. */
export function usbhidStation(around: Surroundings) {
  const { station, twinOptions } = newStation(around, 'usbhid');
  const volts = inputsOf(around, 'usbhid');
  const twin = new Mcp2221aTwin({ ...twinOptions, volts: (input) => volts(input - 1), turnaroundMs: 0 });
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
