import { DEFAULT_BAUD } from '../../devices/modbus-io/protocol.ts';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { rtuFaultSchema } from '../../devices/modbus-rtu/fault.ts';
import { SerialSocket } from '../pty/serial-socket.ts';
import { SerialPort } from './serial-port.ts';
import { lineClock, newStation, placeOf, type Surroundings } from './surroundings.ts';

/** The valve module on its RS-485 line. Its coils move the valves of the plant. */
export function modbusIoStation(around: Surroundings) {
  const { station, twinOptions } = newStation(around, 'modbus-io', (event) => {
    if (event.kind === 'coil') around.plant.setCoil(event.coil, event.on);
  });
  const twin = new ModbusIoTwin({ lineBaud: DEFAULT_BAUD, ...twinOptions });
  const socket = new SerialSocket({
    link: placeOf(around, 'modbus-io'),
    slave: twin.slave,
    clock: lineClock,
    baud: DEFAULT_BAUD,
    atLineRate: around.atLineRate,
    latencyMs: around.usbLatencyMs,
  });
  station.equip({
    twin,
    ports: [new SerialPort({ name: 'modbus-io', socket })],
    faults: { schema: rtuFaultSchema, apply: (faults) => twin.slave.faultOnce(...faults) },
  });
  return { station, twin };
}
