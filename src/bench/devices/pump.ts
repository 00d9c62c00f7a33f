import { PUMP_BAUD } from '../../devices/dri0050/protocol.ts';
import { Dri0050Twin } from '../../devices/dri0050/twin.ts';
import { rtuFaultSchema } from '../../devices/modbus-rtu/fault.ts';
import { SerialSocket } from '../pty/serial-socket.ts';
import { SerialPort } from './serial-port.ts';
import { lineClock, newStation, placeOf, type Surroundings } from './surroundings.ts';

/** The pump's driver on its own line. Its drive is the duty of the plant's pump. */
export function pumpStation(around: Surroundings) {
  const { station, twinOptions } = newStation(around, 'pump', (event) => {
    if (event.kind === 'drive') around.plant.setDuty(event.fraction);
  });
  const twin = new Dri0050Twin({ lineClock: around.atLineRate ? undefined : lineClock, ...twinOptions });
  const socket = new SerialSocket({
    link: placeOf(around, 'pump'),
    slave: twin.slave,
    clock: lineClock,
    baud: PUMP_BAUD,
    atLineRate: around.atLineRate,
    latencyMs: around.usbLatencyMs,
  });
  station.equip({
    twin,
    ports: [new SerialPort({ name: 'pump', socket })],
    faults: { schema: rtuFaultSchema, apply: (faults) => twin.slave.faultOnce(...faults) },
  });
  return { station, twin };
}
