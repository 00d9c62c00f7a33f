import type { StepSpec } from '../device-kinds/device-kind.ts';
import { ACTUATOR_KINDS, type StepName } from '../device-kinds/index.ts';

export type { StepName };

/** The steps of all kinds of actuators. */
const STEPS = Object.fromEntries(
  ACTUATOR_KINDS.flatMap(({ safeState }) => Object.entries(safeState)),
) as Readonly<Record<StepName, StepSpec>>;

/** Order of the safe state. */
export const STEP_NAMES = (Object.keys(STEPS) as StepName[]).sort(
  (one, other) => STEPS[one].order - STEPS[other].order,
);

/** The cap of each is part of its device kind; 4.8 s together, also if all ran one after the other. */
export const stepSpec = (name: StepName): StepSpec => STEPS[name];

/** `not_configured` is ok: the rig has no such device. */
export type StepStatus = 'done' | 'failed' | 'timeout' | 'not_configured' | 'simulated';

export type Outcome = 'safe' | 'partial' | 'failed' | 'simulated';

export interface StepReport {
  name: StepName;
  ok: boolean;
  status: StepStatus;
  /** The device itself confirmed the state by a read-back. */
  verified: boolean;
  duration_ms: number;
  detail: string;
}

export interface SafeStateReport {
  ok: boolean;
  outcome: Outcome;
  reason: string;
  duration_ms: number;
  mock: boolean;
  steps: StepReport[];
}

/**
 * Failed steps with their causes; a cause that several steps share stands once: `valves_off, valves_verify: no port`.
 */
export function failedStepsText(failed: readonly { readonly name: string; readonly why: string }[]): string {
  const byCause = new Map<string, string[]>();
  for (const { name, why } of failed) byCause.set(why, [...(byCause.get(why) ?? []), name]);
  return [...byCause].map(([why, names]) => `${names.join(', ')}: ${why}`).join('; ');
}

/** What the steps add up to. Nothing unknown counts as safe. */
export function outcomeOf(steps: readonly StepReport[]): Outcome {
  if (steps.every((step) => step.ok)) {
    return steps.some((step) => step.status === 'simulated') ? 'simulated' : 'safe';
  }
  return steps.some((step) => step.status === 'done') ? 'partial' : 'failed';
}
