import { uartFaultSchema } from '../../devices/dfr1184/fault.ts';
import { Dfr1184Twin } from '../../devices/dfr1184/twin.ts';
import { SerialSocket } from '../pty/serial-socket.ts';
import { SerialHub } from '../usb/serial-hub.ts';
import { inputsOf, lineClock } from './bench-context.ts';
import { defineBenchDevice, replyFaults } from './define-bench-device.ts';
import { SerialPort } from './serial-port.ts';

const BAUD = 9600;

/** The UART ADC module on the Pi's own serial line, which has no USB adapter in between. */
export const uart = defineBenchDevice({
  name: 'uart',
  build: (context) => {
    const volts = inputsOf(context, 'uart');
    const twin = new Dfr1184Twin({ ...context.twinOptions(), volts: (input) => volts(input - 1) });
    const hub = new SerialHub(twin);
    const socket = new SerialSocket({
      link: context.path('uart'),
      twin: hub.asTwin(),
      clock: lineClock,
      baud: BAUD,
      atLineRate: context.atLineRate,
    });
    return {
      twin,
      ports: { uart: new SerialPort(socket) },
      faults: replyFaults(uartFaultSchema, (...faults) => twin.faultOnce(...faults)),
      unpowered: () => twin.loseSupply(),
      uart: hub.asTwin(),
    };
  },
});
