import type { Clock } from '../../../lib/clock/clock.ts';
import type { LockHolder } from '../../../lib/lock/lock.ts';
import type { AdcMap, Plugin } from '../../configuration/types.ts';
import type { SensorOpening } from '../../device-kinds/device-kind.ts';
import { SENSOR_OPENINGS } from '../../device-kinds/index.ts';
import { openLung } from '../../device-kinds/lung.ts';
import { openPump } from '../../device-kinds/pump.ts';
import { openValves } from '../../device-kinds/valve-board.ts';
import { openVoltages } from '../../device-kinds/voltage-converter.ts';
import type { DeviceEvents, RigDevices, SensorDevice } from '../rig-device.ts';
import type { BridgeCaller } from './http/actuator-service.ts';
import { ModbusLines } from './modbus-line.ts';
import type { LungSettings } from './tic-lung-settings.ts';

export interface OpenDevicesOptions extends DeviceEvents {
  plugins: readonly Plugin[];
  clock: Clock;
  identity: () => LockHolder;
  /** Lines that the devices share; without it each has its own. */
  lines?: ModbusLines | undefined;
  /** Voltages that come from an ADC service in place of the sensor ADC. */
  adcMap?: AdcMap | undefined;
  /** For services that own devices. */
  token?: string | undefined;
  /** For the services that own actuators: the bridge holds them, the guard does not. */
  bridge?: BridgeCaller | undefined;
  /** What is demanded of a lung that a driver of this process moves. */
  lung?: LungSettings | undefined;
}

/** The devices that `svc.yaml` names. Nothing is opened yet. */
export function realDevices(given: OpenDevicesOptions): RigDevices {
  const options = { ...given, lines: given.lines ?? new ModbusLines() };
  return {
    valves: openValves(options),
    pump: openPump(options),
    lung: openLung(options),
    voltages: openVoltages(options),
    // The return of a sensor is no reason to repeat a safe state.
    sensors: sensorDevices({ ...options, onReturn: () => {} }),
  };
}

const OPENINGS: Readonly<Record<string, SensorOpening>> = SENSOR_OPENINGS;

/** The sensors in a unit of their own, by their ids. */
const sensorDevices = (options: OpenDevicesOptions): ReadonlyMap<string, SensorDevice> =>
  new Map(
    options.plugins.flatMap((plugin) => {
      const open = OPENINGS[plugin.kind];
      return open ? [[plugin.id, open(options, plugin)] as const] : [];
    }),
  );
