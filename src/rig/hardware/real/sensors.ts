import type { Clock } from '../../../lib/clock/clock.ts';
import type { SensorReading } from '../ports.ts';
import type { SensorDevice } from '../rig-device.ts';
import { type DeviceAccess, originOf, readFrom, slotLife, slotOf } from './access.ts';
import { type ComponentOptions, realComponent } from './component.ts';
import { type ExchangeOptions, exchange } from './drivers.ts';

/** What one measurement of a driver gives, in the unit of its kind. */
export interface Measurement extends Pick<SensorReading, 'value' | 'saturated' | 'observedAt'> {
  /** Number on the wire, where it is another one. */
  raw?: number;
}

export interface DrivenSensorOptions<Driver> extends Pick<ComponentOptions<Driver>, 'probe'> {
  /** Plugin name, which is the id of the sensor too. */
  id: string;
  unit: string;
  /** Name of the device, for example its type. */
  model: string;
  read: (driver: Driver, options: ExchangeOptions) => Promise<Measurement>;
  clock: Clock;
}

/** A sensor in a unit of its own on a port of this process. It takes no part in the safe state. */
export function drivenSensor<Driver>(
  access: DeviceAccess<Driver>,
  { id, unit, model, read, probe, clock }: DrivenSensorOptions<Driver>,
): SensorDevice {
  return {
    ...slotLife(access),
    component: realComponent({ id, access, clock, probe }),
    steps: {},
    port: {
      origin: originOf(access),
      unit,
      read: async (signal) => {
        const slot = slotOf(access, id);
        // The slot asks a silent device again by itself, less and less often: a reader that samples it on the line of the
        // valves does not keep these from being read back.
        if (slot.state === 'silent') throw slot.error;
        const measured = await readFrom(slot, (driver) => read(driver, exchange('normal', signal)), {
          clock,
          signal,
        });
        const source = access.kind === 'slot' ? access.endpoint : id;
        return { raw: null, ...measured, unit, adapter: id, physicalInput: model, source };
      },
    },
  };
}
