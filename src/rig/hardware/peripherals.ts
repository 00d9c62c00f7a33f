import * as z from 'zod';
import { type PeripheralEntry, type Plugin, type PluginId, VALVE_BOARD_IDS } from '../configuration/types.ts';
import { normalName } from '../registry/name.ts';
import { SENSOR_IDS, VALVES_PER_BOARD, valveIdsOf } from './names.ts';

/** Something of the rig that a person can see or set. */
export interface PeripheralInfo {
  id: string;
  type: string;
  name: string;
  unit: string | null;
  /** Null: no driver owns it, the bridge only keeps its values. */
  adapter: PluginId | null;
}

/** A peripheral in answers, with its driver's state. */
export const peripheralSchema = z.object({
  id: z.string(),
  type: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  /** Plugin that drives it; null: the bridge only keeps its values. */
  adapter: z.string().nullable(),
  connected: z.boolean(),
  status: z.string(),
});

type OwnedPeripheral = PeripheralInfo & { adapter: PluginId };

/** What drivers own on a rig with these plugins. */
export const ownedPeripherals = (plugins: readonly Pick<Plugin, 'id'>[]): readonly OwnedPeripheral[] => [
  ...valveIdsOf(plugins).map(
    (id, i): OwnedPeripheral => ({
      id,
      type: 'valve',
      name: `Valve ${i + 1}`,
      unit: null,
      adapter: VALVE_BOARD_IDS[Math.floor(i / VALVES_PER_BOARD)] ?? 'modbus-io',
    }),
  ),
  { id: 'pump-main', type: 'pump', name: 'Pump', unit: '%', adapter: 'pump-motor' },
  { id: 'lung-main', type: 'lung', name: 'Lung', unit: null, adapter: 'lung-motor' },
  ...SENSOR_IDS.map(
    (id, i): OwnedPeripheral => ({
      id,
      type: 'sensor',
      name: `Analog input ${i + 1}`,
      unit: 'V',
      adapter: 'sensor-adc',
    }),
  ),
];

/** What `svc.yaml` names without driver. */
export const freePeripherals = (entries: Readonly<Record<string, PeripheralEntry>>): PeripheralInfo[] =>
  Object.entries(entries).map(([id, entry]) => ({
    id: normalName(id),
    type: entry.type ?? 'other',
    name: entry.name ?? id,
    unit: entry.unit ?? null,
    adapter: null,
  }));
