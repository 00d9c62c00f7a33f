import { DEFAULT_ADDRESS } from '../../devices/ads1115/protocol.ts';
import { hidFaultSchema } from '../../devices/mcp2221a/fault.ts';
import { Mcp2221aTwin } from '../../devices/mcp2221a/twin.ts';
import { HidSocket } from '../hid/hid-socket.ts';
import { PacedPort } from '../hid/paced-port.ts';
import { HidHub } from '../usb/hid-hub.ts';
import { mcp2221aUsbDevice } from '../usb/mcp2221a.ts';
import { ads1115 } from './ads1115.ts';
import { inputsOf, lineClock } from './bench-context.ts';
import { defineBenchDevice, replyFaults } from './define-bench-device.ts';
import { benchSocketPort } from './socket-port.ts';

/** The USB ADC chip, with the sensor ADC on its I2C bus. It is bus-powered: unplugged it loses its configuration. */
export const usbhid = defineBenchDevice({
  name: 'usbhid',
  build: (context) => {
    const volts = inputsOf(context, 'usbhid');
    const twin = new Mcp2221aTwin({
      ...context.twinOptions(),
      volts: (input) => volts(input - 1),
      i2c: new Map([[DEFAULT_ADDRESS, context.twinOf(ads1115)]]),
      turnaroundMs: 0,
    });
    const hub = new HidHub(twin);
    const socket = new HidSocket({ path: context.path('usbhid.sock'), twin: hub.asTwin(), clock: lineClock });
    return {
      twin,
      ports: { usbhid: benchSocketPort(socket) },
      faults: replyFaults(hidFaultSchema, (...faults) => twin.faultOnce(...faults)),
      unpowered: () => twin.powerUp(),
      usb: { busId: '1-1', usb: mcp2221aUsbDevice(new PacedPort(hub, { clock: lineClock })) },
    };
  },
});
