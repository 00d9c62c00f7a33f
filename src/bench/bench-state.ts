import type * as z from 'zod';
import type { BenchDeviceName, OutputShape } from './devices/index.ts';
import type { PlantState } from './plant/index.ts';

/** What the twins really put out, whatever they reply. */
export type TwinOutputs = z.output<z.ZodObject<OutputShape>>;

export type BenchOutputs = TwinOutputs & {
  plant: PlantState;
  /** Clients of each socket. */
  clients: Record<string, number>;
};

/** One device as the list of devices shows it. */
export interface DeviceListing {
  device: BenchDeviceName;
  /** Of its first port; null for the plant. */
  address: string | null;
  /** Where the address leads now; null while the device is unplugged. */
  path: string | null;
  ports: { name: string; address: string; path: string | null; clients: number | null }[];
  knobs: Readonly<Record<string, unknown>>;
  /** Faults that can be injected into one reply. */
  faults: readonly string[];
}
