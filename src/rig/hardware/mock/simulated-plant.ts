import type { LungMotion } from '../ports.ts';

/** What the mock rig needs of the plant (devices specification, section 11). */
export interface SimulatedPlant {
  /** @param fraction 0..1 */
  setDuty(fraction: number): void;
  setCoil(coil: number, open: boolean): void;
  /** @param input 0..3 */
  volts(input: number): number;
  startLung(motion: LungMotion): void;
  stopLung(): void;
  lungState(): { moving: boolean; cyclesDone: number; cyclesTotal: number };
}
