import { uartFaultSchema } from '../../devices/dfr1184/fault.ts';
import { Dfr1184Twin } from '../../devices/dfr1184/twin.ts';
import { SerialSocket } from '../pty/serial-socket.ts';
import { SerialPort } from './serial-port.ts';
import { inputsOf, lineClock, newStation, placeOf, type Surroundings } from './surroundings.ts';

const BAUD = 9600;

/** The UART ADC module on the Pi's own serial line, which has no USB adapter in between. */
export function uartStation(around: Surroundings) {
  const { station, twinOptions } = newStation(around, 'uart');
  const volts = inputsOf(around, 'uart');
  const twin = new Dfr1184Twin({ ...twinOptions, volts: (input) => volts(input - 1) });
  const socket = new SerialSocket({
    link: placeOf(around, 'uart'),
    twin,
    clock: lineClock,
    baud: BAUD,
    atLineRate: around.atLineRate,
  });
  station.equip({
    twin,
    ports: [new SerialPort({ name: 'uart', socket })],
    faults: { schema: uartFaultSchema, apply: (faults) => twin.faultOnce(...faults) },
    unpowered: () => twin.loseSupply(),
  });
  return { station, twin };
}
