import type { Clock } from '../../../lib/clock/clock.ts';
import type { Plugin, PluginId } from '../../../lib/config/types.ts';
import type { SafeStateSteps } from '../../safe-state/safe-state.ts';
import type { Component, LungPort, PumpPort, Rig, SensorPort, ValvePort } from '../ports.ts';
import { RigError } from '../rig-error.ts';
import { type DeviceAccess, originOf, safeStep, usable } from './access.ts';
import { realComponent } from './component.ts';
import type { AdcDriver, PumpDriver, ValveDriver } from './drivers.ts';
import { type LungDriver, realLung } from './lung.ts';
import { pumpComponent, pumpSteps, realPump } from './pump.ts';
import { realSensors, sensorComponent } from './sensors.ts';
import { realValves, valveComponent, valveSteps } from './valves.ts';

/** How each device of the rig is reached. */
export interface RealDevices {
  valves: DeviceAccess<ValveDriver>;
  pump: DeviceAccess<PumpDriver>;
  sensors: DeviceAccess<AdcDriver>;
  lung: DeviceAccess<LungDriver>;
}

export interface RealRigOptions {
  devices: RealDevices;
  plugins: readonly Plugin[];
  clock: Clock;
}

/** The rig with devices, or with twins behind real transports. */
export class RealRig implements Rig {
  readonly mode = 'real';
  readonly valves: ValvePort;
  readonly pump: PumpPort;
  readonly lung: LungPort;
  readonly sensors: SensorPort;
  readonly components: readonly Component[];
  readonly safeStateSteps: SafeStateSteps;
  readonly #devices: RealDevices;

  constructor({ devices, plugins, clock }: RealRigOptions) {
    this.#devices = devices;
    this.valves = realValves(devices.valves, clock);
    this.pump = realPump(devices.pump);
    this.lung = realLung(devices.lung);
    this.sensors = realSensors(devices.sensors);
    const byId: Record<PluginId, () => Component> = {
      'modbus-io': () => valveComponent(devices.valves, clock),
      'pump-motor': () => pumpComponent(devices.pump, clock),
      'sensor-adc': () => sensorComponent(devices.sensors, clock),
      'lung-motor': () =>
        realComponent({ id: 'lung-motor', access: devices.lung, clock, probe: async () => 'lung answered' }),
      'adc-stack': () => {
        const judged = usable(plugins, 'adc-stack', []);
        const access = 'kind' in judged ? judged : { kind: 'config_error' as const, why: 'no driver' };
        return realComponent<never>({ id: 'adc-stack', access, clock, probe: async () => '' });
      },
    };
    this.components = plugins.map((plugin) => byId[plugin.id]());
    this.safeStateSteps = {
      lung_halt: (signal) =>
        safeStep(devices.lung, 'lung-motor', signal, async (driver) => {
          if ((await driver.stop()).moving)
            throw new RigError('device_error', 'lung-motor', 'still moves after the halt');
          return 'halted, velocity 0 by read-back';
        }),
      ...pumpSteps(devices.pump),
      lung_deenergize: (signal) =>
        safeStep(devices.lung, 'lung-motor', signal, async (driver) => {
          if ((await driver.disable()).energized)
            throw new RigError('device_error', 'lung-motor', 'is still energized');
          return 'de-energized by read-back';
        }),
      ...valveSteps(devices.valves),
    };
  }

  get bench(): boolean {
    return Object.values(this.#devices).some((access) => originOf(access).bench);
  }

  async open(): Promise<void> {
    await Promise.all(
      Object.values(this.#devices).map((access) => (access.kind === 'slot' ? access.slot.start() : null)),
    );
  }

  async close(): Promise<void> {
    await Promise.all(
      Object.values(this.#devices).map((access) => (access.kind === 'slot' ? access.slot.close() : null)),
    );
  }
}
