import type { Plant } from '../../../bench/plant/index.ts';
import type { Clock } from '../../../lib/clock/clock.ts';
import type { Plugin } from '../../../lib/config/types.ts';
import type { SafeStateSteps, StepResult } from '../../safe-state/safe-state.ts';
import type {
  Component,
  ComponentHealth,
  LungPort,
  LungStatus,
  Origin,
  PumpPort,
  Rig,
  SensorPort,
  ValvePort,
} from '../ports.ts';
import { RigError } from '../rig-error.ts';

const ORIGIN: Origin = { mock: true, bench: false };
const VALVES = 8;

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
  readonly sensors: SensorPort;
  readonly components: readonly Component[];
  readonly safeStateSteps: SafeStateSteps;

  constructor({ plant, clock, plugins }: MockRigOptions) {
    const coils = Array.from({ length: VALVES }, () => false);
    this.valves = {
      origin: ORIGIN,
      set: async (coil, open) => {
        plant.setCoil(coil, open);
        coils[coil] = open;
        return { verified: false };
      },
      read: async () => [...coils],
    };
    this.pump = mockPump(plant);
    this.lung = mockLung(plant);
    this.sensors = {
      origin: ORIGIN,
      read: async (input) => ({
        volts: plant.volts(input),
        raw: null,
        saturated: false,
        observedAt: clock.now(),
        adapter: 'sensor-adc',
        physicalInput: `ADS1115.AIN${input}`,
        source: 'plant',
      }),
    };
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
          for (let coil = 0; coil < VALVES; coil++) await this.valves.set(coil, false);
        }, 'plant: all valves off'),
      valves_verify: () => simulated(() => this.valves.read(), 'plant: nothing to read back'),
    };
  }
}

function mockPump(plant: Plant): PumpPort {
  let powerPercent = 0;
  const reading = () => ({
    powerPercent,
    duty: Math.round((powerPercent * 255) / 100),
    enabled: powerPercent > 0,
    frequencyHz: null,
    verified: false,
  });
  return {
    origin: ORIGIN,
    setPower: async (percent) => {
      plant.setDuty(percent / 100);
      powerPercent = percent;
      return reading();
    },
    read: async () => reading(),
  };
}

/** Speeds of the interface are 1/10000 step/s, those of the plant step/s. */
const SPEED_UNITS_PER_STEP = 10_000;

function mockLung(plant: Plant): LungPort {
  let cyclesTotal = 0;
  const status = (): LungStatus => {
    const { running, cyclesDone } = plant.lungState();
    // A normal end also de-energizes (devices specification, section 4).
    return { connected: true, energized: running, moving: running, cyclesDone, cyclesTotal };
  };
  const halt = async () => {
    plant.stopLung();
    return status();
  };
  return {
    origin: ORIGIN,
    start: async (motion) => {
      if (plant.lungState().running) {
        throw new RigError(
          'lung_moving',
          'lung-motor',
          'a motion is running; stop it before starting another',
        );
      }
      plant.startLung({ ...motion, speed: motion.speed / SPEED_UNITS_PER_STEP });
      cyclesTotal = motion.cycles;
      return status();
    },
    stop: halt,
    disable: halt,
    read: async () => status(),
  };
}

function mockComponent(plugin: Plugin): Component {
  const health: ComponentHealth = {
    status: 'mock',
    compatible: false,
    code: null,
    message: 'mock mode: no device is opened; set SVC_HARDWARE_MODE=real to use it',
    endpoint: null,
    latencyMs: 0,
    bench: false,
  };
  return { id: plugin.id, endpoint: null, path: null, check: async () => health, known: () => health };
}
