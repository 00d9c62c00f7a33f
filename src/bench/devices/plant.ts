import { isDeepStrictEqual } from 'node:util';
import { faultText } from '../../lib/config/config-error.ts';
import { BenchError } from '../bench-error.ts';
import { checkPlantPatch, type Plant } from '../plant/index.ts';
import type { TraceLog } from '../trace/trace-log.ts';
import type { BenchDevice } from './bench-device.ts';

/** The plant as a device of the bench: its parameters are its knobs, and no client connects to it. */
export function plantDevice({ plant, trace }: { plant: Plant; trace: TraceLog }): BenchDevice {
  return {
    name: 'plant',
    ports: new Map(),
    faultKinds: [],
    get knobs() {
      return plant.parameters;
    },
    setKnobs: async (given) => {
      const checked = checkPlantPatch(given);
      if ('faults' in checked)
        throw new BenchError('knob_invalid', `knobs of plant: ${checked.faults.map(faultText).join('; ')}`);
      plant.setParameters(checked.patch);
      trace.knobs('plant', checked.patch);
    },
    faultOnce: () => {
      throw new BenchError('knob_invalid', 'plant takes no faults for single answers; turn its knobs');
    },
    reset: async () => {
      const before: Record<string, unknown> = plant.parameters;
      plant.reset();
      const turned = Object.entries(plant.parameters).filter(
        ([knob, value]) => !isDeepStrictEqual(value, before[knob]),
      );
      if (turned.length > 0) trace.knobs('plant', Object.fromEntries(turned));
    },
    open: async () => {},
    close: async () => {},
  };
}
