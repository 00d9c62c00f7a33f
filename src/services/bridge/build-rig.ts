import { MockRig } from '../../rig/hardware/mock/mock-rig.ts';
import type { Rig } from '../../rig/hardware/ports.ts';
import type { RigSurroundings } from './start-bridge.ts';

export function buildRig({ config, clock }: RigSurroundings): Rig {
  const lung = { moving: false, cyclesDone: 0, cyclesTotal: 0 };
  const plant = {
    setDuty: () => {},
    setCoil: () => {},
    volts: (i: number) => [0.635, 0.755, 0.885, 0][i] ?? Number.NaN,
    startLung: () => {
      lung.moving = true;
    },
    stopLung: () => {
      lung.moving = false;
    },
    lungState: () => lung,
  };
  return new MockRig({ plant, clock, plugins: config.plugins });
}
