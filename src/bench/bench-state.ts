import type { BenchDevice } from './devices/bench-device.ts';
import type { PlantState } from './plant/index.ts';

/** The outputs as they are in truth, whatever the twins answer. */
export interface BenchOutputs {
  coils: boolean[];
  pump: { duty: number; enabled: boolean; prescaler: number; fraction: number };
  /** Microsteps, and microsteps per second. */
  lung: { position: number; velocity: number; energized: boolean };
  plant: PlantState;
  /** Clients of each socket. */
  clients: Record<string, number>;
}

/** One device as the list of devices shows it. */
export interface DeviceListing {
  device: BenchDevice;
  /** Of its first port; null for the plant. */
  address: string | null;
  /** Where the address leads now; null while the device is pulled out. */
  path: string | null;
  ports: { name: string; address: string; path: string | null; clients: number | null }[];
  knobs: Readonly<Record<string, unknown>>;
  /** What one answer can be spoilt with. */
  faults: readonly string[];
}
