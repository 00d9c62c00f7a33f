import type { Registry } from '../../../rig/registry/registry.ts';
import type { Setting } from '../rig.ts';
import type { Answer } from './bridge-client.ts';
import { isRecord, rejectionOf, saysSimulated } from './rejection.ts';

/** By one of these an answer speaks of what it did. */
const SAYS = ['ok', 'success', 'status', 'value', 'power_pct', 'currentValue', 'id'];

/** Statuses that a motor has which was not started. */
const AT_REST: ReadonlySet<unknown> = new Set(['stopped', 'de-energized', 'disabled', 'idle']);

/** Statuses that say of a command that it was carried out. */
const DONE: ReadonlySet<unknown> = new Set(['ok', 'success', 'done']);

type Json = Record<string, unknown>;

/** Why an answer that is not a rejection confirms nothing, or something else than the setting; else undefined. */
export function contradictionOf(
  answer: Answer,
  setting: Setting,
  registry: Pick<Registry, 'peripheral'>,
): string | undefined {
  const { json } = answer;
  if (!isRecord(json)) return undefined;
  if (!SAYS.some((key) => key in json)) return 'the answer confirms nothing';
  if ('ok' in json && typeof json.ok !== 'boolean' && !isRecord(json.ok))
    return `ok is ${JSON.stringify(json.ok)}, neither true nor false`;
  switch (setting.kind) {
    case 'valve':
      return valveContradiction(json, setting, registry);
    case 'pump':
      return pumpContradiction(answer, json, setting);
    case 'lung':
      return setting.action === 'start' ? startContradiction(json, setting) : stopContradiction(json);
    default:
      return undefined;
  }
}

function valveContradiction(
  { value, valve_id: named }: Json,
  { id, open }: Extract<Setting, { kind: 'valve' }>,
  registry: Pick<Registry, 'peripheral'>,
): string | undefined {
  if (typeof named === 'string' && registry.peripheral(named)?.id !== id)
    return `the answer is about ${named}, not ${id}`;
  return typeof value === 'boolean' && value !== open
    ? `the answer confirms value ${value}, not ${open}`
    : undefined;
}

/** `data` is what the pump's service read back. */
function pumpContradiction(
  answer: Answer,
  json: Json,
  { powerPct }: Extract<Setting, { kind: 'pump' }>,
): string | undefined {
  const data = isRecord(json.data) ? json.data : {};
  // A simulation has read nothing back.
  const rejection = saysSimulated(json) ? undefined : rejectionOf({ ...answer, json: data });
  if (rejection !== undefined) return rejection;
  for (const percent of [json.power_pct, data.power_pct])
    if (typeof percent === 'number' && !(Math.abs(percent - powerPct) <= 0.5))
      return `the answer confirms ${percent} %, not ${powerPct} %`;
  return powerPct > 0.5 && data.enabled === false ? 'by the answer the pump is disabled' : undefined;
}

/** The status of a motion that goes on, or of a motor that its service sees moving, confirms no stop. */
function stopContradiction({ status, data }: Json): string | undefined {
  if (typeof status === 'string' && !AT_REST.has(status.toLowerCase()) && !DONE.has(status.toLowerCase()))
    return `the answer to a stop has status: ${status}`;
  const runtime = isRecord(data) ? data.runtime_status : undefined;
  for (const seen of [data, runtime])
    if (isRecord(seen) && seen.moving !== undefined && seen.moving !== false)
      return seen.moving === true
        ? 'by the answer to the stop the lung is moving'
        : `the answer to the stop has moving: ${JSON.stringify(seen.moving)}, so it is unknown whether the lung moves`;
  return undefined;
}

function startContradiction(
  json: Json,
  setting: Extract<Setting, { kind: 'lung'; action: 'start' }>,
): string | undefined {
  if (AT_REST.has(json.status)) return `the answer to a start has status: ${json.status}`;
  for (const key of ['steps', 'speed', 'cycles'] as const)
    if (typeof json[key] === 'number' && json[key] !== setting[key])
      return `the answer confirms ${key} ${json[key]}, not ${setting[key]}`;
  return undefined;
}
