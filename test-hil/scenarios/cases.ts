import type { BenchDeviceName } from '../../src/bench/bench.ts';

/** Settings of twins by device. */
export type TwinKnobs = Partial<Record<BenchDeviceName, Record<string, unknown>>>;

/** Shipped scenarios that pass on a sound rig, and what the bench must be told for that. */
export const PASSING: Readonly<Record<string, TwinKnobs>> = {
  'mask-leak': { plant: { leak: 0 } },
  'pump-ramp': {},
  'valve-windows': {},
  'valve-smoke': {},
};

/** A fault of the rig, and how the run must end: 1 is a verdict on the device, 3 is none. */
export interface FaultCase {
  scenario: string;
  fault: string;
  knobs: TwinKnobs;
  code: 1 | 3;
  says: RegExp;
}

export const FAULTS: readonly FaultCase[] = [
  {
    scenario: 'mask-leak',
    fault: 'a mask that leaks',
    knobs: { plant: { leak: 0.01 } },
    code: 1,
    says: /the mask leaks: check seal/,
  },
  {
    scenario: 'pump-ramp',
    fault: 'a pump that moves no air',
    knobs: { plant: { gain: 0 } },
    code: 1,
    says: /no clear step up at 10 %/,
  },
  {
    scenario: 'valve-windows',
    fault: 'a sensor outside its window',
    knobs: { plant: { rest_v: [0.635, 0.9, 0.885, 0] } },
    code: 1,
    says: /\[failed\] Medium pressure input AI02/,
  },
  {
    scenario: 'valve-smoke',
    fault: 'a coil that is stuck',
    knobs: { 'modbus-io': { coil_stuck: [0] } },
    code: 3,
    says: /valve-nc.*rejected/,
  },
  {
    scenario: 'valve-smoke',
    fault: 'a valve module that is silent',
    knobs: { 'modbus-io': { silent: true } },
    code: 3,
    says: /SCN409.*read_coils timed out/,
  },
  {
    scenario: 'valve-smoke',
    fault: 'a pump whose power is stuck',
    knobs: { pump: { duty_stuck: true } },
    code: 3,
    says: /pump.*rejected/,
  },
  {
    scenario: 'valve-smoke',
    fault: 'a sensor ADC that does not acknowledge',
    knobs: { ads1115: { nack: true } },
    code: 3,
    says: /SCN409.*no device answers at 0x48/,
  },
];
