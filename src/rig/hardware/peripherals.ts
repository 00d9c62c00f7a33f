import * as z from 'zod';
import type { PeripheralEntry, Plugin } from '../configuration/types.ts';
import type { OwnedEntry, VoltageKind } from '../device-kinds/device-kind.ts';
import { kindNamed } from '../device-kinds/index.ts';
import { lung } from '../device-kinds/lung.ts';
import { pump } from '../device-kinds/pump.ts';
import { valveBoard } from '../device-kinds/valve-board.ts';
import { voltageConverter } from '../device-kinds/voltage-converter.ts';
import { normalName } from '../registry/name.ts';
import { valveIdsOf } from './names.ts';

/** Something of the rig that a person can see or set. */
export interface PeripheralInfo {
  id: string;
  type: string;
  name: string;
  unit: string | null;
  /** Null: no driver owns it, the bridge only keeps its values. */
  adapter: string | null;
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

type OwnedPeripheral = PeripheralInfo & { adapter: string };

/** What drivers own on a rig with these plugins. */
export function ownedPeripherals(
  plugins: readonly Pick<Plugin, 'id' | 'kind'>[],
): readonly OwnedPeripheral[] {
  const owned = (type: string, adapter: string, entries: readonly OwnedEntry[]) =>
    entries.map(({ id, name, unit }): OwnedPeripheral => ({ id, type, name, unit, adapter }));
  const fixed = ({ names, peripherals }: Pick<VoltageKind, 'names' | 'peripherals'>, type: string) =>
    names.flatMap((name) => owned(type, name, peripherals(name)));
  const valves = valveIdsOf(plugins);
  return [
    ...fixed(valveBoard, 'valve').filter(({ id }) => valves.includes(id)),
    ...fixed(pump, 'pump'),
    ...fixed(lung, 'lung'),
    ...fixed(voltageConverter, 'sensor'),
    ...plugins.flatMap(({ id, kind: word }) => {
      const kind = kindNamed(word);
      if (kind?.role !== 'sensor') return [];
      return owned('sensor', id, [{ id, name: kind.adapter.description, unit: kind.quantity.unit }]);
    }),
  ];
}

/** What `svc.yaml` names without driver. */
export const freePeripherals = (entries: Readonly<Record<string, PeripheralEntry>>): PeripheralInfo[] =>
  Object.entries(entries).map(([id, entry]) => ({
    id: normalName(id),
    type: entry.type ?? 'other',
    name: entry.name ?? id,
    unit: entry.unit ?? null,
    adapter: null,
  }));
