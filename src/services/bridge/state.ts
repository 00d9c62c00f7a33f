import { messageOf } from '../../lib/errors/coded-error.ts';
import type { PeripheralInfo } from '../../rig/hardware/peripherals.ts';
import type { Bridge } from './bridge.ts';
import { listPeripherals } from './peripherals.ts';
import { isoTime } from './routes/origin.ts';

type Value = boolean | number | string | null;
interface Observed {
  value: Value;
  at: number;
}

/** The answer of GET /api/v1/state: what the devices say now; unknown is null with the reason, never an old value. */
export async function bridgeState(bridge: Bridge, signal: AbortSignal) {
  const { rig, clock } = bridge;
  const stamp = <T>(promise: Promise<T>) => promise.then((value) => ({ value, at: clock.now() }));
  const valves = stamp(bridge.readBack.readValves(signal));
  const sources: Record<string, (index: number, id: string) => Promise<Observed> | undefined> = {
    valve: (index) => valves.then(({ value, at }) => ({ value: value[index] ?? null, at })),
    pump: () => stamp(bridge.readBack.readPump(signal).then((reading) => reading.powerPercent)),
    lung: () => stamp(bridge.readBack.readLung(signal).then((status) => status.moving)),
    sensor: (_, id) =>
      rig.sensors
        .get(id)
        ?.read(signal)
        .then(({ value, observedAt }) => ({ value, at: observedAt })),
  };
  const configured = new Set<string | null>(rig.components.map((one) => one.id));
  const shown = listPeripherals(bridge).filter(
    (info) => info.adapter === null || configured.has(info.adapter),
  );
  valves.catch(() => {});
  const entries = await Promise.all(
    shown.map(async (info) => {
      const index = Number(info.id.split('-')[1]) - 1;
      const source = info.adapter === null ? undefined : sources[info.type];
      const read = source?.(index, info.id) ?? Promise.resolve(keptValue(bridge, info));
      const key = info.id.replace(/-/g, '_');
      return [key, await entryOf(bridge, info, index, read)] as const;
    }),
  );
  return Object.fromEntries(entries);
}

async function entryOf(bridge: Bridge, info: PeripheralInfo, index: number, read: Promise<Observed>) {
  const common = {
    id: info.id,
    type: info.type,
    name: info.name,
    targetValue: targetOf(bridge, info, index),
    unit: info.unit,
    mode: bridge.rig.mode,
  };
  try {
    const { value, at } = await read;
    return { ...common, currentValue: value, status: 'ok', observed_at: isoTime(at) };
  } catch (thrown) {
    return { ...common, currentValue: null, status: 'error', error: messageOf(thrown), observed_at: null };
  }
}

function keptValue(bridge: Bridge, info: PeripheralInfo): Observed {
  const kept = bridge.untypedPeripheralValues.get(info.id);
  return { value: kept?.currentValue ?? null, at: kept?.at ?? bridge.clock.now() };
}

function targetOf(bridge: Bridge, info: PeripheralInfo, index: number): Value {
  if (info.type === 'valve' && info.adapter) return bridge.targets.valves[index] ?? null;
  if (info.type === 'pump' && info.adapter) return bridge.targets.pumpPercent;
  return info.adapter === null ? (bridge.untypedPeripheralValues.get(info.id)?.targetValue ?? null) : null;
}
