import type { Clock } from '../../../src/lib/clock/clock.ts';
import { adcCommands } from './adc.ts';
import { machineCommands } from './machine.ts';
import { modbusCommands } from './modbus.ts';
import { programCommands } from './programs.ts';
import { sensorCommands } from './sensors.ts';
import { ticCommands } from './tic.ts';

export function commands(clock: Clock) {
  return {
    ...machineCommands(),
    ...adcCommands(clock),
    ...sensorCommands(),
    ...ticCommands(clock),
    ...modbusCommands(clock),
    ...programCommands(),
  };
}
