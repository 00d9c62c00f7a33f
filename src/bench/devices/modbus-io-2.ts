import * as z from 'zod';
import { ModbusIoTwin } from '../../devices/modbus-io/twin.ts';
import { valvesLineSlave } from './valves-line-slave.ts';

/** A second valve board, as unit 2 (valve-9 to valve-16). The plant has no valves for it. */
export const modbusIo2 = valvesLineSlave(
  'modbus-io-2',
  (options) => new ModbusIoTwin({ ...options, device: 'modbus-io-2', unit: 2 }),
  { shape: { coils_2: z.array(z.boolean()).optional() }, read: ({ coils }) => ({ coils_2: coils }) },
);
