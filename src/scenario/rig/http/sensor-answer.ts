import { notBoolean, readingFault } from '../../../rig/hardware/reading-fault.ts';
import type { Registry } from '../../../rig/registry/registry.ts';
import { convert, findUnit } from '../../../rig/units/units.ts';
import type { Conversion } from '../conversion.ts';
import { RunFault } from '../fault.ts';
import type { RawReading } from '../rig.ts';
import type { Answer } from './bridge-client.ts';
import { isRecord, rejectionOf, saysBench, saysSimulated } from './rejection.ts';

export interface SensorRequest {
  readonly name: string;
  readonly id: string;
  readonly ownUnit: string | null;
}

type Body = Readonly<Record<string, unknown>>;
type Fail = (why: string) => RunFault;

/**
 * The reading in an answer of the sensor route, in the sensor's own unit. The only way of a reading into a run: what is
 * no value here is none for any command. How old it may be is judged by the caller.
 * @param nowMs wall clock when the answer was there
 * @throws RunFault SCN402, SCN403 (marked stale), SCN404; SCN240 in another dimension than the sensor; SCN227 when the
 *   source is not the one that the calibration was confirmed for
 */
export function readingOf(
  answer: Answer,
  request: SensorRequest,
  registry: Registry,
  nowMs: number,
): RawReading {
  const { name, id, ownUnit } = request;
  const place = name === id ? name : `${name} (${id})`;
  const fail: Fail = (why) => new RunFault('SCN402', `reading of ${place} failed: ${why}`);
  const body = isRecord(answer.json) ? answer.json : undefined;
  const rejection = rejectionOf(answer);
  if (rejection !== undefined || !body) {
    if (body?.code === 'sensor_source_simulated')
      throw new RunFault('SCN404', `reading of ${place} is simulated: ${rejection}`);
    if (body?.verified === false) throw fail(`${rejection}; docs/adc.md lists what its source needs`);
    throw fail(rejection ?? 'no JSON');
  }
  requireSensor(body, id, registry, fail);
  requireGood(body, place, fail);
  if (body.calibration_confirmed === false)
    throw new RunFault(
      'SCN227',
      `${place} is measured by a source other than the one its calibration was confirmed for (calibration_confirmed: false); check the source and run svcctl adc-confirm`,
    );
  const value = numberIn(body, fail);
  const { ageMs, conversion } = timesOf(body, answer, nowMs, fail);
  const observed = body.observed_at;
  const own = inOwnUnit(value, body.unit, ownUnit, place, fail);
  // Written out: members behind a spread cost ten times as much, and a run may read 1,600 times a second.
  return {
    value: own.value,
    unit: own.unit,
    at: typeof observed === 'string' ? observed : new Date(nowMs - ageMs).toISOString(),
    ageMs,
    conversion,
    source: typeof body.source === 'string' ? body.source : 'bridge',
    simulated: saysSimulated(body) || saysOtherSource(body),
    bench: saysBench(body),
  };
}

/** The answer names the sensor that was asked for. */
function requireSensor({ sensor_id: said }: Body, id: string, registry: Registry, fail: Fail): void {
  if (typeof said !== 'string') throw fail(`sensor_id is ${shown(said)}, so the sensor is unknown`);
  const asked = registry.sensor(id)?.id ?? id;
  if (said !== id && registry.sensor(said)?.id !== asked) throw fail(`the answer is about sensor "${said}"`);
}

function requireGood(body: Body, place: string, fail: Fail): void {
  for (const flag of ['ok', 'simulated', 'bench', 'mock', 'mock_mode', 'calibration_confirmed']) {
    // `ok: {success: true}` was judged with the rejections.
    if (flag === 'ok' && isRecord(body.ok)) continue;
    const malformed = notBoolean(body, flag);
    if (malformed) throw fail(malformed.message);
  }
  const fault = readingFault(body);
  if (fault?.kind === 'stale')
    throw new RunFault('SCN403', `reading of ${place} is stale (${fault.message})`);
  if (fault?.kind === 'beyond_range')
    throw new RunFault('SCN402', `reading of ${place} is not a value: ${fault.message}`, {
      beyondRange: true,
    });
  if (fault) throw fail(fault.message);
}

