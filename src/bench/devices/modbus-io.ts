import { DEFAULT_BAUD } from '../../devices/modbus-io/protocol.ts';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { rtuFaultSchema } from '../../devices/modbus-rtu/fault.ts';
import { SerialSocket } from '../pty/serial-socket.ts';
import { ModbusTcpSocket } from '../tcp/modbus-tcp-socket.ts';
import { SerialPort } from './serial-port.ts';
import { SocketPort } from './socket-port.ts';
import { lineClock, newStation, placeOf, type Surroundings } from './surroundings.ts';

/**
 * The valve module on its RS-485 line, and the same module on Modbus TCP. Its coils move the valves of the plant.
 *
 * @param tcpPort on 127.0.0.1; 0 takes a free one
 */
export function modbusIoStation(around: Surroundings, tcpPort: number) {
  const { station, twinOptions } = newStation(around, 'modbus-io', (event) => {
    if (event.kind === 'coil') around.plant.setCoil(event.coil, event.on);
  });
  const twin = new ModbusIoTwin({
    lineBaud: DEFAULT_BAUD,
    lineClock: around.atLineRate ? undefined : lineClock,
    ...twinOptions,
  });
  const socket = new SerialSocket({
    link: placeOf(around, 'modbus-io'),
    slave: twin.slave,
    clock: lineClock,
    baud: DEFAULT_BAUD,
    atLineRate: around.atLineRate,
    latencyMs: around.usbLatencyMs,
  });
  const tcp = new ModbusTcpSocket({
    responder: twin.responder,
    clock: around.clock,
    listener: twinOptions.listener,
    port: tcpPort,
  });
  const tcpAddress = () => `${tcp.host}:${tcp.port ?? tcpPort}`;
  station.equip({
    twin,
    ports: [
      new SerialPort({ name: 'modbus-io', socket }),
      new SocketPort({ name: 'modbus-tcp', socket: tcp, address: tcpAddress }),
    ],
    faults: { schema: rtuFaultSchema, apply: (faults) => twin.slave.faultOnce(...faults) },
  });
  return { station, twin };
}
