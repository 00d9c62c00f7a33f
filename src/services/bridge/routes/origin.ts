import type { Milliseconds } from '../../../lib/quantity.ts';
import type { Origin } from '../../../rig/hardware/ports.ts';

/** Marks of an actuator's answer. */
export function actuatorMarks(origin: Origin): { mock: boolean; simulated: boolean; bench: boolean } {
  return { mock: origin.mock, simulated: origin.mock, bench: origin.bench };
}

/** ISO 8601 UTC with milliseconds. */
export function isoTime(wallMs: Milliseconds): string {
  return new Date(wallMs).toISOString();
}
