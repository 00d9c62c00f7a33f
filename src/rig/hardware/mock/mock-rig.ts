import type { Plant } from '../../../bench/plant/index.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import type { Plugin } from '../../configuration/types.ts';
import type { SafeStateSteps, StepResult } from '../../safe-state/safe-state.ts';
import { healthOf } from '../component-health.ts';
import { valveIdsOf } from '../names.ts';
import {
  type Component,
  type LungPort,
  type PumpPort,
  type Rig,
  type SensorPorts,
  VALVES_PER_BOARD,
  type ValvePort,
} from '../ports.ts';
import { mockLung } from './lung.ts';
import { ORIGIN } from './origin.ts';
import { mockPump } from './pump.ts';
import { mockSensors } from './sensors.ts';

export interface MockRigOptions {
  plant: Plant;
  clock: Clock;
  plugins: readonly Plugin[];
}

/** The rig without hardware: everything is answered by the plant and marked as simulated. No device is opened. */
export class MockRig implements Rig {
  readonly mode = 'mock';
  readonly bench = false;
  readonly valves: ValvePort;
  readonly pump: PumpPort;
  readonly lung: LungPort;
  readonly sensors: SensorPorts;
  readonly components: readonly Component[];
  readonly safeStateSteps: SafeStateSteps;

  constructor({ plant, clock, plugins }: MockRigOptions) {
    const coils = valveIdsOf(plugins).map(() => false);
    this.valves = {
      origin: ORIGIN,
      set: async (coil, open) => {
        // The plant has the valves of the first board; what hangs on another one is not simulated.
        if (coil < VALVES_PER_BOARD) plant.setCoil(coil, open);
        coils[coil] = open;
        return { verified: false };
      },
      read: async () => [...coils],
      readBoard: async (board) => coils.slice(board * VALVES_PER_BOARD, (board + 1) * VALVES_PER_BOARD),
    };
    this.pump = mockPump(plant);
    this.lung = mockLung(plant);
    this.sensors = mockSensors(plant, clock, plugins);
    this.components = plugins.map(mockComponent);
    this.safeStateSteps = this.#steps();
  }

  open(): Promise<void> {
    return Promise.resolve();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #steps(): SafeStateSteps {
    const simulated = async (action: () => Promise<unknown>, detail: string): Promise<StepResult> => {
      await action();
      return { status: 'simulated', verified: false, detail };
    };
    return {
      lung_halt: () => simulated(() => this.lung.stop(), 'plant: velocity 0'),
      pump_zero: () => simulated(() => this.pump.setPower(0), 'plant: duty 0'),
      lung_deenergize: () => simulated(() => this.lung.disable(), 'plant: de-energized'),
      valves_off: () =>
        simulated(async () => {
          for (const [coil] of (await this.valves.read()).entries()) await this.valves.set(coil, false);
        }, 'plant: all valves off'),
      valves_verify: () => simulated(() => this.valves.read(), 'plant: nothing to read back'),
    };
  }
}

function mockComponent(plugin: Plugin): Component {
  const health = healthOf('mock', 'mock mode: no device is opened; set SVC_HARDWARE_MODE=real to use it');
  return { id: plugin.id, endpoint: null, path: null, check: async () => health, known: () => health };
}
