import { isRecord } from './rejection.ts';

/** The entry of a peripheral in the bridge's state: key = id with `_`. */
export function entryOf(state: unknown, id: string): Record<string, unknown> | undefined {
  if (!isRecord(state)) return undefined;
  const direct = state[id.replaceAll('-', '_')] ?? state[id];
  if (isRecord(direct)) return direct;
  return Object.values(state)
    .filter(isRecord)
    .find((entry) => entry.id === id);
}

/** True, false, 1 or 0; undefined for anything else. */
export function isOn(value: unknown): boolean | undefined {
  if (value === true || value === 1) return true;
  if (value === false || value === 0) return false;
  return undefined;
}