function numberIn({ value, raw }: Body, fail: Fail): number {
  if (value === null || value === undefined) throw fail('the value is null');
  if (typeof value !== 'number' || !Number.isFinite(value))
    throw fail(`${shown(value)} is not a finite number`);
  if (raw !== null && raw !== undefined && (typeof raw !== 'number' || !Number.isFinite(raw)))
    throw fail(`raw ${shown(raw)} is not a finite number`);
  return value;
}

/** A mode or a source in words that is not the hardware. */
const saysOtherSource = ({ mode, source }: Body): boolean =>
  (typeof mode === 'string' && mode !== 'real') || source === 'simulation' || source === 'mock';

/** An age and a time of observation that differ by more tell of an old value with a new age, milliseconds. */
const DISAGREEMENT_MS = 5000;

const ISO_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * Age of the value now, and which conversion it is. The age that was told counts from the request, so the time that the
 * answer took is added. Without one the wall clocks tell, and a time that is still to come reports nothing.
 */
function timesOf(
  body: Body,
  answer: Answer,
  nowMs: number,
  fail: Fail,
): { ageMs: number; conversion: Conversion } {
  const { age_ms: age, observed_at: observed } = body;
  if (age !== null && age !== undefined && !(typeof age === 'number' && Number.isFinite(age) && age >= 0))
    throw fail(`age_ms ${shown(age)} is not an age`);
  const observedMs =
    typeof observed === 'string' && ISO_TIME.test(observed) ? Date.parse(observed) : Number.NaN;
  if (observed !== null && observed !== undefined && Number.isNaN(observedMs))
    throw fail(`observed_at ${shown(observed)} is not a time`);
  const tookMs = Math.max(0, answer.tookMs);
  let ageMs: number;
  if (typeof age === 'number') {
    ageMs = age + tookMs;
    if (nowMs - observedMs - ageMs > DISAGREEMENT_MS)
      throw fail(
        `age_ms ${age} and observed_at ${String(observed)} contradict each other; set the clocks of both machines, or correct the source`,
      );
  } else {
    if (Number.isNaN(observedMs))
      throw fail("the answer has neither age_ms nor observed_at, so the reading's age is unknown");
    ageMs = nowMs - observedMs;
    if (ageMs < 0)
      throw fail(
        `observed_at ${String(observed)} is ${-ageMs} ms in the future; set the clocks of both machines`,
      );
  }
  const sequence = sequenceOf(body, fail);
  const id = sequence ?? (typeof observed === 'string' ? observed : undefined);
  // Ages are whole milliseconds.
  const fromMs = answer.sentAt + tookMs - ageMs - 1;
  const toMs = answer.sentAt + 2 * tookMs - ageMs + 1;
  return { ageMs, conversion: { fromMs, toMs, ...(id === undefined ? {} : { id }) } };
}

function sequenceOf({ sequence, seq }: Body, fail: Fail): string | undefined {
  const number = sequence ?? seq;
  if (number === undefined || number === null) return undefined;
  if (!Number.isSafeInteger(number)) throw fail(`sequence ${shown(number)} is not a whole number`);
  return `#${String(number)}`;
}

/** A limit without unit means the sensor's own unit, so every reading comes in that one. */
function inOwnUnit(
  value: number,
  givenUnit: unknown,
  ownUnit: string | null,
  place: string,
  fail: Fail,
): { value: number; unit: string | null } {
  if (givenUnit === undefined || givenUnit === null || givenUnit === '') return { value, unit: ownUnit };
  if (typeof givenUnit !== 'string') throw fail(`unit ${shown(givenUnit)} is not a text`);
  if (ownUnit === null || givenUnit === ownUnit) return { value, unit: givenUnit };
  const own = convert(value, givenUnit, ownUnit);
  if (own !== undefined) return { value: own, unit: ownUnit };
  const kinds = [givenUnit, ownUnit].map((unit) => findUnit(unit)?.dimension ?? 'unknown unit');
  throw new RunFault(
    'SCN240',
    `${place} is a sensor in ${ownUnit}, and the bridge gives it in ${givenUnit} (${kinds[1]} and ${kinds[0]}); correct the source or svc.yaml`,
  );
}

const shown = (value: unknown): string => JSON.stringify(value) ?? String(value);
