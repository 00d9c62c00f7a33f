import { CoalescedCalls } from '../../../lib/queue/coalesced-calls.ts';
import type { Plugin } from '../../configuration/types.ts';
import { voltageConverter } from '../../device-kinds/voltage-converter.ts';
import type { SafeStateSteps } from '../../safe-state/safe-state.ts';
import { coalescedReads, coalescedSensors } from '../coalesced-reads.ts';
import type { Component, LungPort, Origin, PumpPort, Rig, SensorPorts, ValvePort } from '../ports.ts';
import type { RigDevices, ValveDevice } from '../rig-device.ts';
import { voltageSensors } from '../sensor-ports.ts';
import type { WatchedComponent } from './http/adc-stack.ts';

export interface RealRigOptions {
  devices: RigDevices;
  /** How the combined ADC service stands; asked while the plugin is configured. */
  adcStack: WatchedComponent;
  plugins: readonly Plugin[];
  hasAdcMap: boolean;
}

/** The rig with devices, or with twins behind real transports. */
export class RealRig implements Rig {
  readonly mode = 'real';
  readonly valves: ValvePort;
  readonly pump: PumpPort;
  readonly lung: LungPort;
  readonly sensors: SensorPorts;
  readonly components: readonly Component[];
  readonly safeStateSteps: SafeStateSteps;
  readonly #devices: readonly (Pick<ValveDevice, 'open' | 'close'> & { port: { origin: Origin } })[];
  readonly #adcStack: WatchedComponent;

  constructor({ devices, adcStack, plugins, hasAdcMap }: RealRigOptions) {
    const { valves, pump, lung, voltages, sensors } = devices;
    this.#devices = [valves, pump, lung, voltages, ...sensors.values()];
    this.#adcStack = adcStack;
    const reads = new CoalescedCalls();
    this.valves = coalescedReads(valves.port, reads, 'valves');
    this.pump = coalescedReads(pump.port, reads, 'pump');
    this.lung = coalescedReads(lung.port, reads, 'lung');
    const ownUnit = [...sensors].map(([id, { port }]) => [id, port] as const);
    this.sensors = coalescedSensors(new Map([...voltageSensors(voltages.port), ...ownUnit]), reads);
    const known: readonly Component[] = [
      ...valves.components,
      pump.component,
      voltages.component,
      lung.component,
      ...[...sensors.values()].map(({ component }) => component),
      adcStack,
    ];
    // A rig may have all of its voltages by `adc_map`: they have their entry without a plugin of their own.
    const ids = new Set([...plugins.map(({ id }) => id), ...(hasAdcMap ? voltageConverter.names : [])]);
    this.components = [...ids].flatMap((id) => known.filter((one) => one.id === id));
    this.safeStateSteps = { ...lung.steps, ...pump.steps, ...valves.steps };
  }

  get bench(): boolean {
    return this.#devices.some((device) => device.port.origin.bench);
  }

  async open(): Promise<void> {
    await Promise.all([...this.#devices, this.#adcStack].map((device) => device.open()));
  }

  async close(): Promise<void> {
    await Promise.all([...this.#devices, this.#adcStack].map((device) => device.close()));
  }
}
