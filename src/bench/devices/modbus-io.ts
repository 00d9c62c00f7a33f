import * as z from 'zod';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { rtuFaultSchema } from '../../devices/modbus-rtu/fault.ts';
import { ModbusTcpSocket } from '../tcp/modbus-tcp-socket.ts';
import { defineBenchDevice, replyFaults } from './define-bench-device.ts';
import { SocketPort } from './socket-port.ts';

/** The valve module on its RS-485 line, and the same module on Modbus TCP. Its coils move the valves of the plant. */
export const modbusIo = defineBenchDevice({
  name: 'modbus-io',
  tcpPorts: { tcpPort: 'Modbus TCP' },
  build: (context) => {
    const { plant, valvesLine } = context;
    const options = context.twinOptions((event) => {
      if (event.kind === 'coil') plant.setCoil(event.coil, event.on);
    });
    const twin = new ModbusIoTwin({ lineClock: valvesLine.clock, ...options });
    const { clock, listener } = options;
    const port = context.tcpPort('tcpPort');
    const tcp = new ModbusTcpSocket({ responder: twin.responder, clock, listener, port });
    return {
      twin,
      ports: {
        'modbus-io': valvesLine.ownerPort(twin.slave),
        'modbus-tcp': new SocketPort(tcp, () => `${tcp.host}:${tcp.port ?? port}`),
      },
      faults: replyFaults(rtuFaultSchema, (...faults) => twin.slave.faultOnce(...faults)),
      usb: { busId: '1-3', usb: valvesLine.usbDevice('VALVES') },
    };
  },
  outputs: { shape: { coils: z.array(z.boolean()) }, read: ({ coils }) => ({ coils }) },
});
