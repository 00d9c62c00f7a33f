import type * as z from 'zod';
import { rtuFaultSchema } from '../../devices/modbus-rtu/fault.ts';
import type { RtuTwinOptions } from '../../devices/modbus-rtu/register-slave.ts';
import type { RtuSlave } from '../../devices/modbus-rtu/slave.ts';
import type { Plant } from '../plant/index.ts';
import {
  type BenchDeviceDefinition,
  type BenchTwin,
  defineBenchDevice,
  replyFaults,
} from './define-bench-device.ts';

/**
 * A further Modbus slave on the RS-485 line of the valve board, plugged in where it is asked for.
 *
 * @param make is given what every twin is made with, and the plant
 * @param outputs as of any device
 */
export function valvesLineSlave<
  const Name extends string,
  Twin extends BenchTwin & { readonly slave: RtuSlave },
  Outputs extends z.ZodRawShape = Record<never, never>,
>(
  name: Name,
  make: (options: RtuTwinOptions, plant: Plant) => Twin,
  outputs?: BenchDeviceDefinition<Name, Twin, Name, never, Outputs>['outputs'],
): BenchDeviceDefinition<Name, Twin, Name, never, Outputs> {
  return defineBenchDevice({
    name,
    isOptional: true,
    build: ({ plant, valvesLine, twinOptions }) => {
      const twin = make({ lineClock: valvesLine.clock, ...twinOptions() }, plant);
      return {
        twin,
        ports: { [name]: valvesLine.port(twin.slave) } as Record<Name, ReturnType<typeof valvesLine.port>>,
        faults: replyFaults(rtuFaultSchema, (...faults) => twin.slave.faultOnce(...faults)),
      };
    },
    ...(outputs ? { outputs } : {}),
  });
}
