import type { Registry } from '../../../rig/registry/registry.ts';
import { RunFault } from '../fault.ts';
import type { RawReading } from '../rig.ts';
import type { Answer } from './bridge-client.ts';
import { isRecord, rejectionOf, saysBench, saysSimulated } from './rejection.ts';

export interface SensorRequest {
  readonly name: string;
  readonly id: string;
  readonly ownUnit: string | null;
}

/**
 * The reading in an answer of the sensor route. Freshness is judged by the caller.
 * @param nowMs wall clock when the answer was there
 * @throws RunFault SCN402, SCN404; SCN227 when the source is not the one that the calibration was confirmed for
 */
export function readingOf(
  answer: Answer,
  { name, id, ownUnit }: SensorRequest,
  registry: Registry,
  nowMs: number,
): RawReading {
  const place = name === id ? name : `${name} (${id})`;
  const fail = (why: string) => new RunFault('SCN402', `reading of ${place} failed: ${why}`);
  const body = isRecord(answer.json) ? answer.json : undefined;
  const rejection = rejectionOf(answer);
  if (rejection !== undefined || !body) {
    if (body?.code === 'sensor_source_simulated')
      throw new RunFault('SCN404', `reading of ${place} is simulated: ${rejection}`);
    throw fail(rejection ?? 'no JSON');
  }
  const said = body.sensor_id;
  const answering = typeof said === 'string' ? registry.sensor(said) : undefined;
  if (answering && answering.id !== id && registry.sensor(id)?.id !== answering.id)
    throw fail(`the answer is about ${String(said)}`);
  if (body.calibration_confirmed === false)
    throw new RunFault(
      'SCN227',
      `${place} is measured by another source than its calibration was confirmed for (calibration_confirmed: false); look at the source and run svcctl adc-confirm`,
    );
  const { value } = body;
  if (value === null || value === undefined) throw fail('the value is null');
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw fail(`${JSON.stringify(value) ?? String(value)} is no finite number`);
  const age = body.age_ms;
  if (age !== null && age !== undefined && !(typeof age === 'number' && age >= 0))
    throw fail(`age_ms ${JSON.stringify(age)} is no age`);
  // Without an age the request counts: the value cannot be older than the question.
  const ageMs = typeof age === 'number' ? age : Math.max(0, answer.tookMs);
  const observed = body.observed_at;
  return {
    value,
    unit: typeof body.unit === 'string' && body.unit !== '' ? body.unit : ownUnit,
    at: typeof observed === 'string' ? observed : new Date(nowMs - ageMs).toISOString(),
    ageMs,
    source: typeof body.source === 'string' ? body.source : 'bridge',
    simulated: saysSimulated(body),
    bench: saysBench(body),
    free: false,
  };
}
