import type { Plant } from '../../../bench/plant/index.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import type { Plugin } from '../../configuration/types.ts';
import type { SensorKind } from '../../device-kinds/device-kind.ts';
import { kindNamed } from '../../device-kinds/index.ts';
import type { SensorPort, SensorPorts, VoltagePort } from '../ports.ts';
import { RigError } from '../rig-error.ts';
import { voltageSensors } from '../sensor-ports.ts';
import { ORIGIN } from './origin.ts';

/** The analog inputs of the plant. */
export function mockVoltages(plant: Plant, clock: Clock): VoltagePort {
  return {
    origin: ORIGIN,
    read: async (input) => ({
      value: plant.volts(input),
      unit: 'V',
      raw: null,
      saturated: false,
      observedAt: clock.now(),
      adapter: 'sensor-adc',
      physicalInput: `ADS1115.AIN${input}`,
      source: 'plant',
    }),
  };
}

/** All sensors of a rig with these plugins. */
export function mockSensors(plant: Plant, clock: Clock, plugins: readonly Plugin[]): SensorPorts {
  const ownUnit = plugins.flatMap(({ id, kind: word }) => {
    const kind = kindNamed(word);
    return kind?.role === 'sensor' ? [[id, mockSensor(plant, clock, id, kind)] as const] : [];
  });
  return new Map([...voltageSensors(mockVoltages(plant, clock)), ...ownUnit]);
}

function mockSensor(plant: Plant, clock: Clock, id: string, kind: SensorKind): SensorPort {
  const { unit } = kind.quantity;
  return {
    origin: ORIGIN,
    unit,
    read: async () => {
      if (!kind.simulate)
        throw new RigError('device_unavailable', id, `mock mode simulates no ${kind.adapter.description}`);
      const marks = { raw: null, saturated: false, observedAt: clock.now(), source: 'plant' };
      return { ...marks, value: kind.simulate(plant), unit, adapter: id, physicalInput: kind.adapter.name };
    },
  };
}
