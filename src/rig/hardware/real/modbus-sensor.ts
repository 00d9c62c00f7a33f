import { DeviceError } from '../../../devices/device-error.ts';
import type { ModbusMaster } from '../../../devices/modbus-rtu/master.ts';
import type { Plugin } from '../../configuration/types.ts';
import type { SensorKind } from '../../device-kinds/device-kind.ts';
import type { SensorDevice } from '../rig-device.ts';
import type { ExchangeOptions } from './drivers.ts';
import { modbusAccess } from './modbus-access.ts';
import { isBesideActuator } from './modbus-line.ts';
import type { OpenDevicesOptions } from './open-devices.ts';
import { drivenSensor, type Measurement } from './sensors.ts';

/** What the rig needs of the driver of a Modbus sensor. @throws CodedError, all */
export interface ModbusSensorDriver {
  /** Identifies the device, once per opening of the port. */
  start(): Promise<unknown>;
  /** Asks whether it answers. */
  probe(signal?: AbortSignal): Promise<unknown>;
}

/**
 * The longest that a job of an actuator waits for one of a sensor on its line, milliseconds. Behind a lost reply a sensor
 * that works needs most of it: each reading is repeated until it is proven.
 */
const JOB_MS = 500;
/** The longest and the shortest that one reply is waited for. A device that works replies within the shorter one. */
const REPLY_MS = { most: 250, least: 50 };

/**
 * The line as the driver of a sensor has it beside actuators, which have to be read back within 1 s (DEV-056): the
 * jobs of actuators go ahead, each request is sent once, and no job keeps one of them waiting for longer than `JOB_MS`.
 */
export const besideActuators = (line: ModbusMaster): ModbusMaster => ({
  endpoint: line.endpoint,
  clock: line.clock,
  get generation() {
    return line.generation;
  },
  run: (work, options) =>
    line.run(
      (session) => {
        const endsAt = line.clock.monotonic() + JOB_MS;
        return work({
          ...session,
          read: (request, urgent) => {
            const leftMs = endsAt - line.clock.monotonic();
            const isOver = leftMs < REPLY_MS.least;
            if (isOver && session.isAwaited()) {
              const message = `the sensor on ${line.endpoint} took more than ${JOB_MS - REPLY_MS.least} ms while an actuator on this line waited; check supply and wiring (A/B), or connect the sensor to another port`;
              throw new DeviceError('device_timeout', message, { endpoint: line.endpoint, reason: 'slow' });
            }
            const withinMs = isOver ? REPLY_MS.most : Math.min(REPLY_MS.most, leftMs);
            return session.read(request, {
              replyWithinMs: Math.min(withinMs, urgent?.replyWithinMs ?? withinMs),
            });
          },
        });
      },
      { ...options, priority: 'low' },
    ),
});

/** A sensor with a driver of this process: by Modbus RTU, on a port of its own or on a line, or by Modbus TCP. */
export function modbusSensor<Driver extends ModbusSensorDriver>(
  { adapter: { name: model }, quantity: { unit } }: SensorKind,
  options: OpenDevicesOptions,
  plugin: Plugin,
  device: {
    /** @param unitId 1..247 */
    driver: (master: ModbusMaster, unitId: number) => Driver;
    /** One measurement in the unit of the kind. @throws CodedError */
    read: (driver: Driver, options: ExchangeOptions) => Promise<Measurement>;
  },
): SensorDevice {
  const { id } = plugin;
  const isBeside = isBesideActuator(plugin, options.plugins);
  const access = modbusAccess(options, id, (master, unitId) => {
    const driver = device.driver(isBeside ? besideActuators(master) : master, unitId);
    const start = async () => void (await driver.start());
    return { driver, start, probe: () => driver.probe() };
  });
  const probe = async (driver: Driver, signal: AbortSignal) => {
    await driver.probe(signal);
    return `${model} answered`;
  };
  return drivenSensor(access, { id, unit, model, read: device.read, probe, clock: options.clock });
}
