import type { SensorPorts, VoltagePort } from './ports.ts';
import { SENSOR_IDS } from './voltage-inputs.ts';

/** The voltage inputs as sensors, `ai01` to `ai04`. */
export const voltageSensors = (voltages: VoltagePort): SensorPorts =>
  new Map(
    SENSOR_IDS.map((id, input) => [
      id,
      { origin: voltages.origin, unit: 'V', read: (signal) => voltages.read(input, signal) },
    ]),
  );
