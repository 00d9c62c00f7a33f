import * as z from 'zod';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { rtuFaultSchema } from '../../devices/modbus-rtu/fault.ts';
import { defineBenchDevice, replyFaults } from './define-bench-device.ts';

/** A second valve board on the line of the first, as unit 2 (valve-9 to valve-16). The plant has no valves for it. */
export const modbusIo2 = defineBenchDevice({
  name: 'modbus-io-2',
  isOptional: true,
  build: (context) => {
    const { valvesLine } = context;
    const twin = new ModbusIoTwin({
      lineClock: valvesLine.clock,
      ...context.twinOptions(),
      device: 'modbus-io-2',
      unit: 2,
    });
    return {
      twin,
      ports: { 'modbus-io-2': valvesLine.port(twin.slave) },
      faults: replyFaults(rtuFaultSchema, (...faults) => twin.slave.faultOnce(...faults)),
    };
  },
  outputs: {
    shape: { coils_2: z.array(z.boolean()).optional() },
    read: ({ coils }) => ({ coils_2: coils }),
  },
});
