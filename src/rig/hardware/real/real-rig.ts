import { CoalescedCalls } from '../../../lib/queue/coalesced-calls.ts';
import type { Plugin } from '../../configuration/types.ts';
import type { SafeStateSteps } from '../../safe-state/safe-state.ts';
import { coalescedInputs, coalescedReads } from '../coalesced-reads.ts';
import type { Component, LungPort, PumpPort, Rig, SensorPort, ValvePort } from '../ports.ts';
import type { RigDevices } from '../rig-device.ts';
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
  readonly sensors: SensorPort;
  readonly components: readonly Component[];
  readonly safeStateSteps: SafeStateSteps;
  readonly #devices: RigDevices;
  readonly #adcStack: WatchedComponent;

  constructor({ devices, adcStack, plugins, hasAdcMap }: RealRigOptions) {
    const { valves, pump, lung, sensors } = devices;
    this.#devices = devices;
    this.#adcStack = adcStack;
    const reads = new CoalescedCalls();
    this.valves = coalescedReads(valves.port, reads, 'valves');
    this.pump = coalescedReads(pump.port, reads, 'pump');
    this.lung = coalescedReads(lung.port, reads, 'lung');
    this.sensors = coalescedInputs(sensors.port, reads);
    const known: readonly Component[] = [
      ...valves.components,
      pump.component,
      sensors.component,
      lung.component,
      adcStack,
    ];
    // A rig may have all of its voltages by `adc_map`: they have their entry without a plugin of their own.
    const ids = new Set([...plugins.map(({ id }) => id), ...(hasAdcMap ? (['sensor-adc'] as const) : [])]);
    this.components = [...ids].flatMap((id) => known.filter((one) => one.id === id));
    this.safeStateSteps = { ...lung.steps, ...pump.steps, ...valves.steps };
  }

  get bench(): boolean {
    return Object.values(this.#devices).some((device) => device.port.origin.bench);
  }

  async open(): Promise<void> {
    await Promise.all([...Object.values(this.#devices), this.#adcStack].map((device) => device.open()));
  }

  async close(): Promise<void> {
    await Promise.all([...Object.values(this.#devices), this.#adcStack].map((device) => device.close()));
  }
}
