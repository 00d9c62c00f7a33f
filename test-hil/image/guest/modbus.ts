import { ModbusIo } from '../../../src/devices/modbus-io/driver.ts';
import { RtuLine } from '../../../src/devices/modbus-rtu/line.ts';
import type { Clock } from '../../../src/lib/clock/clock.ts';
import { openByteTransport } from '../../../src/transports/index.ts';

/** The driver of the valve module on a serial port of the guest. */
export function modbusCommands(clock: Clock) {
  return {
    readCoils: async (port: string, baud: number): Promise<boolean[]> => {
      const line = new RtuLine({ transport: openByteTransport(port, { baud }), clock, baud });
      try {
        return await new ModbusIo(line).readOutputs();
      } finally {
        await line.close();
      }
    },
  };
}
