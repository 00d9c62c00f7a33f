import type { Origin, PumpReading } from '../../rig/hardware/ports.ts';

/** Marks of each answer (services specification, section 3). */
export function marks(origin: Origin): { mock: boolean; simulated: boolean; bench: boolean } {
  return { mock: origin.mock, simulated: origin.mock, bench: origin.bench };
}

/** PWM frequency as it is shown, Hz; null when the device does not tell. */
export function shownFrequency({ frequencyHz }: PumpReading): number | null {
  return frequencyHz === null ? null : Math.round(frequencyHz);
}

/** Power as it is shown, percent with two decimals: eight bits of duty carry no more. */
export function shownPower({ powerPercent }: PumpReading): number {
  return Math.round(powerPercent * 100) / 100;
}
