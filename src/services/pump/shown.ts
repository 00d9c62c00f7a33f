import type { PumpReading } from '../../rig/hardware/ports.ts';

export const MOCK_MESSAGE = 'mock mode: no device is opened; set SVC_HARDWARE_MODE=real to use it';

/** PWM frequency as it is shown, Hz; null when the device does not report. */
export function shownFrequency({ frequencyHz }: PumpReading): number | null {
  return frequencyHz === null ? null : Math.round(frequencyHz);
}

/** Power as it is shown, percent with two decimals: eight bits of duty carry no more. */
export function shownPower({ powerPercent }: PumpReading): number {
  return Math.round(powerPercent * 100) / 100;
}
