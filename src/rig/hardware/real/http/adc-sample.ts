import type { Clock } from '../../../../lib/clock/clock.ts';
import { CodedError } from '../../../../lib/errors/coded-error.ts';
import { problemKind } from '../../../../lib/http/problem-table.ts';
import type { Milliseconds } from '../../../../lib/quantity.ts';
import type { SensorReading } from '../../ports.ts';
import { notBoolean, readingFault } from '../../reading-fault.ts';
import { RigError } from '../../rig-error.ts';
import type { JsonObject } from './service-client.ts';

const DEVICE = 'sensor-adc';

/** Older samples are refused, as are those from further ahead of this machine's clock. */
export const GREATEST_AGE_MS = 1000;

/** A sample that came from a service, and when. */
export interface ReceivedSample {
  reading: SensorReading;
  /** Monotonic clock, milliseconds. */
  receivedAt: number;
  /** As its service told it, milliseconds; 0 when it did not. */
  toldAgeMs: Milliseconds;
}

/**
 * The reading with its age now: the greater one of what the wall clocks say and what the service said plus the time
 * since, by the monotonic clock.
 *
 * @throws RigError `device_error` for a sample older than 1.0 s, or of a time that is still to come
 */
export function freshReading(
  { reading, receivedAt, toldAgeMs }: ReceivedSample,
  clock: Clock,
): SensorReading {
  const wallAgeMs = clock.now() - reading.observedAt;
  const ageMs = Math.max(0, wallAgeMs, toldAgeMs + clock.monotonic() - receivedAt);
  const where = `${reading.physicalInput} from ${reading.source}`;
  if (ageMs > GREATEST_AGE_MS) {
    const age = `the sample of ${where} is ${Math.round(ageMs)} ms old`;
    throw stale(`${age}, at most ${GREATEST_AGE_MS} ms is taken; check that its service is not overloaded`);
  }
  if (wallAgeMs < -GREATEST_AGE_MS) {
    const ahead = `the sample of ${where} was observed ${Math.round(-wallAgeMs)} ms ahead of this machine's clock`;
    throw stale(`${ahead}; set the clocks of both machines`);
  }
  return { ...reading, ageMs };
}

const stale = (message: string) => new RigError('device_error', DEVICE, message);

/** @throws RigError `sensor_source_simulated` when the answer, or the reading in it, says that it is made up */
export function refuseSimulated(url: string, ...parts: readonly JsonObject[]): void {
  // A mark of a wrong type, for example "true", is not a denial.
  const isSaid = (mark: unknown) => mark !== undefined && mark !== false;
  const isSimulated = parts.some((part) => isSaid(part.simulated) || isSaid(part.mock_mode));
  if (!isSimulated) return;
  const message = `${url} gives simulated values, which are refused in real mode; start that service with SVC_HARDWARE_MODE=real`;
  throw new RigError('sensor_source_simulated', DEVICE, message);
}

/**
 * What a source says of its own value, none of which may get lost on the way to a verdict.
 * @param parts of one answer; what one of them says holds
 * @param corrupt makes the error for an answer that cannot be used
 * @throws what `corrupt` makes, for a value that its source marks as stale, invalid or not good, and for a mark of a
 *   wrong type
 */
export function marksIn(
  parts: readonly JsonObject[],
  corrupt: (why: string) => Error,
): Pick<SensorReading, 'saturated' | 'bench' | 'verified' | 'calibrationConfirmed'> {
  const faults = parts.flatMap((part) =>
    [readingFault(part) ?? [], MARKS.map((name) => notBoolean(part, name) ?? [])].flat(2),
  );
  const unusable = faults.find(({ kind }) => kind !== 'beyond_range');
  if (unusable) throw corrupt(unusable.message);
  const says = (name: (typeof MARKS)[number], value: boolean) => parts.some((part) => part[name] === value);
  return {
    saturated: faults.length > 0,
    bench: says('bench', true),
    ...(says('verified', false) ? { verified: false as const } : {}),
    ...(says('calibration_confirmed', false) ? { calibrationConfirmed: false as const } : {}),
  };
}

const MARKS = ['bench', 'verified', 'calibration_confirmed'] as const;

/** Milliseconds of `age_ms`, 0 when it is missing. @throws what `corrupt` makes when it is no age */
export function ageIn({ age_ms: age }: JsonObject, corrupt: (why: string) => Error): number {
  if (age === undefined || age === null) return 0;
  if (typeof age === 'number' && Number.isFinite(age) && age >= 0) return age;
  throw corrupt(`age_ms ${JSON.stringify(age)}, no age`);
}

/** What an answer says of itself; undefined for a member that is not there or not of its kind. */
export const numberIn = (part: JsonObject, name: string): number | undefined =>
  typeof part[name] === 'number' && Number.isFinite(part[name]) ? part[name] : undefined;
export const textIn = (part: JsonObject, name: string): string | undefined =>
  typeof part[name] === 'string' && part[name] !== '' ? part[name] : undefined;

/** Wall-clock milliseconds of `observed_at`; undefined when it is missing or no time. */
export function observedIn(part: JsonObject): number | undefined {
  const at = Date.parse(textIn(part, 'observed_at') ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/**
 * A failure of a source in terms of the bridge: what the source thinks of our request (401, 404, 422) is not an
 * answer to a request for a voltage.
 */
export function asSourceFault(thrown: unknown): unknown {
  if (!(thrown instanceof CodedError)) return thrown;
  const status = problemKind(thrown.code)?.status;
  if (status === 503 || status === 504 || thrown.code === 'held_by_other') return thrown;
  return new RigError('device_error', DEVICE, `${thrown.message} (${thrown.code})`, thrown);
}
