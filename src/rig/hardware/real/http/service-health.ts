import { CodedError, messageOf } from '../../../../lib/errors/coded-error.ts';
import type { LockHolder } from '../../../../lib/lock/lock.ts';
import { healthOf } from '../../component-health.ts';
import type { ComponentHealth } from '../../ports.ts';
import { RigError } from '../../rig-error.ts';
import { textIn } from './adc-sample.ts';
import type { JsonObject } from './service-client.ts';

/** Who is wanted behind an address. */
export interface WantedService {
  /** Name that its health must report, for example `svc-pump`. Without it any service of readings will do. */
  service?: string;
  /** Code of one that is in mock mode. */
  mockCode: 'wrong_device' | 'sensor_source_simulated';
}

/**
 * Whether who answered is the one that is wanted, and real.
 *
 * @returns what is wrong; undefined when nothing is
 */
export function foreign(
  url: string,
  answer: JsonObject,
  { service, mockCode }: WantedService,
): ComponentHealth | undefined {
  if (service !== undefined && answer.service !== service) {
    const who = textIn(answer, 'service') ?? 'a program without a name';
    const message = `${url} is ${who}, not ${service}; correct the base_url in svc.yaml`;
    return healthOf('incompatible', message, { code: 'wrong_device' });
  }
  if (answer.mock_mode === true || answer.simulated === true) {
    const message = `${url} is in mock mode, its values are simulated; start ${service ?? 'it'} with SVC_HARDWARE_MODE=real`;
    return healthOf('incompatible', message, { code: mockCode });
  }
  if (typeof answer.ok === 'boolean' && (service === undefined || typeof answer.mock_mode === 'boolean'))
    return undefined;
  const message = `${url}/health has no status; check that the address leads to the service of this rig`;
  return healthOf('incompatible', message, { code: 'corrupt_response' });
}

/** What a service says of its device. */
export function toldHealth(url: string, answer: JsonObject): ComponentHealth {
  const said = messageIn(answer) ?? messageIn(answer.adapter) ?? textIn(answer, 'status');
  const firmware = textIn(answer, 'firmware');
  const bench = answer.bench === true;
  if (answer.ok === true && answer.identified !== false)
    return healthOf('ok', said ?? 'ok', { bench, ...(firmware === undefined ? {} : { version: firmware }) });
  const status = FAULTS.find((one) => one === answer.status) ?? 'error';
  const code = textIn(answer, 'code') ?? CODES[status];
  const holder = status === 'held' ? { holder: holderIn(answer) } : {};
  return healthOf(status, said ?? `${url} reports that it is not ok`, { bench, code, ...holder });
}

/** A service, or the device behind it, that could not be asked. */
export function unreachable(thrown: unknown): ComponentHealth {
  const code = thrown instanceof CodedError ? thrown.code : 'internal_error';
  const status = FAULTS.find((one) => CODES[one] === code) ?? 'error';
  const members = thrown instanceof RigError ? thrown.members : {};
  const holder = status === 'held' ? { holder: holderIn(members) } : {};
  return healthOf(status, messageOf(thrown), { code, ...holder });
}

const FAULTS = ['held', 'timeout', 'incompatible'] as const;
const CODES = {
  held: 'held_by_other',
  timeout: 'device_timeout',
  incompatible: 'wrong_device',
  error: 'device_error',
} as const;

/** For people; :8212 has it in its `adapter`. */
function messageIn(part: unknown): string | undefined {
  if (typeof part !== 'object' || part === null) return undefined;
  const members = part as JsonObject;
  return textIn(members, 'message') ?? textIn(members, 'error');
}

function holderIn({ holder }: JsonObject): LockHolder | null {
  if (typeof holder !== 'object' || holder === null) return null;
  const { service, pid, port, since } = holder as JsonObject;
  if (typeof service !== 'string' || typeof pid !== 'number' || typeof since !== 'string') return null;
  return { service, pid, port: typeof port === 'number' ? port : null, since };
}
