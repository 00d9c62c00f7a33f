import type { ModbusMaster } from '../../../devices/modbus-rtu/master.ts';
import type { Plugin } from '../../configuration/types.ts';
import type { SensorKind } from '../../device-kinds/device-kind.ts';
import type { SensorDevice } from '../rig-device.ts';
import type { ExchangeOptions } from './drivers.ts';
import { modbusAccess } from './modbus-access.ts';
import type { OpenDevicesOptions } from './open-devices.ts';
import { drivenSensor, type Measurement } from './sensors.ts';

/** What the rig needs of the driver of a Modbus sensor. @throws CodedError, all */
export interface ModbusSensorDriver {
  /** Identifies the device, once per opening of the port. */
  start(): Promise<unknown>;
  /** Asks whether it answers. */
  probe(signal?: AbortSignal): Promise<unknown>;
}

/** A sensor with a driver of this process: by Modbus RTU, on a port of its own or on a line, or by Modbus TCP. */
export function modbusSensor<Driver extends ModbusSensorDriver>(
  { adapter: { name: model }, quantity: { unit } }: SensorKind,
  options: OpenDevicesOptions,
  { id }: Plugin,
  device: {
    /** @param unitId 1..247 */
    driver: (master: ModbusMaster, unitId: number) => Driver;
    /** One measurement in the unit of the kind. @throws CodedError */
    read: (driver: Driver, options: ExchangeOptions) => Promise<Measurement>;
  },
): SensorDevice {
  const access = modbusAccess(options, id, (master, unitId) => {
    const driver = device.driver(master, unitId);
    const start = async () => void (await driver.start());
    return { driver, start, probe: () => driver.probe() };
  });
  const probe = async (driver: Driver, signal: AbortSignal) => {
    await driver.probe(signal);
    return `${model} answered`;
  };
  return drivenSensor(access, { id, unit, model, read: device.read, probe, clock: options.clock });
}
