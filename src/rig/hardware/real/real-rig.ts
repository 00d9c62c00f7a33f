import type { Clock } from '../../../lib/clock/clock.ts';
import type { Plugin, PluginId } from '../../../lib/config/types.ts';
import type { SafeStateSteps } from '../../safe-state/safe-state.ts';
import type { Component, LungPort, PumpPort, Rig, SensorPort, ValvePort } from '../ports.ts';
import type { RigDevices } from '../rig-device.ts';
import { usable } from './access.ts';
import { realComponent } from './component.ts';

export interface RealRigOptions {
  devices: RigDevices;
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
  readonly #devices: RigDevices;

  constructor({ devices, plugins, clock }: RealRigOptions) {
    const { valves, pump, lung, sensors } = devices;
    this.#devices = devices;
    this.valves = valves.port;
    this.pump = pump.port;
    this.lung = lung.port;
    this.sensors = sensors.port;
    const byId: Record<PluginId, () => Component> = {
      'modbus-io': () => valves.component,
      'pump-motor': () => pump.component,
      'sensor-adc': () => sensors.component,
      'lung-motor': () => lung.component,
      'adc-stack': () => {
        const judged = usable(plugins, 'adc-stack', []);
        const access = 'kind' in judged ? judged : { kind: 'config_error' as const, why: 'no driver' };
        return realComponent<never>({ id: 'adc-stack', access, clock, probe: async () => '' });
      },
    };
    this.components = plugins.map((plugin) => byId[plugin.id]());
    this.safeStateSteps = { ...lung.steps, ...pump.steps, ...valves.steps };
  }

  get bench(): boolean {
    return Object.values(this.#devices).some((device) => device.port.origin.bench);
  }

  async open(): Promise<void> {
    await Promise.all(Object.values(this.#devices).map((device) => device.open()));
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#devices).map((device) => device.close()));
  }
}
